import type { Ledger } from '../ledger.ts'
import type { Manifest } from '../records/manifest.ts'
import type { Planned } from '../stages/publish.ts'

/** What a dry run tells. */
export interface Telling {
  readonly manifest: Manifest
  readonly plan: readonly Planned[]
  readonly ledger: Ledger
  readonly distTag: string
}

/** Lines for people: what would go out, in its order, and what differs from the release that the ledger has last. */
export function publicationPlan({ manifest, plan, ledger, distTag }: Telling): readonly string[] {
  const last = ledger.tuples.findLast(({ record }) => record.channel === manifest.channel)?.record
  return [
    ...plan.map(({ entry, state }) => {
      const what = state === 'absent' ? 'upload' : 'there already'
      return `tier ${entry.tier}  ${what.padEnd(13)}  ${entry.name}@${entry.version}  ${entry.file.size} bytes  sha256 ${entry.file.sha256}`
    }),
    `then ${distTag} moves to ${manifest.version} for ${plan.length} packages`,
    ...(last === undefined
      ? [`the ledger has no ${manifest.channel} release before this one`]
      : [`since ${last.releaseId}, tuple ${last.sequence}:`, ...changesSince(last, manifest)]),
  ]
}

/** A tuple keeps digests only: which packages changed, came or went, and which lines of the protocol. */
function changesSince(last: Ledger['tuples'][number]['record'], { packages, protocol }: Manifest): readonly string[] {
  const before = new Map(Object.entries(last.components))
  const lines = packages.map(({ name, version, file }) => {
    const one = before.get(name)
    if (one === undefined) return `  ${name}: new in the set`
    return `  ${name}: ${one.version} → ${version}${one.sha256 === file.sha256 ? ', the same file' : ''}`
  })
  const gone = [...before.keys()].filter((name) => !packages.some((one) => one.name === name))
  const spoken = Object.entries(protocol.lines).filter(([line, version]) => last.protocol[line] !== version)
  return [
    ...lines,
    ...gone.map((name) => `  ${name}: gone from the set`),
    ...spoken.map(([line, version]) => `  protocol ${line}: ${last.protocol[line] ?? 'none'} → ${version}`),
  ]
}

import { readFileSync } from 'node:fs'
import { diffManifests } from '../archive/diff.ts'
import { linesOfDiff } from '../archive/diff-lines.ts'
import { readCanonical, sha256 } from '../canonical.ts'
import { refuseUnless } from '../guard.ts'
import type { Ledger } from '../ledger.ts'
import type { Tuple } from '../records/ledger.ts'
import { type Manifest, manifest as manifestShape } from '../records/manifest.ts'
import { shaped } from '../shape.ts'
import type { Planned } from '../stages/publish.ts'

/** What a dry run tells of. */
export interface Telling {
  readonly manifest: Manifest
  /** In the order of the uploads. */
  readonly plan: readonly Planned[]
  readonly ledger: Ledger
  readonly distTag: string
  /** Of the release before; without it, what its tuple tells: digests, no files. */
  readonly previous: Manifest | null
}

/** Lines for people: what would go out, in its order, and what differs from the release before. @source release design §7.1 */
export function publicationPlan({ manifest, plan, ledger, distTag, previous }: Telling): readonly string[] {
  const last = lastTuple(ledger, manifest)
  const since = last === undefined ? 'no release of this channel in the ledger' : `${last.releaseId}, its last tuple`
  return [
    ...plan.map(({ entry, state }) => {
      const what = state === 'absent' ? 'upload' : 'there already'
      return `tier ${entry.tier}  ${what.padEnd(13)}  ${entry.name}@${entry.version}  ${entry.file.size} bytes  sha256 ${entry.file.sha256}`
    }),
    `then ${distTag} moves to ${manifest.version} for ${plan.length} packages`,
    `before it: ${since}`,
    ...(previous === null ? changesSince(last, manifest) : linesOfDiff(diffManifests(previous, manifest))),
  ]
}

const lastTuple = ({ tuples }: Ledger, { channel }: Manifest): Tuple | undefined =>
  tuples.findLast(({ record }) => record.channel === channel)?.record

/**
 * The manifest of the release before; where the ledger has a tuple of the channel, it must be the one that the last one names.
 *
 * @throws Refused record_digest_mismatch, and what reading a document may throw
 */
export function previousManifest(file: string, ledger: Ledger, manifest: Manifest): Manifest {
  const content = readFileSync(file, 'utf8')
  const actual = sha256(content)
  const expected = lastTuple(ledger, manifest)?.evidence.manifest ?? actual
  refuseUnless(actual === expected, 'record_digest_mismatch', { path: file, expected, actual })
  return shaped(manifestShape, readCanonical(content, file), 'previous manifest')
}

/** A tuple keeps digests only: which packages changed, came or went, and which lines of the protocol. */
function changesSince(last: Tuple | undefined, { packages, protocol }: Manifest): readonly string[] {
  if (last === undefined) return []
  const before = new Map(Object.entries(last.components))
  const lines = packages.map(({ name, version, file }) => {
    const one = before.get(name)
    if (one === undefined) return `  + ${name}`
    return `  ~ ${name}: ${one.version} → ${version}${one.sha256 === file.sha256 ? ', the same file' : ''}`
  })
  const gone = [...before.keys()].filter((name) => !packages.some((one) => one.name === name))
  const spoken = Object.entries(protocol.lines).filter(([line, version]) => last.protocol[line] !== version)
  return [
    ...lines,
    ...gone.map((name) => `  - ${name}`),
    ...spoken.map(([line, version]) => `  ~ protocol ${line}: ${last.protocol[line] ?? 'none'} → ${version}`),
  ]
}

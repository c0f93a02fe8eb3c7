// Acceptance: the packed tarballs, installed elsewhere, do what a release must do.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { judgeAcceptance } from '../acceptance/judge.ts'
import type { PackedFile } from '../acceptance/place.ts'
import { runAcceptance, type Seen } from '../acceptance/run.ts'
import type { Suite } from '../acceptance/suite.ts'
import { sha256 } from '../canonical.ts'
import type { Context } from '../context.ts'
import { type Evidence, policyOf, recorded, type StoredRecord, writeOnce } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { inputsOf, mayRun } from '../pipeline.ts'
import type { DetailsOf } from '../records/records.ts'
import { sha256OfFile } from '../sums.ts'

/** What is accepted, by which suite, on which databases. */
export interface Accepting {
  readonly evidence: Evidence
  readonly suite: Suite
  /** Database → its address; empty where the suite makes one. */
  readonly databases: Readonly<Record<string, string>>
  /** Only these cells; the others are then missing. Default: all that the policy asks for. */
  readonly cells?: readonly string[] | undefined
  /** Folder with the tarballs of a release before; default: one that the suite breaks on purpose. */
  readonly predecessor?: string | undefined
  /** Digests of peers that this machine cannot read itself. */
  readonly peers: Readonly<Record<string, string>>
}

/**
 * Runs the suite against the tarballs of the folder, keeps what it printed, and judges what was seen.
 *
 * @throws Refused what `judgeAcceptance` refuses; record_missing and archive_sha256_mismatch for tarballs that are not those
 *   of the manifest; stage_already_final
 * @source release design §5.2 stage 4, §5.4
 */
export async function accept(context: Context, accepting: Accepting): Promise<StoredRecord> {
  const { evidence, suite, databases, peers, predecessor } = accepting
  mayRun(evidence, 'acceptance')
  const { policy } = policyOf(evidence)
  const required = policy.acceptance
  const stage = { kind: 'acceptance', inputs: inputsOf(evidence, 'acceptance') } as const
  return await recorded(context, evidence, stage, async (report) => {
    const seen = await runAcceptance(context, {
      manifest: evidence.manifest,
      tarballs: acceptedTarballs(evidence),
      suite,
      required,
      cells: accepting.cells ?? required.cells,
      databases,
      predecessor,
      peers,
    })
    const details = keepRaw(evidence, seen)
    report(details)
    judgeAcceptance(policy, evidence.manifest, details)
  })
}

/** The tarballs of the folder, which are those of its manifest. @throws Refused record_missing, archive_sha256_mismatch */
export function acceptedTarballs({ folder, manifest }: Evidence): readonly PackedFile[] {
  return manifest.packages.map(({ name, file }) => {
    const path = join(folder, 'tarballs', file.name)
    refuseUnless(existsSync(path), 'record_missing', { path: `tarballs/${file.name}` })
    const actual = sha256OfFile(path)
    refuseUnless(actual === file.sha256, 'archive_sha256_mismatch', {
      file: file.name,
      expected: file.sha256,
      actual,
    })
    return { name, file: path }
  })
}

/** Writes what programs printed into the folder, and binds it. What an acceptance left that died before its record goes. */
function keepRaw({ folder, records }: Evidence, { details, files }: Seen): DetailsOf<'acceptance'> {
  const own = `raw/${String(records.length + 1).padStart(4, '0')}-acceptance`
  rmSync(join(folder, own), { recursive: true, force: true })
  const raw: Record<string, string> = {}
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, own, path)), { recursive: true })
    writeOnce(join(folder, own, path), text)
    raw[`${own}/${path}`] = sha256(text)
  }
  return { ...details, raw }
}

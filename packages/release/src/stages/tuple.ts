// The last stage of a release: its set of versions enters the ledger, and the pointer of its channel moves to it.
//
// The steps, each of which may be the last before a crash: the mark, the entry, the copy in the evidence folder, the pointer,
// the mark again. Whoever runs it once more finishes what is not done, and nothing happens twice.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText } from '../canonical.ts'
import type { Context } from '../context.ts'
import { type Evidence, openEvidence, tupleFile, writeOnce } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import {
  appendEntry,
  beginRelease,
  endRelease,
  type Ledger,
  movePointer,
  nextPlace,
  openLedger,
  type StoredTuple,
} from '../ledger.ts'
import { fulfilled, stateOf } from '../pipeline.ts'
import type { Channel, Tuple } from '../records/ledger.ts'
import type { DetailsOf, RecordKind } from '../records/records.ts'
import { isNewer } from '../version-order.ts'

type ReadBack = DetailsOf<'readback'>

/**
 * Appends the tuple of a release that was read back.
 *
 * @returns the tuple as it stands in the ledger
 * @throws Refused tuple_not_verified, tuple_mixed_set, tuple_rollback, release_in_progress, release_withdrawn,
 * record_digest_mismatch, and what openLedger and openEvidence throw
 * @source release design §5.2, 8; P-78, P-79, P-80
 */
export function appendTuple(context: Context, release: string, folder: string): StoredTuple {
  const evidence = openEvidence(release)
  const ledger = openLedger(folder)
  const stored = tupleOfRelease(ledger, evidence) ?? append(context, evidence, ledger)
  keepCopy(evidence.folder, canonicalText(stored.record))
  movePointer(openLedger(folder), stored)
  endRelease(folder, evidence.releaseId)
  return stored
}

const tupleOfRelease = ({ tuples }: Ledger, { releaseId }: Evidence): StoredTuple | undefined =>
  tuples.find(({ record }) => record.releaseId === releaseId)

function append(context: Context, evidence: Evidence, ledger: Ledger): StoredTuple {
  const isKnown = existsSync(join(evidence.folder, tupleFile))
  refuseUnless(!isKnown, 'tuple_rollback', {
    release: evidence.releaseId,
    expected: `the tuple that its evidence folder has a copy of (${tupleFile})`,
    actual: `${ledger.entries.length} entries without it`,
  })
  const readBack = lastReadBack(evidence)
  checkSet(evidence, readBack)
  checkNewest(ledger, evidence)
  beginRelease(ledger.folder, evidence.releaseId)
  const now = openLedger(ledger.folder)
  const grown = appendEntry(ledger.folder, tupleOf(context, evidence, readBack, now))
  const added = tupleOfRelease(grown, evidence)
  if (added === undefined)
    throw new Error(`${ledger.folder} has no tuple of ${evidence.releaseId} after one was appended`)
  return added
}

/** What the registry served; the release has come through every stage before. */
function lastReadBack(evidence: Evidence): ReadBack {
  const state = stateOf(evidence)
  const details = state === 'verified' ? (fulfilled(evidence, 'readback')?.record.details ?? null) : null
  refuseUnless(details !== null, 'tuple_not_verified', { release: evidence.releaseId, state })
  return details
}

interface Identity {
  readonly version: string
  readonly sha256: string
  readonly sha512: string
  readonly commit: string
}

/** What was read back is what the manifest binds: all of it, and nothing else. */
function checkSet({ manifest }: Evidence, { packages }: ReadBack): void {
  const bound = new Map<string, Identity>(
    manifest.packages.map(({ name, version, file, identity }) => [
      name,
      { version, sha256: file.sha256, sha512: file.sha512, commit: identity.gitHead },
    ]),
  )
  const served = new Map<string, Identity>(
    packages.map(({ name, version, sha256, sha512, gitHead }) => [name, { version, sha256, sha512, commit: gitHead }]),
  )
  for (const name of new Set([...bound.keys(), ...served.keys()])) {
    const [expected, actual] = [said(bound.get(name)), said(served.get(name))]
    refuseUnless(expected === actual, 'tuple_mixed_set', { package: name, expected, actual })
  }
}

const said = (one: Identity | undefined): string =>
  one === undefined ? 'absent' : `${one.version} ${one.commit} ${one.sha256} ${one.sha512}`

/** A channel does not go back: its next version comes after all that it had, withdrawn ones among them. */
function checkNewest({ tuples }: Ledger, { manifest }: Evidence): void {
  for (const { record } of tuples.filter(({ record }) => record.channel === manifest.channel)) {
    refuseUnless(isNewer(manifest.version, record.version), 'tuple_rollback', {
      channel: manifest.channel,
      tuple: record.sequence,
      expected: `newer than ${record.version}`,
      actual: manifest.version,
    })
  }
}

function tupleOf(context: Context, evidence: Evidence, { registry }: ReadBack, ledger: Ledger): Tuple {
  const { manifest, manifestSha256, releaseId } = evidence
  const kinds: readonly RecordKind[] = ['reproduction', 'acceptance', 'approval', 'publication', 'readback']
  const records = kinds.flatMap((kind) => fulfilled(evidence, kind) ?? [])
  return {
    schema: 'durable-workflow.release/tuple/v1',
    ...nextPlace(ledger),
    releaseId,
    version: manifest.version,
    channel: manifest.channel,
    registry,
    components: Object.fromEntries(
      manifest.packages.map(({ name, version, file, identity }) => [
        name,
        { version, commit: identity.gitHead, sha256: file.sha256, sha512: file.sha512 },
      ]),
    ),
    protocol: manifest.protocol.lines,
    compatibility: manifest.compatibility,
    status: 'verified',
    evidence: {
      manifest: manifestSha256,
      ...Object.fromEntries(records.map(({ kind, sha256 }) => [kind, sha256])),
    },
    at: context.now().toISOString(),
  }
}

function keepCopy(release: string, content: string): void {
  const path = join(release, tupleFile)
  if (!existsSync(path)) writeOnce(path, content)
  refuseUnless(readFileSync(path, 'utf8') === content, 'record_digest_mismatch', {
    path: tupleFile,
    expected: 'the entry of the ledger',
    actual: 'other content',
  })
}

/** What a consumer has seen of a ledger before. */
export interface Known {
  readonly sequence: number
  /** Of that entry; without it a ledger that was written anew from the beginning is not noticed. */
  readonly sha256?: string
}

/**
 * Whether a ledger is whole, its pointers are at its newest tuples, and it has all that was seen of it before.
 *
 * @throws Refused tuple_rollback, record_digest_mismatch, and what openLedger throws
 * @source release design §3 (TUF: rollback, freeze); P-79, P-84
 */
export function verifyLedger(folder: string, known?: Known): Ledger {
  const ledger = openLedger(folder)
  if (known !== undefined) checkKnown(ledger, known)
  for (const channel of new Set(ledger.tuples.map(({ record }) => record.channel))) checkPointer(ledger, channel)
  return ledger
}

function checkKnown({ entries }: Ledger, { sequence, sha256 }: Known): void {
  refuseUnless(entries.length >= sequence, 'tuple_rollback', { expected: `entry ${sequence}`, actual: entries.length })
  const actual = entries[sequence - 1]?.sha256 ?? null
  refuseUnless(sha256 === undefined || sha256 === actual, 'record_digest_mismatch', {
    entry: sequence,
    expected: sha256 ?? null,
    actual,
  })
}

function checkPointer({ tuples, pointers }: Ledger, channel: Channel): void {
  const newest = tuples.filter(({ record }) => record.channel === channel).at(-1)?.record.sequence ?? 0
  const actual = pointers.find((one) => one.channel === channel)?.sequence ?? 0
  refuseUnless(actual === newest, 'tuple_rollback', { path: `${channel}.json`, expected: newest, actual })
}

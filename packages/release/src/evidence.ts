// The evidence folder of a release: everything that was decided about it, as files that a stranger can check.
//
//   release-manifest.json  packing.json  policy.json  SHA256SUMS
//   tarballs/*.tgz
//   publication.jsonl                  what publishing did, line by line; its record repeats it
//   records/0001-reproduction.json …   chained: each names the sha256 of the one before, the first that of the manifest
//   raw/…                              what acceptance saw; bound by its record
//   tuple.json                         a copy of the ledger's entry, last
//
// Owns:      the layout, the chain of records, appending one.
// Does not:  judge what a record says; that is `stages/`.
//
// Invariants
//   EV1  A record that is there is never written again.
//   EV2  A record appears whole, its bytes on the disk, or not at all; what a dead program left is a `.draft`, no record.
//   EV3  Two writers at once: at most one record gets the next number, and the loser hears of it.
//   EV4  However a stage ends, its record says how.
//   EV5  A folder opens only if its manifest and every record are canonical, of this release, and chained without a gap.

import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { canonicalText, readCanonical, sha256 } from './canonical.ts'
import type { Context } from './context.ts'
import { refuseUnless } from './guard.ts'
import { isFile } from './kind-of-path.ts'
import { type ReadPolicy, readPolicy } from './policy.ts'
import { type Manifest, manifest as manifestShape } from './records/manifest.ts'
import { type AnyRecord, type DetailsOf, type RecordKind, type RecordOf, recordShapes } from './records/records.ts'
import { type Facts, Refused } from './refusal.ts'
import { type Shape, shaped } from './shape.ts'

/** A record as it lies in the folder. */
export interface StoredRecord<K extends RecordKind = RecordKind> {
  readonly kind: K
  readonly record: RecordOf<K>
  /** `0003-approval.json` */
  readonly file: string
  readonly sha256: string
}

/** An opened folder; opened again it may have more records. */
export interface Evidence {
  readonly folder: string
  readonly manifest: Manifest
  readonly manifestSha256: string
  /** `0.2.0+1a2b3c4d5e6f` */
  readonly releaseId: string
  /** In their order. */
  readonly records: readonly StoredRecord[]
}

/** The manifest's file in the folder. */
export const manifestFile = 'release-manifest.json'

/** The policy under which the release was made, as it lies in the folder. */
export const policyFile = 'policy.json'

/** What packing saw, and the folder of what it packed. */
export const packingFile = 'packing.json'
export const tarballFolder = 'tarballs'

/** What publishing did, as it happened. */
export const journalFile = 'publication.jsonl'

/** The copy of the ledger's entry. */
export const tupleFile = 'tuple.json'

/** What ends the name of a file that was not written to its end. */
export const draftEnding = '.draft'

/** `0.2.0+1a2b3c4d5e6f`: what a release is called. */
export const releaseIdOf = (version: string, manifestSha256: string): string =>
  `${version}+${manifestSha256.slice(0, 12)}`

/** @throws Refused record_missing, manifest_not_canonical, record_schema_invalid, record_unknown_field, record_chain_broken, record_release_mismatch */
export function openEvidence(folder: string): Evidence {
  const content = readBound(folder, manifestFile)
  const manifestSha256 = sha256(content)
  const manifest = shaped(manifestShape, readCanonical(content, manifestFile), 'manifest')
  const releaseId = releaseIdOf(manifest.version, manifestSha256)
  const records: StoredRecord[] = []
  for (const file of recordFiles(folder)) {
    const stored = readRecord(folder, file)
    checkPlace(stored, { releaseId, manifestSha256, before: records.at(-1) })
    records.push(stored)
  }
  return { folder, manifest, manifestSha256, releaseId, records }
}

interface Place {
  readonly releaseId: string
  readonly manifestSha256: string
  readonly before: StoredRecord | undefined
}

/** Where a record stands: in this release, one after the one before it, and naming it (EV5). */
function checkPlace({ record, file, kind }: StoredRecord, { releaseId, manifestSha256, before }: Place): void {
  const release = `${releaseId} of manifest ${manifestSha256}`
  const itsRelease = `${record.releaseId} of manifest ${record.manifestSha256}`
  refuseUnless(itsRelease === release, 'record_release_mismatch', {
    record: file,
    expected: release,
    actual: itsRelease,
  })
  const place = `${(before?.record.sequence ?? 0) + 1} after ${before?.sha256 ?? manifestSha256}`
  const itsPlace = `${record.sequence} after ${record.previous}`
  refuseUnless(itsPlace === place, 'record_chain_broken', { record: file, expected: place, actual: itsPlace })
  const named = recordFile(record.sequence, kind)
  refuseUnless(file === named, 'record_schema_invalid', { at: `records/${file}`, wanted: named })
}

/**
 * The policy of the folder, which is the one that the manifest names.
 *
 * @throws Refused record_missing, record_digest_mismatch, and what `readPolicy` refuses
 */
export function policyOf({ folder, manifest }: Evidence): ReadPolicy {
  const actual = sha256(readBound(folder, policyFile))
  refuseUnless(actual === manifest.policy.sha256, 'record_digest_mismatch', {
    path: policyFile,
    expected: manifest.policy.sha256,
    actual,
  })
  return readPolicy(join(folder, policyFile))
}

/** The records of a kind that passed, the last one last. */
export function passed<K extends RecordKind>({ records }: Evidence, kind: K): readonly StoredRecord<K>[] {
  return records.filter(
    (one): one is StoredRecord<K> & (typeof records)[number] => one.kind === kind && one.record.outcome === 'passed',
  )
}

/** What a stage tells its record. */
export interface Stage<K extends RecordKind> {
  readonly kind: K
  /** What it judges: record kind or file → sha256. */
  readonly inputs: Readonly<Record<string, string>>
}

/**
 * Carries out a stage and records how it ended, whatever the end: passed, refused, to be tried again, or our own fault. What
 * the work reports last stands in the record.
 *
 * @throws what the work throws, after the record is written
 */
export async function recorded<K extends RecordKind>(
  context: Context,
  evidence: Evidence,
  stage: Stage<K>,
  work: (report: (details: DetailsOf<K>) => void) => Promise<void>,
): Promise<StoredRecord> {
  const startedAt = context.now().toISOString()
  let details: DetailsOf<K> | null = null
  const end = (outcome: AnyRecord['outcome'], reason: string | null, facts: Facts) =>
    appendRecord(evidence.folder, stage.kind, {
      schema: `durable-workflow.release/${stage.kind}/v1`,
      releaseId: evidence.releaseId,
      manifestSha256: evidence.manifestSha256,
      inputs: stage.inputs,
      tool: context.tool,
      startedAt,
      endedAt: context.now().toISOString(),
      outcome,
      reason,
      facts,
      details,
    })
  try {
    await work((reported) => {
      details = reported
    })
  } catch (error) {
    if (error instanceof Refused) end(error.exit === 20 ? 'retry' : 'refused', error.code, error.facts)
    else end('fault', 'internal_fault', {})
    throw error
  }
  return end('passed', null, {})
}

/** The file appears whole, under a name that no record has yet. */
function appendRecord(folder: string, kind: RecordKind, body: Readonly<Record<string, unknown>>): StoredRecord {
  const { records, manifestSha256 } = openEvidence(folder)
  const sequence = records.length + 1
  const file = recordFile(sequence, kind)
  const whole: unknown = { ...body, sequence, previous: records.at(-1)?.sha256 ?? manifestSha256 }
  const content = canonicalText(shaped(recordOf(kind), whole, file))
  mkdirSync(join(folder, 'records'), { recursive: true })
  writeOnce(join(folder, 'records', file), content)
  withdrawIfContested(folder, file)
  return readRecord(folder, file)
}

/** EV3: another kind of record may have got the same number under another name. Each of two who see this loses. */
function withdrawIfContested(folder: string, file: string): void {
  const rivals = recordFiles(folder).filter((other) => other !== file && other.slice(0, 4) === file.slice(0, 4))
  if (rivals.length === 0) return
  rmSync(join(folder, 'records', file))
  throw new Error(`another program wrote ${rivals.join(', ')} while this one wrote ${file}; run it again`)
}

/** Writes a new file, durable and whole; one that is there is not touched. @throws Error EEXIST */
export function writeOnce(path: string, content: string | Uint8Array): void {
  const draft = draftOf(path)
  writeDurably(draft, content)
  try {
    linkSync(draft, path)
  } finally {
    rmSync(draft)
  }
}

/** Writes a file whole, over an older one: for what is no record (SHA256SUMS, the stable pointer). */
export function replaceFile(path: string, content: string): void {
  const draft = draftOf(path)
  writeDurably(draft, content)
  renameSync(draft, path)
}

const draftOf = (path: string): string => `${path}.${randomUUID()}${draftEnding}`

function writeDurably(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'wx')
  try {
    writeSync(file, typeof content === 'string' ? Buffer.from(content) : content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const recordFile = (sequence: number, kind: RecordKind): string => `${String(sequence).padStart(4, '0')}-${kind}.json`

function recordFiles(folder: string): readonly string[] {
  if (!existsSync(join(folder, 'records'))) return []
  const files = readdirSync(join(folder, 'records')).filter((file) => !file.endsWith(draftEnding)) // EV2
  return files.toSorted()
}

function readRecord(folder: string, file: string): StoredRecord {
  const kind = /^\d{4}-([a-z]+)\.json$/.exec(file)?.[1]
  refuseUnless(isRecordKind(kind), 'record_schema_invalid', {
    at: `records/${file}`,
    wanted: 'a name like 0001-reproduction.json',
  })
  const content = readBound(folder, `records/${file}`)
  const record = shaped(recordOf(kind), readCanonical(content, `records/${file}`), file)
  return { kind, record, file, sha256: sha256(content) }
}

function isRecordKind(text: string | undefined): text is RecordKind {
  return text !== undefined && Object.hasOwn(recordShapes, text)
}

function recordOf(kind: RecordKind): Shape<AnyRecord> {
  return recordShapes[kind]
}

/**
 * A text of the folder.
 *
 * @throws Refused record_missing; manifest_not_canonical where bytes are no UTF-8, since many such bytes read as one text
 */
export function readBound(folder: string, path: string): string {
  const file = join(folder, path)
  refuseUnless(isFile(file), 'record_missing', { path })
  const bytes = readFileSync(file)
  const content = bytes.toString('utf8')
  refuseUnless(Buffer.from(content).equals(bytes), 'manifest_not_canonical', { document: path })
  return content
}

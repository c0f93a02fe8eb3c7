// The ledger: which sets of versions were verified, in their order, and which were withdrawn. It only grows.
//
//   0001-tuple.json  0002-withdrawal.json …   chained: each names the sha256 of the one before
//   stable.json  rc.json  dev.json            the pointers of the channels; moved last
//   in-progress.json                          the one release that is between its approval and its tuple
//
// Owns:      the layout, the chain, appending one entry, the pointers, the mark.
// Does not:  judge whether a release deserves a tuple; that is `stages/`.
//
//   LG1  An entry is never changed and never removed; whoever does so breaks the chain or a pointer.
//   LG2  A pointer names a tuple by its digest, and never an older one than before.
//   LG3  One release at a time: the mark is a file that only one can make.
//   LG4  Two writers at once: at most one entry gets the next number, and the loser hears of it.
//
// Files of other names are none of ours: the folder may be a checkout of the branch that keeps it.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, type Json, readCanonical, sha256 } from './canonical.ts'
import { replaceFile, writeOnce } from './evidence.ts'
import { refuseUnless } from './guard.ts'
import { isFolder } from './kind-of-path.ts'
import {
  type Channel,
  mark,
  type Pointer,
  pointer as pointerShape,
  type Tuple,
  tuple,
  type Withdrawal,
  withdrawal,
} from './records/ledger.ts'
import { shaped } from './shape.ts'

interface Stored<K extends string, R> {
  readonly kind: K
  readonly record: R
  /** `0002-withdrawal.json` */
  readonly file: string
  readonly sha256: string
}

/** A tuple as it lies in the ledger. */
export type StoredTuple = Stored<'tuple', Tuple>
/** A withdrawal as it lies in the ledger. */
export type StoredWithdrawal = Stored<'withdrawal', Withdrawal>

/** An opened ledger; opened again it may have more entries. */
export interface Ledger {
  readonly folder: string
  /** In their order. */
  readonly entries: readonly (StoredTuple | StoredWithdrawal)[]
  readonly tuples: readonly StoredTuple[]
  readonly withdrawals: readonly StoredWithdrawal[]
  readonly pointers: readonly Pointer[]
}

const channels: readonly Channel[] = ['dev', 'rc', 'stable']
const markFile = 'in-progress.json'
const pointerFile = (channel: Channel) => `${channel}.json`

/**
 * Opens a ledger and checks forms, sequence, chain and pointers. An empty folder is a ledger without entries.
 *
 * @throws Refused record_missing where there is no folder, manifest_not_canonical, record_schema_invalid,
 * record_unknown_field, tuple_rollback, tuple_sequence_gap, record_chain_broken, tuple_mixed_set, record_digest_mismatch
 * @source release design §5.4
 */
export function openLedger(folder: string): Ledger {
  refuseUnless(isFolder(folder), 'record_missing', { path: folder })
  const entries: (StoredTuple | StoredWithdrawal)[] = []
  for (const file of entryFiles(folder)) {
    const entry = readEntry(folder, file)
    checkPlace(entry, entries.at(-1))
    entries.push(entry)
  }
  const tuples = entries.filter((one) => one.kind === 'tuple')
  const withdrawals = entries.filter((one) => one.kind === 'withdrawal')
  return { folder, entries, tuples, withdrawals, pointers: readPointers(folder, tuples) }
}

/** Where an entry stands: one after the one before it, and naming it (LG1). */
function checkPlace({ record, file }: StoredTuple | StoredWithdrawal, before: Ledger['entries'][number] | undefined) {
  const last = before?.record.sequence ?? 0
  refuseUnless(record.sequence > last, 'tuple_rollback', { entry: file, expected: last + 1, actual: record.sequence })
  refuseUnless(record.sequence <= last + 1, 'tuple_sequence_gap', {
    entry: file,
    expected: last + 1,
    actual: record.sequence,
  })
  const expected = before?.sha256 ?? null
  refuseUnless(record.previous === expected, 'record_chain_broken', { entry: file, expected, actual: record.previous })
}

const entryName = /^(\d{4,})-(tuple|withdrawal)\.json$/
const numberOf = (file: string): number => Number(entryName.exec(file)?.[1])

const entryFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => entryName.test(file))
    .toSorted((one, other) => numberOf(one) - numberOf(other) || (one < other ? -1 : 1))

function readEntry(folder: string, file: string): StoredTuple | StoredWithdrawal {
  const content = readFileSync(join(folder, file), 'utf8')
  const entry = parsedEntry(file, readCanonical(content, file), sha256(content))
  refuseUnless(entry.record.sequence === numberOf(file), 'record_schema_invalid', {
    at: `${file}.sequence`,
    wanted: `${numberOf(file)}, as its file is called`,
  })
  return entry
}

function parsedEntry(file: string, content: Json, digest: string): StoredTuple | StoredWithdrawal {
  if (file.endsWith('-withdrawal.json')) {
    return { kind: 'withdrawal', record: shaped(withdrawal, content, file), file, sha256: digest }
  }
  const record = shaped(tuple, content, file)
  checkOneSet(record, file)
  return { kind: 'tuple', record, file, sha256: digest }
}

/** All components of a tuple come from one release: one version, one commit. */
function checkOneSet({ version, components }: Tuple, file: string): void {
  const all = Object.entries(components)
  for (const [name, component] of all) {
    refuseUnless(component.version === version, 'tuple_mixed_set', {
      entry: file,
      package: name,
      expected: version,
      actual: component.version,
    })
    const commit = all[0]?.[1].commit ?? component.commit
    refuseUnless(component.commit === commit, 'tuple_mixed_set', {
      entry: file,
      package: name,
      expected: commit,
      actual: component.commit,
    })
  }
}

function readPointers(folder: string, tuples: readonly StoredTuple[]): readonly Pointer[] {
  return channels.flatMap((channel) => {
    const file = pointerFile(channel)
    if (!existsSync(join(folder, file))) return []
    const pointer = shaped(pointerShape, readCanonical(readFileSync(join(folder, file), 'utf8'), file), file)
    const meant = tuples.find(({ record }) => record.sequence === pointer.sequence && record.channel === channel)
    refuseUnless(meant !== undefined, 'record_missing', { path: file, tuple: pointer.sequence, channel })
    const expected = canonicalText(pointerTo(meant))
    refuseUnless(canonicalText(pointer) === expected, 'record_digest_mismatch', {
      path: file,
      expected: meant.sha256,
      actual: pointer.tupleSha256,
    })
    return [pointer]
  })
}

const pointerTo = ({ record, sha256: tupleSha256 }: StoredTuple): Pointer => ({
  schema: 'durable-workflow.release/pointer/v1',
  channel: record.channel,
  sequence: record.sequence,
  tupleSha256,
  version: record.version,
})

/** The number of the next entry and the digest it must name. */
export const nextPlace = ({ entries }: Ledger): { readonly sequence: number; readonly previous: string | null } => ({
  sequence: entries.length + 1,
  previous: entries.at(-1)?.sha256 ?? null,
})

/** Appends an entry that was made for `nextPlace`. @throws Error when another program was faster; run it again */
export function appendEntry(folder: string, record: Tuple | Withdrawal): Ledger {
  const name = record.schema === 'durable-workflow.release/tuple/v1' ? 'tuple' : 'withdrawal'
  const file = `${String(record.sequence).padStart(4, '0')}-${name}.json`
  writeOnce(join(folder, file), canonicalText(record))
  takeBackIfContested(folder, file)
  return openLedger(folder)
}

/** LG4: an entry of the other kind may have got the same number under its name. Each of two who see this loses. */
function takeBackIfContested(folder: string, file: string): void {
  const rivals = entryFiles(folder).filter((other) => other !== file && numberOf(other) === numberOf(file))
  if (rivals.length === 0) return
  rmSync(join(folder, file))
  throw new Error(`another program wrote ${rivals.join(', ')} while this one wrote ${file}; run it again`)
}

/** Points the channel of a tuple to it, unless it points to a later one already (LG2). */
export function movePointer({ folder, pointers }: Ledger, to: StoredTuple): void {
  const { channel, sequence } = to.record
  const now = pointers.find((one) => one.channel === channel)?.sequence ?? 0
  if (now < sequence) replaceFile(join(folder, pointerFile(channel)), canonicalText(pointerTo(to)))
}

/** The withdrawal of a release, if there is one. */
export const withdrawalOf = ({ withdrawals }: Ledger, releaseId: string): Withdrawal | undefined =>
  withdrawals.find(({ record }) => record.releaseId === releaseId)?.record

/** The id of the release that is in progress; null when there is none. @throws Refused manifest_not_canonical … */
export function releaseInProgress(folder: string): string | null {
  const path = join(folder, markFile)
  if (!existsSync(path)) return null
  return shaped(mark, readCanonical(readFileSync(path, 'utf8'), markFile), markFile).releaseId
}

/** Whether a release may be used. @throws Refused release_withdrawn */
export function refuseWithdrawn(ledger: Ledger, releaseId: string): void {
  const withdrawal = withdrawalOf(ledger, releaseId)
  refuseUnless(withdrawal === undefined, 'release_withdrawn', {
    release: releaseId,
    tuple: withdrawal?.tuple ?? null,
    reason: withdrawal?.reason ?? null,
    successor: withdrawal?.successor ?? null,
  })
}

/**
 * Marks a release as the one in progress, between its approval and its tuple (LG3). The same release may go on.
 *
 * @throws Refused release_in_progress while another release is in progress, release_withdrawn for one that was given up, and
 * what openLedger throws
 * @source release design §5.6, 4
 */
export function beginRelease(folder: string, releaseId: string): void {
  refuseWithdrawn(openLedger(folder), releaseId)
  const mine = canonicalText({ schema: 'durable-workflow.release/in-progress/v1', releaseId })
  try {
    writeOnce(join(folder, markFile), mine)
  } catch (error) {
    if (!isTaken(error)) throw error // there is a mark: whose it is, is asked below
  }
  const actual = releaseInProgress(folder)
  refuseUnless(actual === releaseId, 'release_in_progress', { ledger: folder, release: releaseId, actual })
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** Takes away the mark of this release; that of another one stays. */
export function endRelease(folder: string, releaseId: string): void {
  if (releaseInProgress(folder) === releaseId) rmSync(join(folder, markFile))
}

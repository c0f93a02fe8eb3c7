// Whether the lockfiles of a consumer hold what the pins say: every file, every entry, and all that is wrong with them.
import { posix } from 'node:path'
import { refuseUnless } from '../guard.ts'
import { type Ledger, withdrawalOf } from '../ledger.ts'
import { findLockfiles } from '../lockfiles/find.ts'
import { checkEntry, checkRange, type Qualified, type Standard } from '../lockfiles/judge.ts'
import { type Asked, type Lockfile, meantBy } from '../lockfiles/lockfile.ts'
import type { Manifest } from '../lockfiles/manifest.ts'
import { readLockfile, readManifest } from '../lockfiles/read.ts'
import { checkAgainstLedger } from '../pins.ts'
import type { Pins } from '../records/ledger.ts'
import { Refused } from '../refusal.ts'

/** A lockfile that was checked. */
export interface CheckedLockfile {
  /** Path relative to the folder. */
  readonly file: string
  readonly kind: Lockfile['kind']
  /** The version of its form: `3`, `9.0`. */
  readonly version: string
  /** Entries of pinned packages. */
  readonly entries: number
  /** `bytes`: each entry has the integrity of the pins · `versions`: this form has no digest of the tarball. */
  readonly compared: 'bytes' | 'versions'
}

/** What was looked at and what was found. */
export interface PinsReport {
  readonly lockfiles: readonly CheckedLockfile[]
  /** Every `package.json`, by its path relative to the folder. */
  readonly manifests: readonly string[]
  /** Folders that were not looked into: `node_modules`, `.git`, links. */
  readonly skipped: readonly string[]
  /** Empty when all is as the pins say. The first one is what `rel verify-pins` exits with. */
  readonly problems: readonly Refused[]
}

/** By what a folder is judged. */
export interface PinsRules {
  readonly pins: Pins
  /** Tells versions of other tuples and of none apart, and whether the pins were withdrawn; without it no other version is known. */
  readonly ledger?: Ledger
  /** Lets lockfiles of Yarn 2 and later pass by their versions alone; default false. */
  readonly allowChecksum?: boolean
}

/**
 * Checks every lockfile and every manifest below a folder against pins. It reads files only.
 *
 * Lockfiles: npm (2, 3), pnpm (6, 9), Yarn 1, Yarn 2 and later. Any other kind is a problem. An entry counts by what it is
 * installed as, by what it says it is and by its URL, so that neither an alias nor a nested copy is missed.
 *
 * @returns all problems, in the order of the files: pin_lockfile_unreadable, pin_range_not_exact, pin_missing,
 * pin_integrity_mismatch, pin_unqualified_version, tuple_mixed_set, release_withdrawn, record_missing, record_digest_mismatch
 * @throws Error when the folder cannot be read
 * @source release design §5.5; P-81
 */
export function verifyPins(folder: string, { pins, ledger, allowChecksum = false }: PinsRules): PinsReport {
  const { lockfiles, manifests, skipped } = findLockfiles(folder)
  const standard = standardOf(pins, ledger)
  const read = lockfiles.map((file) => attempt(file, () => readLockfile(folder, file)))
  const locked = read.flatMap(({ file, value }) => (value === null ? [] : [{ file, lockfile: value }]))
  const found = [
    ...(ledger === undefined ? [] : problemsIn(() => checkAgainstLedger(pins, ledger))),
    ...read.flatMap(({ problems }) => problems),
    ...locked.flatMap(({ file, lockfile }) => lockfileProblems(standard, file, lockfile, allowChecksum)),
    ...manifests.flatMap((file) => {
      const { value, problems } = attempt(file, () => readManifest(folder, file))
      return value === null ? problems : manifestProblems(standard, file, value, read)
    }),
  ]
  const checked = locked.map(({ file, lockfile }) => checkedOf(standard, file, lockfile))
  const problems = found.length > 0 ? found : problemsIn(() => refuseNothing(folder, checked))
  return { lockfiles: checked, manifests, skipped, problems }
}

/** A folder in which nothing is pinned was not meant: a check of nothing must not pass. */
function refuseNothing(folder: string, checked: readonly CheckedLockfile[]): void {
  const isAnyLocked = checked.some(({ entries }) => entries > 0)
  refuseUnless(isAnyLocked, 'pin_missing', {
    folder,
    lockfiles: checked.length,
    actual: 'no entry of a pinned package',
  })
}

/** A lockfile; null where it cannot be read, which is a problem of its own and hides no other. */
interface Read {
  readonly file: string
  readonly value: Lockfile | null
}

/** The refusals of a check, of which there is none or one. */
function problemsIn(check: () => void): readonly Refused[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof Refused) return [error]
    throw error
  }
}

function attempt<T>(file: string, read: () => T) {
  try {
    return { file, value: read(), problems: [] }
  } catch (error) {
    if (error instanceof Refused) return { file, value: null, problems: [error] }
    throw error
  }
}

function standardOf({ sequence, packages }: Pins, ledger: Ledger | undefined): Standard {
  const qualified = new Map<string, Qualified>()
  for (const { record } of ledger?.tuples ?? []) {
    const successor = ledger === undefined ? null : (withdrawalOf(ledger, record.releaseId)?.successor ?? null)
    for (const [name, { version }] of Object.entries(record.components)) {
      qualified.set(`${name}@${version}`, { tuple: record.sequence, successor })
    }
  }
  return {
    tuple: sequence,
    pins: new Map(Object.entries(packages)),
    qualified: (name, version) => qualified.get(`${name}@${version}`),
  }
}

function lockfileProblems(standard: Standard, file: string, lockfile: Lockfile, allowChecksum: boolean) {
  const rules = { file, digests: lockfile.digests, allowChecksum }
  return [
    ...lockfile.entries.flatMap((entry) =>
      entry.names.flatMap((name) => {
        const pin = standard.pins.get(name)
        return pin === undefined ? [] : problemsIn(() => checkEntry(standard, rules, entry, name, pin))
      }),
    ),
    ...lockfile.asked.flatMap((asked) => problemsIn(() => checkRange(standard, file, asked))),
  ]
}

function manifestProblems(standard: Standard, file: string, manifest: Manifest, read: readonly Read[]) {
  const covering = coveringOf(file, read)
  const inCatalog = covering.some(({ value }) => value?.kind === 'pnpm')
  const all = [...manifest.dependencies, ...manifest.overrides]
  return [
    // What a catalog says stands in the lockfile of pnpm, and is checked there.
    ...all
      .filter(({ range }) => !(inCatalog && range.startsWith('catalog:')))
      .flatMap((asked) => problemsIn(() => checkRange(standard, file, asked))),
    ...manifest.dependencies.flatMap((asked) => missing(standard, file, asked, covering)),
    ...problemsIn(() => refuseFork(standard, file, manifest, covering)),
  ]
}

/** Yarn 1 links a folder of a workspace that has the name and the version, and writes no entry for it. */
function refuseFork({ pins }: Standard, file: string, { name }: Manifest, covering: readonly Read[]): void {
  const pin = name === null ? undefined : pins.get(name)
  if (name === null || pin === undefined) return
  const isTold = covering.every(({ value }) => value?.members !== null)
  refuseUnless(isTold, 'pin_missing', {
    file,
    entry: 'name',
    package: name,
    expected: pin.integrity,
    actual: 'a folder of this name, which Yarn 1 would link without an entry',
  })
}

/** The lockfiles of the nearest folder upwards that has any. */
function coveringOf(file: string, read: readonly Read[]): readonly Read[] {
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    const here = read.filter((one) => posix.dirname(one.file) === folder)
    if (here.length > 0 || folder === '.') return here
  }
}

/** A pinned package that a manifest asks for stands in each lockfile that covers it. */
function missing(standard: Standard, file: string, { at, name, range }: Asked, covering: readonly Read[]) {
  const wanted = standard.pins.has(name) ? name : meantBy(name, range).name
  const pin = standard.pins.get(wanted)
  if (pin === undefined) return []
  const facts = { file, entry: `${at} ${name}`, package: wanted, expected: pin.version }
  return [
    ...problemsIn(() =>
      refuseUnless(covering.length > 0, 'pin_missing', { ...facts, actual: 'no lockfile covers it' }),
    ),
    ...covering.flatMap((one) =>
      problemsIn(() => {
        const isLocked = one.value === null || isLockedIn(one.value, folderFrom(one.file, file), wanted)
        refuseUnless(isLocked, 'pin_missing', { ...facts, actual: `no entry in ${one.file}` })
      }),
    ),
  ]
}

const isLockedIn = ({ members, entries }: Lockfile, member: string, name: string): boolean =>
  (members === null || members.has(member)) && entries.some(({ names }) => names.includes(name))

/** The folder of a manifest, as a lockfile names its members. */
const folderFrom = (lockfile: string, manifest: string): string =>
  posix.relative(posix.dirname(lockfile), posix.dirname(manifest)) || '.'

function checkedOf({ pins }: Standard, file: string, { kind, version, entries, digests }: Lockfile): CheckedLockfile {
  const pinned = entries.filter(({ names }) => names.some((name) => pins.has(name)))
  return { file, kind, version, entries: pinned.length, compared: digests === 'tarball' ? 'bytes' : 'versions' }
}

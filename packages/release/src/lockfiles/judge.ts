// What the pins allow: a version, a range, an entry of a lockfile. Pure; one refusal for one thing.
import { refuseUnless } from '../guard.ts'
import { type Asked, isExact, type LockedEntry, type Lockfile, meantBy } from './lockfile.ts'

/** What a package must be. */
export interface Pin {
  readonly version: string
  readonly integrity: string
}

/** What is known of versions. */
export interface Standard {
  /** Sequence of the tuple of the pins. */
  readonly tuple: number
  readonly pins: ReadonlyMap<string, Pin>
  /** The tuple of the ledger that has this version of this package. */
  qualified(name: string, version: string): Qualified | undefined
}

/** A tuple, and whether it was withdrawn. */
export interface Qualified {
  readonly tuple: number
  /** Version to move to; null when it was not withdrawn. */
  readonly successor: string | null
}

/** Where something stands: the file, and the place in it. */
export interface Place {
  readonly file: string
  readonly entry: string
}

/** @throws Refused pin_unqualified_version, release_withdrawn, tuple_mixed_set */
export function checkVersion(standard: Standard, place: Place, name: string, pin: Pin, actual: string): void {
  if (actual === pin.version) return
  const facts = { ...place, package: name, expected: pin.version, actual }
  const other = standard.qualified(name, actual)
  refuseUnless(other !== undefined, 'pin_unqualified_version', facts)
  refuseUnless(other.successor === null, 'release_withdrawn', {
    ...facts,
    tuple: other.tuple,
    successor: other.successor ?? '',
  })
  refuseUnless(other.tuple === standard.tuple, 'tuple_mixed_set', { ...facts, tuple: other.tuple })
}

/**
 * An entry of a pinned package: its version, and that its bytes are those of the pins.
 *
 * @param allowChecksum  whether Yarn's own checksums, which tell nothing of the tarball, are let be
 * @throws Refused pin_integrity_mismatch, pin_missing, and what checkVersion throws
 */
export function checkEntry(
  standard: Standard,
  { file, digests, allowChecksum }: { file: string; digests: Lockfile['digests']; allowChecksum: boolean },
  { at: entry, version, integrity, source, altered }: LockedEntry,
  name: string,
  pin: Pin,
): void {
  const facts = { file, entry, package: name, expected: pin.integrity }
  refuseUnless(altered === null, 'pin_integrity_mismatch', { ...facts, actual: altered ?? '' })
  if (version !== null) checkVersion(standard, { file, entry }, name, pin, version)
  refuseUnless(integrity !== null, 'pin_missing', { ...facts, actual: source })
  if (digests === 'own') {
    refuseUnless(allowChecksum, 'pin_missing', {
      ...facts,
      actual: `checksum ${integrity}`,
      hint: 'this is a digest of Yarn’s own archive; --allow-checksum compares versions only',
    })
  } else {
    refuseUnless(isOf(integrity, pin.integrity), 'pin_integrity_mismatch', { ...facts, actual: integrity })
  }
}

/** Several digests may stand in one text, and any of the strongest is taken at install: none may be another's. */
function isOf(text: string, integrity: string): boolean {
  const strongest = text.split(/\s+/).filter((one) => one.startsWith('sha512-'))
  return strongest.length > 0 && strongest.every((one) => one === integrity)
}

/**
 * What a manifest asks for: exactly the pinned version, under its own name or another.
 *
 * @throws Refused pin_range_not_exact, and what checkVersion throws
 */
export function checkRange(standard: Standard, file: string, { at, name, range }: Asked): void {
  const meant = meantBy(name, range)
  const own = standard.pins.get(name)
  const pin = standard.pins.get(meant.name) ?? own
  if (pin === undefined) return
  // Under a pinned name another package would be loaded: then the whole range is what is told.
  const actual = own !== undefined && meant.name !== name ? range : meant.range
  const about = own === undefined ? meant.name : name
  const place = { file, entry: `${at} ${name}` }
  refuseUnless(isExact(actual), 'pin_range_not_exact', { ...place, package: about, expected: pin.version, actual })
  checkVersion(standard, place, about, pin, actual)
}

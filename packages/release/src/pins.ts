import { readFileSync } from 'node:fs'
import { canonicalText, readCanonical } from './canonical.ts'
import { refuseUnless } from './guard.ts'
import { isFile } from './kind-of-path.ts'
import { type Ledger, refuseWithdrawn, type StoredTuple } from './ledger.ts'
import { type Pins, pins as pinsShape } from './records/ledger.ts'
import { shaped } from './shape.ts'

/** The file that a consumer keeps beside its lockfiles. */
export const pinsFile = 'release.pins.json'

/** The pins of a tuple: equal tuples give equal bytes. */
export const pinsOf = ({ record, sha256: tupleSha256 }: StoredTuple): Pins => ({
  schema: 'durable-workflow.release/pins/v1',
  sequence: record.sequence,
  tupleSha256,
  releaseId: record.releaseId,
  packages: Object.fromEntries(
    Object.entries(record.components).map(([name, { version, sha512 }]) => [name, { version, integrity: sha512 }]),
  ),
})

/**
 * Reads pins. All packages of pins have the version of their release.
 *
 * @throws Refused record_missing, manifest_not_canonical, record_schema_invalid, record_unknown_field, tuple_mixed_set
 */
export function readPins(file: string): Pins {
  refuseUnless(isFile(file), 'record_missing', { path: file })
  const pins = shaped(pinsShape, readCanonical(readFileSync(file, 'utf8'), file), file)
  const version = pins.releaseId.replace(/\+.*$/, '')
  for (const [name, one] of Object.entries(pins.packages)) {
    refuseUnless(one.version === version, 'tuple_mixed_set', {
      path: file,
      package: name,
      expected: version,
      actual: one.version,
    })
  }
  return pins
}

/**
 * Whether these are the pins of a tuple of this ledger, and the tuple may still be used.
 *
 * @throws Refused record_missing, record_digest_mismatch, release_withdrawn
 */
export function checkAgainstLedger(pins: Pins, ledger: Ledger): void {
  const tuple = ledger.tuples.find(({ record }) => record.sequence === pins.sequence)
  refuseUnless(tuple !== undefined, 'record_missing', { path: ledger.folder, tuple: pins.sequence })
  refuseUnless(canonicalText(pinsOf(tuple)) === canonicalText(pins), 'record_digest_mismatch', {
    path: pinsFile,
    tuple: pins.sequence,
    expected: tuple.sha256,
    actual: pins.tupleSha256,
  })
  refuseWithdrawn(ledger, pins.releaseId)
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, type Json, readCanonical } from '../canonical.ts'
import { type Evidence, passed, readBound, tupleFile } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { fulfilled } from '../pipeline.ts'
import { tuple as tupleShape } from '../records/ledger.ts'
import { type RecordKind, recordShapes } from '../records/records.ts'
import { shaped } from '../shape.ts'

/**
 * The copy of the ledger's entry says of the release what the manifest and the records say.
 *
 * @returns whether there is one
 * @throws Refused tuple_not_verified, record_release_mismatch, record_digest_mismatch, and what reading a document refuses
 */
export function checkTuple(evidence: Evidence): boolean {
  if (!existsSync(join(evidence.folder, tupleFile))) return false
  const { manifest, releaseId } = evidence
  const tuple = shaped(tupleShape, readCanonical(readBound(evidence.folder, tupleFile), tupleFile), tupleFile)
  const readback = fulfilled(evidence, 'readback')?.record.details ?? null
  refuseUnless(readback !== null, 'tuple_not_verified', { document: tupleFile, release: releaseId })
  const expected: Readonly<Record<string, Json>> = {
    releaseId,
    version: manifest.version,
    channel: manifest.channel,
    registry: readback.registry,
    protocol: manifest.protocol.lines,
    compatibility: manifest.compatibility,
    components: Object.fromEntries(
      manifest.packages.map(({ name, version, file: { sha256, sha512 }, identity }) => [
        name,
        { version, commit: identity.gitHead, sha256, sha512 },
      ]),
    ),
  }
  const said: Readonly<Record<string, Json>> = tuple
  for (const [field, value] of Object.entries(expected)) {
    const isSame = canonicalText(said[field] ?? null) === canonicalText(value)
    refuseUnless(isSame, 'record_release_mismatch', { document: tupleFile, field })
  }
  checkEvidence(evidence, tuple.evidence)
  return true
}

/** The tuple names every stage, by a record that passed. */
function checkEvidence(evidence: Evidence, named: Readonly<Record<string, string>>): void {
  const kinds = Object.keys(recordShapes).filter((kind): kind is RecordKind => Object.hasOwn(recordShapes, kind))
  const digests = new Map<string, readonly string[]>([
    ['manifest', [evidence.manifestSha256]],
    ...kinds.map((kind): [string, readonly string[]] => [kind, passed(evidence, kind).map(({ sha256 }) => sha256)]),
  ])
  for (const stage of new Set([...digests.keys(), ...Object.keys(named)])) {
    const expected = digests.get(stage) ?? []
    const actual = named[stage] ?? 'none'
    refuseUnless(expected.includes(actual), 'record_digest_mismatch', {
      document: tupleFile,
      stage,
      expected,
      actual,
    })
  }
}

import { type Fields, fieldsOf, listOf, parsedJson, textOf } from '../fields.ts'
import { refuseUnless } from '../guard.ts'

const provenance = 'https://slsa.dev/provenance/v1'

/** What an attestation must speak of. */
export interface Attested {
  readonly name: string
  /** `sha512-…` of the tarball. */
  readonly sha512: string
  readonly commit: string
}

/**
 * Checks that a version's provenance is about this file and this commit. The signature of its envelope is not verified here:
 * this tells what the attestation says, not who said it.
 *
 * @param answer what the registry's attestation route gave; null where it has none
 * @returns the commit that it names
 * @throws Refused attestation_missing, attestation_subject_mismatch, attestation_commit_mismatch
 * @source in-toto Statement v1, SLSA provenance v1; P-75
 */
export function checkAttestation(answer: Fields | null, { name, sha512, commit }: Attested): string {
  const statement = statementOf(answer)
  refuseUnless(statement !== null, 'attestation_missing', { package: name, expected: provenance })
  const expected = Buffer.from(sha512.replace(/^sha512-/, ''), 'base64').toString('hex')
  const subjects = listOf(statement.subject).map((one) => textOf(fieldsOf(fieldsOf(one).digest).sha512) ?? 'none')
  refuseUnless(subjects.includes(expected), 'attestation_subject_mismatch', {
    package: name,
    expected,
    actual: subjects,
  })
  const definition = fieldsOf(fieldsOf(statement.predicate).buildDefinition)
  const commits = listOf(definition.resolvedDependencies).map(
    (one) => textOf(fieldsOf(fieldsOf(one).digest).gitCommit) ?? 'none',
  )
  refuseUnless(commits.includes(commit), 'attestation_commit_mismatch', {
    package: name,
    expected: commit,
    actual: commits,
  })
  return commit
}

/** The statement inside the envelope of the provenance; null where there is none of that form. */
function statementOf(answer: Fields | null): Fields | null {
  const found = listOf(answer?.attestations)
    .map(fieldsOf)
    .find((one) => one.predicateType === provenance)
  const envelope = fieldsOf(fieldsOf(found?.bundle).dsseEnvelope)
  if (envelope.payloadType !== 'application/vnd.in-toto+json') return null
  return parsedJson(Buffer.from(textOf(envelope.payload) ?? '', 'base64').toString('utf8'))
}

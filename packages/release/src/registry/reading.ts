// The full read-back of one version: what the registry tells, what it serves, and that it says the same twice.
import { join } from 'node:path'
import { type ArchiveLimits, readArchive } from '../archive/read.ts'
import { parsedJson } from '../fields.ts'
import { refuseUnless } from '../guard.ts'
import { inOwnFolder } from '../own-folder.ts'
import type { PackageEntry } from '../records/manifest.ts'
import { checkAttestation } from './attestation.ts'
import { describedOtherwise } from './described.ts'
import type { Downloaded, PublishedVersion, Registry } from './registry.ts'

/** What must be found; null where whoever asks does not know it (a tuple has fewer digests than a manifest). */
export interface Expected {
  readonly name: string
  readonly version: string
  readonly commit: string
  readonly sha256: string
  readonly sha512: string
  readonly sha1: string | null
  readonly unpacked: { readonly bytes: number; readonly files: number } | null
}

/** How it is judged. */
export interface Judging {
  readonly limits: ArchiveLimits
  readonly attestation: 'none' | 'required'
}

/** What was found. */
export interface Found {
  readonly size: number
  readonly sha1: string
  /** Commit of the attestation; null where none is asked for. */
  readonly attestationCommit: string | null
}

/** What a manifest expects of a registry. */
export const expectedOf = ({ name, version, identity, file, files }: PackageEntry): Expected => ({
  name,
  version,
  commit: identity.gitHead,
  sha256: file.sha256,
  sha512: file.sha512,
  sha1: file.sha1,
  unpacked: { bytes: files.reduce((total, { size }) => total + size, 0), files: files.length },
})

/**
 * Reads one version back and judges it. Nothing that the registry says stands in for what was accepted: a forgery that agrees
 * with itself differs from `expected` all the same.
 *
 * @throws Refused readback_absent; readback_deprecated, readback_metadata_mismatch, readback_git_head_mismatch,
 * readback_tarball_origin_mismatch, readback_bytes_mismatch, readback_manifest_confusion, attestation_…,
 * readback_inconsistent; and what asking may throw
 * @source release design §5.2 stage 7; P-66 to P-77
 */
export const readVersion = (registry: Registry, expected: Expected, judging: Judging): Promise<Found> =>
  inOwnFolder('readback-', async (folder) => {
    const first = await reading(registry, expected, judging, join(folder, 'first.tgz'))
    judgeMetadata(first.published, expected)
    judgeBytes(first.bytes, expected)
    await judgeDescription(first.published, expected, join(folder, 'first.tgz'), judging.limits)
    const attestationCommit = judging.attestation === 'none' ? null : await judgeAttestation(registry, first, expected)
    const second = await reading(registry, expected, judging, join(folder, 'second.tgz'))
    const [one, other] = [first, second].map(summaryOf)
    refuseUnless(one === other, 'readback_inconsistent', {
      package: expected.name,
      first: first.bytes.sha256,
      second: second.bytes.sha256,
    })
    return { size: first.bytes.size, sha1: first.bytes.sha1, attestationCommit }
  })

interface Reading {
  readonly published: PublishedVersion
  readonly bytes: Downloaded
}

async function reading(registry: Registry, expected: Expected, judging: Judging, file: string): Promise<Reading> {
  const { name, version } = expected
  const packument = await registry.packument(name)
  refuseUnless(packument?.wasUnpublished(version) !== true, 'readback_deprecated', {
    package: name,
    version,
    actual: 'unpublished',
  })
  const published = packument?.version(version) ?? null
  refuseUnless(published !== null, 'readback_absent', { package: name, version, missing: 'packument' })
  refuseUnless(published.tarball !== null, 'readback_answer_unreadable', { package: name, missing: 'dist.tarball' })
  const bytes = await registry.tarball(published.tarball, file, judging.limits.packedBytes)
  refuseUnless(bytes !== null, 'readback_absent', { package: name, version, missing: 'tarball' })
  return { published, bytes }
}

const summaryOf = ({ published, bytes }: Reading): string => JSON.stringify([published, bytes])

function judgeMetadata(published: PublishedVersion, expected: Expected): void {
  const { name, version, unpacked } = expected
  refuseUnless(published.deprecated === null, 'readback_deprecated', {
    package: name,
    version,
    actual: published.deprecated,
  })
  // Not every registry tells sizes, and a tuple knows none; where both are there, they agree.
  const known = (wanted: number | undefined, actual: number | null) => (actual === null ? null : (wanted ?? actual))
  const told = [
    { field: 'dist.integrity', wanted: expected.sha512, actual: published.integrity },
    { field: 'dist.shasum', wanted: expected.sha1 ?? published.shasum, actual: published.shasum },
    {
      field: 'dist.unpackedSize',
      wanted: known(unpacked?.bytes, published.unpackedSize),
      actual: published.unpackedSize,
    },
    { field: 'dist.fileCount', wanted: known(unpacked?.files, published.fileCount), actual: published.fileCount },
  ]
  const wrong = told.find(({ wanted, actual }) => wanted !== actual)
  refuseUnless(wrong === undefined, 'readback_metadata_mismatch', {
    package: name,
    field: wrong?.field ?? '',
    expected: wrong?.wanted ?? null,
    actual: wrong?.actual ?? null,
  })
  refuseUnless(published.gitHead === expected.commit, 'readback_git_head_mismatch', {
    package: name,
    expected: expected.commit,
    actual: published.gitHead,
  })
}

function judgeBytes(bytes: Downloaded, expected: Expected): void {
  refuseUnless(bytes.sha256 === expected.sha256, 'readback_bytes_mismatch', {
    package: expected.name,
    expected: expected.sha256,
    actual: bytes.sha256,
    size: bytes.size,
  })
}

/** The packed manifest against what the registry tells of it: installers act upon the latter. */
async function judgeDescription(
  { manifest }: PublishedVersion,
  { name }: Expected,
  file: string,
  limits: ArchiveLimits,
): Promise<void> {
  const { kept } = await readArchive(file, { limits, keep: (path) => path === 'package.json' })
  const packed = parsedJson(Buffer.from(kept.get('package.json') ?? []).toString('utf8'))
  const fields = describedOtherwise(packed ?? {}, manifest)
  refuseUnless(fields.length === 0, 'readback_manifest_confusion', { package: name, fields })
}

async function judgeAttestation(registry: Registry, { published }: Reading, expected: Expected): Promise<string> {
  const answer = published.attestations === null ? null : await registry.attestations(published.attestations)
  return checkAttestation(answer, expected)
}

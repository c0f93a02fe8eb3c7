import { refuseUnless } from '../guard.ts'
import type { FileEntry, PackageEntry } from '../records/manifest.ts'
import type { ReadArchive } from './read.ts'
import { stateOfFile } from './tree.ts'

/**
 * Compares a tarball with what the manifest binds of it: its files first, then how they are encoded, so that a refusal says
 * whether contents moved.
 *
 * @throws Refused file_missing, file_extra, file_content_mismatch (mode and size count as content), archive_encoding_drift
 *   (another order or other times), archive_sha256_mismatch (only the compression differs), record_digest_mismatch (a digest of
 *   the entry itself is wrong)
 * @source release design §5.1
 */
export function comparePackage(entry: PackageEntry, read: ReadArchive): void {
  compareFiles(entry, read.files)
  const { file, name } = entry
  const drift = { package: name, contents: 'equal', expected: file.sha256, actual: read.sha256 } as const
  // An entry with the right sha256 and another tarSha256 contradicts itself; that is told below.
  const isSameTar = read.sha256 === file.sha256 || read.tarSha256 === file.tarSha256
  refuseUnless(isSameTar, 'archive_encoding_drift', drift)
  refuseUnless(read.sha256 === file.sha256, 'archive_sha256_mismatch', { ...drift, drift: 'archive_encoding_drift' })
  for (const digest of ['size', 'sha512', 'sha1', 'tarSha256', 'treeSha256'] as const) {
    const [expected, actual] = [file[digest], read[digest]]
    refuseUnless(expected === actual, 'record_digest_mismatch', { package: name, digest, expected, actual })
  }
}

function compareFiles({ name, files: bound }: PackageEntry, files: readonly FileEntry[]): void {
  const present = new Map(files.map((one) => [one.path, one]))
  const expected = new Set(bound.map(({ path }) => path))
  for (const { path } of bound) refuseUnless(present.has(path), 'file_missing', { package: name, path })
  for (const { path } of files) refuseUnless(expected.has(path), 'file_extra', { package: name, path })
  for (const one of bound) {
    const other = present.get(one.path)
    const [wanted, actual] = [stateOfFile(one), other === undefined ? 'nothing' : stateOfFile(other)]
    refuseUnless(wanted === actual, 'file_content_mismatch', {
      package: name,
      path: one.path,
      expected: wanted,
      actual,
    })
  }
}

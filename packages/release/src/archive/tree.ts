import { createHash } from 'node:crypto'
import type { FileEntry } from '../records/manifest.ts'

/** By the bytes of their paths. */
export const sortedFiles = (files: readonly FileEntry[]): FileEntry[] =>
  files.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))

/** `0644 12 9f86d0…`: all that is bound of a file besides its path. */
export const stateOfFile = ({ mode, size, sha256 }: FileEntry): string => `${mode} ${size} ${sha256}`

/**
 * One digest of all files, wherever they lie: sha256 over lines `mode SP size SP sha256 SP path LF` in byte order of the paths.
 *
 * @source release design §5.3
 */
export function treeSha256Of(files: readonly FileEntry[]): string {
  const digest = createHash('sha256')
  for (const file of sortedFiles(files)) digest.update(`${stateOfFile(file)} ${file.path}\n`)
  return digest.digest('hex')
}

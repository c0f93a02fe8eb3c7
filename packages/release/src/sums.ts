import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { draftEnding, replaceFile } from './evidence.ts'

/** The file that binds all others of an evidence folder, for people who have only `sha256sum`. */
export const sumsFile = 'SHA256SUMS'

/** Writes SHA256SUMS anew over every other file of the folder; `sha256sum -c SHA256SUMS` accepts it there. */
export function writeSums(folder: string): void {
  const bound = filesBelow(folder).filter((path) => path !== sumsFile && !path.endsWith(draftEnding))
  replaceFile(join(folder, sumsFile), bound.map((path) => sumLine(path, sha256OfFile(join(folder, path)))).join(''))
}

/** Works in an evidence folder; SHA256SUMS is written anew afterwards, however the work ends, for it may have left a record. */
export async function keepingSums<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    writeSums(folder)
  }
}

/** One line: the digest in hex, two spaces, the path from the folder. */
export const sumLine = (path: string, digest: string): string => `${digest}  ${path}\n`

/** Paths of all that is no folder, with strokes, in the order of their UTF-16 units. */
export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map((one) => relative(folder, join(one.parentPath, one.name)).split(sep).join('/'))
    .toSorted()

/** Hex sha256 of a file of any size, read in pieces. */
export function sha256OfFile(path: string): string {
  const digest = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    readWhole(file, digest)
  } finally {
    closeSync(file)
  }
  return digest.digest('hex')
}

function readWhole(file: number, digest: Hash): void {
  const piece = Buffer.alloc(1024 * 1024)
  let length = readSync(file, piece)
  while (length > 0) {
    digest.update(piece.subarray(0, length))
    length = readSync(file, piece)
  }
}

// Reads a packed package from its file in one pass: strict, bounded, and with every digest that a manifest binds.
//
//   AR1  What is read is never more than the limits allow, packed or unpacked, whatever the headers say.
//   AR2  A tarball that two readers could take differently is refused, not interpreted.
//   AR3  Nothing is unpacked; contents are kept only of files that the caller names.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { refuseUnless } from '../guard.ts'
import type { FileEntry } from '../records/manifest.ts'
import { readGzip } from './gzip.ts'
import { clashAmong, dangerOf } from './paths.ts'
import { shown } from './shown.ts'
import { type Member, tarReader } from './tar.ts'
import { sortedFiles, treeSha256Of } from './tree.ts'

/** Bounds of what is read; the policy has them. */
export interface ArchiveLimits {
  readonly packedBytes: number
  /** Of the whole archive: headers and padding, too. */
  readonly unpackedBytes: number
  readonly files: number
}

/** How a tarball is read. */
export interface ReadOptions {
  readonly limits: ArchiveLimits
  /** Whether the content of a file is kept in memory; of none unless given. */
  readonly keep?: (path: string) => boolean
  /** Who looks at the content of a file as it comes, if anybody. */
  readonly scan?: (path: string) => ((piece: Uint8Array) => void) | undefined
}

/** A tarball that was read whole. */
export interface ReadArchive {
  /** Bytes of the file. */
  readonly size: number
  readonly sha256: string
  /** `sha512-…` */
  readonly sha512: string
  readonly sha1: string
  /** Of the uncompressed archive. */
  readonly tarSha256: string
  readonly treeSha256: string
  /** Sorted by the bytes of their paths, which are without `package/`. */
  readonly files: readonly FileEntry[]
  /** Path → content, of the files that were to be kept. */
  readonly kept: ReadonlyMap<string, Uint8Array>
}

const root = 'package/'
const pieceBytes = 64 * 1024
const modes: ReadonlyMap<number, FileEntry['mode']> = new Map([
  [0o644, '0644'],
  [0o755, '0755'],
])

/**
 * Reads and judges a tarball.
 *
 * @throws Refused archive_malformed, archive_trailing_data, archive_too_large, archive_not_canonical, archive_link_member,
 *   archive_member_unsupported, archive_unsafe_path, archive_multiple_roots, archive_mode_unexpected, archive_duplicate_member
 * @throws Error of the file system when the file cannot be read
 * @source release design §5.1, §5.3
 */
export async function readArchive(file: string, options: ReadOptions): Promise<ReadArchive> {
  const handle = await open(file)
  try {
    const packed = packedFile(handle, options.limits)
    const unpacked = unpackedArchive(options)
    await readGzip(packed.pieces(), unpacked.take)
    return { ...packed.digests(), ...unpacked.end() }
  } finally {
    await handle.close()
  }
}

/** The file as it is: its pieces, and after the last of them its digests. */
function packedFile(handle: FileHandle, limits: ArchiveLimits) {
  const [sha256, sha512, sha1] = [createHash('sha256'), createHash('sha512'), createHash('sha1')]
  let size = 0
  return {
    async *pieces(): AsyncGenerator<Uint8Array> {
      const room = Buffer.allocUnsafe(pieceBytes)
      for (;;) {
        const piece = await nextPiece(handle, room)
        if (piece.length === 0) return
        size += piece.length
        refuseUnless(size <= limits.packedBytes, 'archive_too_large', { limit: limits.packedBytes, of: 'packed bytes' })
        for (const digest of [sha256, sha512, sha1]) digest.update(piece)
        yield piece
      }
    },
    digests: () => ({
      size,
      sha256: sha256.digest('hex'),
      sha512: `sha512-${sha512.digest('base64')}`,
      sha1: sha1.digest('hex'),
    }),
  }
}

/** Full pieces, but for the last: a read may give less than was asked for. A piece is valid until the next one. */
async function nextPiece(handle: FileHandle, room: Buffer): Promise<Uint8Array> {
  let filled = 0
  while (filled < room.length) {
    const { bytesRead } = await handle.read(room, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return room.subarray(0, filled)
}

/** The archive inside: what it holds, and its digests. */
function unpackedArchive({ limits, keep, scan }: ReadOptions) {
  const tarSha256 = createHash('sha256')
  const files: FileEntry[] = []
  const kept = new Map<string, Uint8Array>()
  let size = 0
  const archive = tarReader((member) => {
    refuseUnless(files.length < limits.files, 'archive_too_large', { limit: limits.files, of: 'files' })
    const { path, mode } = judged(member)
    const sha256 = createHash('sha256')
    const pieces: Uint8Array[] | null = keep?.(path) === true ? [] : null
    const look = scan?.(path)
    return {
      piece(bytes) {
        sha256.update(bytes)
        pieces?.push(bytes)
        look?.(bytes)
      },
      end() {
        files.push({ path, size: member.size, mode, sha256: sha256.digest('hex') })
        if (pieces !== null) kept.set(path, Buffer.concat(pieces))
      },
    }
  })
  return {
    take(piece: Uint8Array) {
      size += piece.length
      refuseUnless(size <= limits.unpackedBytes, 'archive_too_large', {
        limit: limits.unpackedBytes,
        of: 'unpacked bytes',
      })
      tarSha256.update(piece)
      archive.take(piece)
    },
    end() {
      archive.end()
      const clash = clashAmong(files.map(({ path }) => path))
      refuseUnless(clash.length === 0, 'archive_duplicate_member', { paths: clash })
      const sorted = sortedFiles(files)
      return { tarSha256: tarSha256.digest('hex'), treeSha256: treeSha256Of(sorted), files: sorted, kept }
    },
  }
}

function judged({ path: bytes, mode: bits }: Member): Pick<FileEntry, 'path' | 'mode'> {
  const path = Buffer.from(bytes).toString()
  const danger = dangerOf(bytes)
  refuseUnless(danger === null, 'archive_unsafe_path', { path: shown(path), danger })
  refuseUnless(path.startsWith(root), 'archive_multiple_roots', { path, root })
  const mode = modes.get(bits)
  refuseUnless(mode !== undefined, 'archive_mode_unexpected', { path, actual: bits.toString(8).padStart(4, '0') })
  return { path: path.slice(root.length), mode }
}

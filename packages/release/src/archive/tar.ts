// Reads an archive as it comes, piece by piece: headers, contents, padding, end. It holds one block and one extended header.
import { refuseUnless } from '../guard.ts'
import { blockBytes, type Header, readHeader } from './header.ts'
import { agreedPath, type Pax, paxBytesMax, readPax } from './pax.ts'

/** A plain file of an archive. */
export interface Member {
  /** As it stands there; neither checked nor known to be text. */
  readonly path: Uint8Array
  readonly mode: number
  /** Bytes. */
  readonly size: number
}

/** Takes the content of one member. */
export interface MemberSink {
  piece(bytes: Uint8Array): void
  end(): void
}

/** An archive is given to it in pieces, then its end. */
export interface TarReader {
  /** @throws Refused with an archive_… code, and whatever `begin` throws */
  take(bytes: Uint8Array): void
  /** @throws Refused archive_malformed */
  end(): void
}

/** Takes some of the bytes and answers how many; none only where another phase begins. */
type Phase = (bytes: Uint8Array) => number

const zeros: Readonly<Buffer> = Buffer.alloc(64 * 1024)

/** @param begin  called for each member, in order */
export function tarReader(begin: (member: Member) => MemberSink): TarReader {
  let phase: Phase = header()
  let pax: Pax | undefined
  let zerosAtEnd = 0

  /** A whole block; a block of zeros is the first of the end. */
  function header(): Phase {
    return gather(blockBytes, (block) => {
      const isEnd = isZero(block)
      const header = isEnd ? undefined : readHeader(block)
      refuseUnless(pax === undefined || header?.type === 'file', 'archive_not_canonical', {
        at: 'an extended header',
        followedBy: header?.type ?? 'the end',
      })
      if (header === undefined) {
        zerosAtEnd = blockBytes
        return end
      }
      return header.type === 'pax' ? extended(header) : file(header)
    })
  }

  function extended({ size }: Header): Phase {
    refuseUnless(size <= paxBytesMax, 'archive_not_canonical', {
      at: 'an extended header',
      bytes: size,
      limit: paxBytesMax,
    })
    return gather(size, (content) => {
      pax = readPax(content)
      return padding(size)
    })
  }

  function file(header: Header): Phase {
    const path = agreedPath(header, pax ?? {})
    pax = undefined
    const { mode, size } = header
    const sink = begin({ path, mode, size })
    return content(size, sink)
  }

  function content(size: number, sink: MemberSink): Phase {
    let left = size
    const finish = () => {
      sink.end()
      return padding(size)
    }
    if (!(left > 0)) return finish()
    return (bytes) => {
      const piece = bytes.subarray(0, left)
      sink.piece(piece)
      left -= piece.length
      if (left === 0) phase = finish()
      return piece.length
    }
  }

  /** Zeros up to the next block. */
  function padding(size: number): Phase {
    const length = (blockBytes - (size % blockBytes)) % blockBytes
    if (length === 0) return header()
    return gather(length, (bytes) => {
      refuseUnless(isZero(bytes), 'archive_not_canonical', { at: 'the padding of a member' })
      return header()
    })
  }

  /** Zeros only: readers disagree about what stands behind one block of them, or two. */
  function end(bytes: Uint8Array): number {
    refuseUnless(isZero(bytes), 'archive_trailing_data', { after: 'the blocks that end the archive' })
    zerosAtEnd += bytes.length
    return bytes.length
  }

  /** Collects so many bytes, then goes on with what is answered. */
  function gather(length: number, then: (bytes: Buffer) => Phase): Phase {
    const gathered = Buffer.allocUnsafe(length)
    let filled = 0
    return (bytes) => {
      const piece = bytes.subarray(0, length - filled)
      gathered.set(piece, filled)
      filled += piece.length
      if (filled === length) phase = then(gathered)
      return piece.length
    }
  }

  return {
    take(bytes) {
      for (let at = 0; at < bytes.length; ) at += phase(bytes.subarray(at))
    },
    end() {
      refuseUnless(zerosAtEnd >= 2 * blockBytes, 'archive_malformed', {
        at: 'the end of the archive',
        expected: 'two blocks of zeros',
      })
    },
  }
}

function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += zeros.length) {
    const piece = bytes.subarray(at, at + zeros.length)
    if (zeros.compare(piece, 0, piece.length, 0, piece.length) !== 0) return false
  }
  return true
}

// A tarball is one gzip member and nothing else: ten bytes of header, a deflate stream, eight bytes of checksum and size.
//
// Header and trailer are read here; node:zlib inflates the raw stream between them. Its own reader of gzip would take a
// second member for more of the first, and overlook what follows.
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib'
import { refuseUnless } from '../guard.ts'

const headerBytes = 10
const trailerBytes = 8
/** Magic and method. */
const gzipAndDeflate: Readonly<Buffer> = Buffer.from([0x1f, 0x8b, 8])
/**
 * Output comes in pieces of at most this size: a bomb is noticed before it is large. With 64 KiB the process held 10 MiB more
 * for 100 MiB unpacked, and was not faster (`pnpm bench:verify`, 2026-11-30).
 */
const pieceBytes = 16 * 1024

/**
 * Inflates, piece by piece. `take` is called in order and may refuse.
 *
 * @param packed  pieces of the file, each used up before the next is asked for; the first has at least ten bytes, or the file
 *   has no more
 * @throws Refused archive_malformed, archive_trailing_data, archive_not_canonical; and whatever `take` throws
 */
export async function readGzip(packed: AsyncIterable<Uint8Array>, take: (piece: Uint8Array) => void): Promise<void> {
  const inflater = createInflateRaw({ chunkSize: pieceBytes })
  const given = { bytes: 0, last: Buffer.alloc(0) }
  const taken = { bytes: 0, crc: 0 }
  const trouble = await inflate(inflater, afterHeader(packed, given), (piece) => {
    taken.bytes += piece.length
    taken.crc = crc32(piece, taken.crc)
    take(piece)
  })
  refuseUnless(trouble === null, 'archive_malformed', { at: 'the deflate stream', trouble })
  const rest = given.bytes - inflater.bytesWritten
  refuseUnless(rest <= trailerBytes, 'archive_trailing_data', {
    after: 'the gzip member',
    bytes: rest - trailerBytes,
  })
  const expected = trailerOf(taken)
  const actual = given.last.subarray(given.last.length - rest)
  refuseUnless(expected.equals(actual), 'archive_malformed', {
    at: 'checksum and size of the gzip member',
    expected: expected.toString('hex'),
    actual: actual.toString('hex'),
  })
}

/** All after the header, trailer included: only the inflater knows where the stream ends, and it stops there. */
async function* afterHeader(packed: AsyncIterable<Uint8Array>, given: { bytes: number; last: Buffer }) {
  let isFirst = true
  for await (const piece of packed) {
    if (isFirst) checkHeader(piece)
    const rest = isFirst ? piece.subarray(headerBytes) : piece
    isFirst = false
    given.bytes += rest.length
    given.last = Buffer.concat([given.last, rest.subarray(-trailerBytes)]).subarray(-trailerBytes)
    yield rest
  }
}

/** Time, level and system may be any; a name or a comment is what another packer wrote. */
function checkHeader(piece: Uint8Array): void {
  const start = Buffer.from(piece.subarray(0, gzipAndDeflate.length))
  refuseUnless(start.equals(gzipAndDeflate), 'archive_malformed', {
    at: 'the gzip header',
    expected: gzipAndDeflate.toString('hex'),
    actual: start.toString('hex'),
  })
  const flags = piece[3] ?? 0
  refuseUnless(flags === 0, 'archive_not_canonical', { at: 'the gzip header', field: 'flags', actual: flags })
}

/** What zlib complains about; null when the stream ended well. When it answers, nothing is being read any more. */
async function inflate(
  inflater: InflateRaw,
  packed: AsyncIterable<Uint8Array>,
  take: (piece: Uint8Array) => void,
): Promise<string | null> {
  const [fed, taken] = await Promise.allSettled([feed(inflater, packed), drain(inflater, take)])
  if (fed.status === 'rejected') throw fed.reason
  if (taken.status === 'fulfilled') return null
  const error: unknown = taken.reason
  if (error instanceof Error && 'code' in error && `${error.code}`.startsWith('Z_')) return error.message
  throw error
}

/** To the end of the file, even when the stream ended before: what follows must be seen. Not when the other side gave up. */
async function feed(inflater: InflateRaw, packed: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of packed) {
      if (!inflater.destroyed) await written(inflater, piece)
      if (inflater.destroyed && !inflater.readableEnded) return
    }
    if (!inflater.destroyed) inflater.end()
  } catch (error) {
    inflater.destroy() // or the other side waits for ever
    throw error
  }
}

async function drain(inflater: InflateRaw, take: (piece: Uint8Array) => void): Promise<void> {
  for await (const piece of inflater) take(piece)
}

/** Inflated, or given up: a stream that is destroyed meanwhile never calls back. */
const written = (inflater: InflateRaw, piece: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      inflater.off('close', done)
      resolve()
    }
    inflater.on('close', done)
    inflater.write(piece, done)
  })

function trailerOf({ bytes, crc }: { readonly bytes: number; readonly crc: number }): Buffer {
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(bytes % 2 ** 32, 4)
  return trailer
}

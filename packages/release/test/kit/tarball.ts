// Writes tarballs: whole ones in the form that npm packages have, and the pieces of which a test builds others.
//
// It shares nothing with the reader of `src/archive`, which would otherwise be judged by itself.
import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a package; `path` is without the root `package/`. Mode is 0644 unless said otherwise. */
export interface PackedFile {
  readonly path: string
  readonly content: string | Uint8Array
  readonly mode?: '0644' | '0755'
}

/** What may be different in a tarball that is well formed all the same. */
export interface TarballOptions extends GzipFields {
  /** Sorted by the bytes of the path unless said otherwise. */
  readonly order?: 'sorted' | 'given'
  /** Seconds; 1985-10-26T08:15Z unless said otherwise, as npm and pnpm write it. */
  readonly mtime?: number
}

/** The same instant in every packed package. */
export const packedAt = 499_162_500

/** A tarball of a package: root `package/`, owner 0, one fixed time. Equal files give equal bytes. */
export const tarball = (files: readonly PackedFile[], options: TarballOptions = {}): Buffer =>
  gzip(tar(files, options), options)

/** The archive inside, uncompressed. */
export function tar(files: readonly PackedFile[], { order = 'sorted', mtime = packedAt }: TarballOptions = {}): Buffer {
  const ordered = order === 'given' ? files : files.toSorted((one, other) => byBytes(one.path, other.path))
  return archive(
    ordered.map(({ path, content, mode = '0644' }) =>
      fileMember(`package/${path}`, content, { mode: octal(Number.parseInt(mode, 8), 8), mtime: octal(mtime, 12) }),
    ),
  )
}

/** Members, then the two blocks of zeros that end an archive. */
export const archive = (members: readonly Uint8Array[]): Buffer => Buffer.concat([...members, endOfArchive])

/** Two blocks of zeros. */
export const endOfArchive: Readonly<Buffer> = Buffer.alloc(1024)

/**
 * The fields of a header, each as it stands in the file: `octal(0o644, 8)` or any bytes (texts as UTF-8). What is not given
 * is that of an empty file of mode 0644. A field that is too long is an error.
 */
export interface HeaderFields {
  readonly name?: string | Uint8Array
  readonly mode?: string | Uint8Array
  readonly uid?: string | Uint8Array
  readonly gid?: string | Uint8Array
  readonly size?: string | Uint8Array
  readonly mtime?: string | Uint8Array
  /** Computed over the other fields unless given. */
  readonly checksum?: string | Uint8Array
  /** `0` file · `1` hard link · `2` symbolic link · `3` `4` devices · `5` folder · `6` fifo · `x` `g` pax · `L` `K` GNU names. */
  readonly typeflag?: string
  readonly linkname?: string | Uint8Array
  /** Magic and version: eight bytes. */
  readonly magic?: string | Uint8Array
  readonly uname?: string | Uint8Array
  readonly gname?: string | Uint8Array
  readonly devmajor?: string | Uint8Array
  readonly devminor?: string | Uint8Array
  readonly prefix?: string | Uint8Array
  /** The last twelve bytes. */
  readonly rest?: string | Uint8Array
}

/** `octal(0o644, 8)` is `0000644` and a NUL: a number as wide as its field. */
export const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

const layout: readonly (readonly [field: keyof HeaderFields, width: number, usual: string])[] = [
  ['name', 100, ''],
  ['mode', 8, octal(0o644, 8)],
  ['uid', 8, octal(0, 8)],
  ['gid', 8, octal(0, 8)],
  ['size', 12, octal(0, 12)],
  ['mtime', 12, octal(packedAt, 12)],
  ['checksum', 8, ' '.repeat(8)],
  ['typeflag', 1, '0'],
  ['linkname', 100, ''],
  ['magic', 8, 'ustar\x0000'],
  ['uname', 32, ''],
  ['gname', 32, ''],
  ['devmajor', 8, octal(0, 8)],
  ['devminor', 8, octal(0, 8)],
  ['prefix', 155, ''],
  ['rest', 12, ''],
]

/** A header block of 512 bytes. */
export function header(fields: HeaderFields): Buffer {
  const block = Buffer.alloc(512)
  let at = 0
  for (const [field, width, usual] of layout) {
    const content = Buffer.from(field === 'checksum' ? usual : (fields[field] ?? usual))
    if (content.length > width) throw new Error(`${field} of a header has ${width} bytes, not ${content.length}`)
    content.copy(block, at)
    at += width
  }
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.fill(0, 148, 156)
  Buffer.from(fields.checksum ?? `${octal(sum, 7)} `).copy(block, 148)
  return block
}

/** A header, its content, and zeros up to the next block; the header says any size. */
export function member(fields: HeaderFields, content: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([header(fields), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/**
 * A file under its whole path (root included). One that fits no header gets a pax `path` record before it, as npm writes it;
 * the header then has the first 99 bytes.
 */
export function fileMember(path: string, content: string | Uint8Array, fields: HeaderFields = {}): Buffer {
  const size = octal(Buffer.from(content).length, 12)
  const split = splitPath(path)
  if (split !== undefined) return member({ ...split, size, ...fields }, content)
  const name = Buffer.from(path).subarray(0, 99)
  return Buffer.concat([paxMember({ path }), member({ name, size, ...fields }, content)])
}

/** Extended header: records for the member after it (`x`), or for all that follow (`g`). */
export function paxMember(records: Readonly<Record<string, string>>, typeflag: 'x' | 'g' = 'x'): Buffer {
  const content = Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)))
  return member({ name: 'PaxHeader/next', typeflag, size: octal(content.length, 12) }, content)
}

/** `18 path=package/a\n`: its own length, counted with itself. */
export function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let length = rest.length
  while (`${length}`.length + rest.length !== length) length = `${length}`.length + rest.length
  return Buffer.concat([Buffer.from(`${length}`), rest])
}

/** The parts of a gzip member, each as it is to stand in the file; what is not given is right. */
export interface GzipFields {
  /** Of the deflate stream; 9 unless given. */
  readonly level?: number
  readonly method?: number
  readonly flags?: number
  /** Four bytes, little endian. */
  readonly gzipMtime?: number
  readonly extraFlags?: number
  readonly system?: number
  /** What the flags announce: extra field, name, comment, header checksum. */
  readonly optional?: Uint8Array
  readonly crc?: number
  readonly isize?: number
}

/** One gzip member: header, deflate stream, checksum and size. */
export function gzip(content: Uint8Array, fields: GzipFields = {}): Buffer {
  const { level = 9, method = 8, flags = 0, gzipMtime = 0, extraFlags = 0, system = 255 } = fields
  const head = Buffer.from([0x1f, 0x8b, method, flags, 0, 0, 0, 0, extraFlags, system])
  head.writeUInt32LE(gzipMtime, 4)
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(fields.crc ?? crc32(content), 0)
  tail.writeUInt32LE(fields.isize ?? content.length % 2 ** 32, 4)
  return Buffer.concat([head, fields.optional ?? Buffer.alloc(0), deflateRawSync(content, { level }), tail])
}

/** One byte changed: the lowest bit of the byte at this place. */
export function flipped(content: Uint8Array, at: number): Buffer {
  const changed = Buffer.from(content)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

/** A path as name and prefix; undefined when it does not fit. */
function splitPath(path: string): { name: string; prefix: string } | undefined {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return { name, prefix }
  }
  return undefined
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

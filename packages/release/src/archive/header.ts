// One header block of an archive, in the form `ustar` (POSIX.1-1988), with no room for two readings.
import { refuseUnless } from '../guard.ts'
import { shown } from './shown.ts'

/** A header block, and what a block is a multiple of. */
export const blockBytes = 512

/** What a header says. Paths are bytes as they stand there: whether they are text is judged with the whole path. */
export interface Header {
  readonly type: 'file' | 'pax'
  /** `name`, or `prefix/name`. */
  readonly path: Uint8Array
  /** Bytes of `name` alone: a name that fills its field may be cut. */
  readonly nameBytes: number
  readonly mode: number
  readonly size: number
  /** Seconds. */
  readonly mtime: number
}

/** Field → place and width, in bytes. */
const layout = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  typeflag: [156, 1],
  linkname: [157, 100],
  magic: [257, 8],
  uname: [265, 32],
  gname: [297, 32],
  devmajor: [329, 8],
  devminor: [337, 8],
  prefix: [345, 155],
  rest: [500, 12],
} as const satisfies Readonly<Record<string, readonly [at: number, width: number]>>

type Field = keyof typeof layout

/** A packed file has no owner, no link and no device; readers that run as root would take an owner over. */
const unused = ['uid', 'gid', 'linkname', 'uname', 'gname', 'devmajor', 'devminor', 'rest'] as const

/** Digits that fill the field, then its end: a space, a NUL, or both. Other forms are read in several ways. */
const number = /^[0-7]+(?:[ \0]|\0 | \0)$/

/** @throws Refused archive_malformed, archive_link_member, archive_member_unsupported, archive_not_canonical */
export function readHeader(block: Buffer): Header {
  const written = fieldOf(block, 'checksum')
  const sum = sumOf(block)
  refuseUnless(Number.parseInt(written.trim(), 8) === sum, 'archive_malformed', {
    at: 'the checksum of a header',
    expected: sum.toString(8),
    actual: shown(written),
  })
  const member = shown(Buffer.from(textOf(block, 'name'), 'latin1').toString())
  const type = fieldOf(block, 'typeflag')
  refuseUnless(type !== '1' && type !== '2', 'archive_link_member', {
    member,
    target: shown(textOf(block, 'linkname')),
  })
  refuseUnless(type === '0' || type === 'x', 'archive_member_unsupported', { member, type: shown(type) })
  const magic = fieldOf(block, 'magic')
  refuseUnless(magic === 'ustar\x0000', 'archive_not_canonical', { member, field: 'magic', actual: shown(magic) })
  for (const field of unused) {
    const actual = fieldOf(block, field)
    refuseUnless(/^\0*$|^0+[ \0]{1,2}$/.test(actual), 'archive_not_canonical', { member, field, actual: shown(actual) })
  }
  for (const field of ['mode', 'size', 'mtime', 'checksum'] as const) {
    const actual = fieldOf(block, field)
    refuseUnless(number.test(actual), 'archive_not_canonical', { member, field, actual: shown(actual) })
  }
  for (const field of ['name', 'prefix'] as const) {
    const actual = fieldOf(block, field)
    refuseUnless(/^[^\0]*\0*$/.test(actual), 'archive_not_canonical', { member, field, actual: shown(actual) })
  }
  const [name, prefix] = [textOf(block, 'name'), textOf(block, 'prefix')]
  return {
    type: type === 'x' ? 'pax' : 'file',
    path: Buffer.from(prefix === '' ? name : `${prefix}/${name}`, 'latin1'),
    nameBytes: name.length,
    mode: numberOf(block, 'mode'),
    size: numberOf(block, 'size'),
    mtime: numberOf(block, 'mtime'),
  }
}

/** Bytes as characters of one byte each. */
function fieldOf(block: Buffer, field: Field): string {
  const [at, width] = layout[field]
  return block.toString('latin1', at, at + width)
}

/** Up to the first NUL. */
function textOf(block: Buffer, field: Field): string {
  const whole = fieldOf(block, field)
  const end = whole.indexOf('\0')
  return end < 0 ? whole : whole.slice(0, end)
}

const numberOf = (block: Buffer, field: Field): number => Number.parseInt(fieldOf(block, field), 8)

/** Of all bytes, with the field of the checksum as spaces. */
function sumOf(block: Buffer): number {
  const [at, width] = layout.checksum
  let sum = width * 0x20
  for (let place = 0; place < blockBytes; place++) {
    if (place < at || place >= at + width) sum += block[place] ?? 0
  }
  return sum
}

// Extended headers (POSIX.1-2001): records `LENGTH KEY=VALUE LF` about the member that follows.
import { refuseUnless } from '../guard.ts'
import type { Header } from './header.ts'
import { shown } from './shown.ts'

/** Larger than any path that a system takes; a header is held in memory whole. */
export const paxBytesMax = 4096

/** What an extended header says. What it does not say is not there. */
export interface Pax {
  readonly path?: Buffer
  readonly size?: string
  readonly mtime?: string
}

/** @throws Refused archive_malformed, archive_not_canonical */
export function readPax(content: Buffer): Pax {
  const records = new Map<string, Buffer>()
  for (let at = 0; at < content.length; ) {
    const record = recordAt(content, at)
    refuseUnless(record !== undefined, 'archive_malformed', { at: 'an extended header', byte: at })
    const { key, value, length } = record
    refuseUnless(['path', 'size', 'mtime'].includes(key), 'archive_not_canonical', {
      at: 'an extended header',
      key: shown(key),
    })
    refuseUnless(!records.has(key), 'archive_not_canonical', { at: 'an extended header', twice: key })
    records.set(key, value)
    at += length
  }
  const [path, size, mtime] = [records.get('path'), records.get('size'), records.get('mtime')]
  return {
    ...(path !== undefined && { path }),
    ...(size !== undefined && { size: size.toString('latin1') }),
    ...(mtime !== undefined && { mtime: mtime.toString('latin1') }),
  }
}

/**
 * The path of a member whose extended header agrees with its header: equal where both speak. A path that is too long for the
 * header stands there cut.
 *
 * @throws Refused archive_not_canonical
 */
export function agreedPath(header: Header, pax: Pax): Uint8Array {
  const path = pax.path ?? header.path
  const said = Buffer.from(header.path)
  const isCut = header.nameBytes >= 99 && said.equals(path.subarray(0, said.length))
  refuseUnless(isCut || said.equals(path), 'archive_not_canonical', {
    at: 'an extended header',
    key: 'path',
    expected: shown(said.toString()),
    actual: shown(Buffer.from(path).toString()),
  })
  for (const key of ['size', 'mtime'] as const) {
    const actual = pax[key] ?? `${header[key]}`
    refuseUnless(actual === `${header[key]}`, 'archive_not_canonical', {
      at: 'an extended header',
      key,
      expected: header[key],
      actual: shown(actual),
    })
  }
  return path
}

function recordAt(content: Buffer, at: number): { key: string; value: Buffer; length: number } | undefined {
  const digits = /^([1-9]\d{0,5}) /.exec(content.toString('latin1', at, at + 8))?.[1]
  if (digits === undefined) return undefined
  const record = content.subarray(at, at + Number(digits))
  const equals = record.indexOf('=')
  if (record.length !== Number(digits) || record.at(-1) !== 0x0a || equals < 0) return undefined
  return {
    key: record.toString('utf8', digits.length + 1, equals),
    value: record.subarray(equals + 1, -1),
    length: record.length,
  }
}

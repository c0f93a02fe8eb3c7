// One frame becomes a value, the whole of it or nothing.
//
// Every length and count is held against the bytes that are left before anything is made from it, so a frame of n bytes
// costs memory in the order of n whatever it claims.

import { CodecError } from '../error.ts'
import { decodeDepthMax, frameBytesMax, varintBytesMax } from '../limits.ts'
import { branch, frameHeader } from './schema.ts'
import { readInteger } from './varint.ts'

/** What a frame decodes to, where doubles are made by the caller's function. */
export type Decoded<Double> =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Double
  | Decoded<Double>[]
  | { [key: string]: Decoded<Double> }

// A byte order mark is content here; published SDKs keep it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// Above this many bytes the native decoder is faster than the loop (measured on Node 24).
const loopedBytesMax = 24
const magicLength = 2
const itemBytesMin = 1
const entryBytesMin = 2

class Reader<Double> {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly makeDouble: (double: number) => Double
  private position = frameHeader.length
  private depth = 0
  private blockEnd: number | undefined

  constructor(bytes: Uint8Array, makeDouble: (double: number) => Double) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.makeDouble = makeDouble
  }

  readAll(): Decoded<Double> {
    const value = this.readValue()
    const left = this.bytes.length - this.position
    if (left > 0) this.refuse(`${left} bytes follow the value`)
    return value
  }

  private readValue(): Decoded<Double> {
    switch (this.readLong()) {
      case branch.null >> 1:
        return null
      case branch.boolean >> 1:
        return this.readBoolean()
      case branch.long >> 1:
        return this.readLong()
      case branch.double >> 1:
        return this.readDouble()
      case branch.bytes >> 1:
        return this.readBytes()
      case branch.string >> 1:
        return this.readString()
      case branch.array >> 1:
        return this.readArray()
      case branch.map >> 1:
        return this.readMap()
      default:
        return this.refuse('the union has no such branch')
    }
  }

  private readLong(): number | bigint {
    const start = this.position
    const first = this.bytes[start]
    if (first === undefined) return this.refuseTruncated()
    if (first < 0x80) {
      this.position = start + 1
      return (first >> 1) ^ -(first & 1)
    }
    let end = start + 1
    for (;;) {
      const byte = this.bytes[end++]
      if (byte === undefined) return this.refuseTruncated()
      if (byte < 0x80) break
      if (end - start >= varintBytesMax) return this.refuse(`an integer is longer than ${varintBytesMax} bytes`)
    }
    this.position = end
    return readInteger(this.bytes, start, end) ?? this.refuse('an integer does not fit 64 bits')
  }

  private readBoolean(): boolean {
    const byte = this.bytes[this.position]
    if (byte === undefined) return this.refuseTruncated()
    if (byte > 1) return this.refuse('a boolean is neither 0 nor 1')
    this.position++
    return byte === 1
  }

  private readDouble(): Double {
    if (this.bytes.length - this.position < 8) return this.refuseTruncated()
    const double = this.view.getFloat64(this.position, true)
    if (!Number.isFinite(double)) return this.refuse(`${double} is not finite`)
    this.position += 8
    return this.makeDouble(double)
  }

  private readLength(): number {
    const length = this.readLong()
    if (typeof length === 'bigint' || length < 0) return this.refuse('a length is out of range')
    if (length > this.bytes.length - this.position) return this.refuseTruncated()
    return length
  }

  private readBytes(): Uint8Array {
    const length = this.readLength()
    // Through the constructor: slice() of a subclass such as Buffer would share memory.
    const copy = new Uint8Array(this.bytes.subarray(this.position, this.position + length))
    this.position += length
    return copy
  }

  private readString(): string {
    const length = this.readLength()
    const start = this.position
    const end = start + length
    const text = (length <= loopedBytesMax ? this.asciiBetween(start, end) : undefined) ?? this.utf8Between(start, end)
    this.position = end
    return text
  }

  private asciiBetween(start: number, end: number): string | undefined {
    let text = ''
    for (let at = start; at < end; at++) {
      const byte = this.bytes[at] ?? 0x80
      if (byte >= 0x80) return undefined
      text += String.fromCharCode(byte)
    }
    return text
  }

  private utf8Between(start: number, end: number): string {
    try {
      return utf8.decode(this.bytes.subarray(start, end))
    } catch {
      return this.refuse('a string is not valid UTF-8')
    }
  }

  private readArray(): Decoded<Double>[] {
    this.enter()
    const items: Decoded<Double>[] = []
    for (let count = this.openBlock(itemBytesMin); count > 0; count = this.openBlock(itemBytesMin)) {
      const end = this.blockEnd
      for (let read = 0; read < count; read++) items.push(this.readValue())
      this.closeBlock(end)
    }
    this.depth--
    return items
  }

  private readMap(): { [key: string]: Decoded<Double> } {
    this.enter()
    const entries: { [key: string]: Decoded<Double> } = {}
    for (let count = this.openBlock(entryBytesMin); count > 0; count = this.openBlock(entryBytesMin)) {
      const end = this.blockEnd
      for (let read = 0; read < count; read++) {
        const key = this.readString()
        const value = this.readValue()
        if (key === '__proto__') defineMember(entries, key, value)
        else entries[key] = value
      }
      this.closeBlock(end)
    }
    this.depth--
    return entries
  }

  /** The count of the next block, 0 at the end; a negative count is followed by the block's size in bytes. */
  private openBlock(elementBytesMin: number): number {
    const count = this.readLong()
    if (typeof count === 'bigint') return this.refuse('a count is out of range')
    const size = count < 0 ? this.readLength() : undefined
    this.blockEnd = size === undefined ? undefined : this.position + size
    const elements = Math.abs(count)
    if (elements * elementBytesMin > this.bytes.length - this.position) return this.refuseTruncated()
    return elements
  }

  private closeBlock(end: number | undefined): void {
    if (end !== undefined && this.position !== end) this.refuse('a block has another size than it says')
  }

  private enter(): void {
    if (++this.depth <= decodeDepthMax) return
    throw new CodecError(
      'structural_limit_exceeded',
      {
        thing: 'payload',
        found: 'containers are nested too deeply',
        limit: `${decodeDepthMax} levels`,
        offset: this.position,
      },
      'flatten the value where it is made',
    )
  }

  private refuseTruncated(): never {
    this.refuse('the frame ends too early')
  }

  private refuse(found: string): never {
    throw malformed({ found, offset: this.position })
  }
}

const defineMember = (target: object, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

/** The error for something that is no frame. */
export const malformed = (facts: { found: string; offset?: number; diagnosis?: string }): CodecError =>
  new CodecError(
    'invalid_payload_framing',
    { thing: 'payload', ...facts },
    'send the base64 text of one Avro single-object frame of durable_workflow.protocol.Value',
  )

const isJson = (bytes: Uint8Array): boolean => {
  try {
    JSON.parse(utf8.decode(bytes))
    return true
  } catch {
    // Not JSON is one of the two answers.
    return false
  }
}

const startsWith = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (bytes[at] !== frameHeader[at]) return false
  return true
}

const checkHeader = (bytes: Uint8Array): void => {
  if (bytes.length > frameBytesMax) throw oversize(`the frame has ${bytes.length} bytes`, `${frameBytesMax} bytes`)
  if (bytes.length === 0) throw malformed({ found: 'the frame is empty', diagnosis: 'empty_payload' })
  if (!startsWith(bytes, 0, magicLength)) {
    if (isJson(bytes))
      throw malformed({ found: 'JSON text stands where a frame belongs', diagnosis: 'json_bytes_labeled_avro' })
    throw malformed({
      found: 'the frame does not begin with C3 01',
      offset: 0,
      diagnosis: 'invalid_single_object_magic',
    })
  }
  if (bytes.length < frameHeader.length) throw malformed({ found: 'the frame ends too early', offset: bytes.length })
  if (!startsWith(bytes, magicLength, frameHeader.length)) throw unknownSchema(bytes)
}

const hexBetween = (bytes: Uint8Array, from: number, to: number): string =>
  Array.from(bytes.subarray(from, to), (byte) => byte.toString(16).padStart(2, '0')).join('')

const unknownSchema = (bytes: Uint8Array): CodecError =>
  new CodecError(
    'unsupported_payload_schema',
    {
      thing: 'payload',
      found: `fingerprint ${hexBetween(bytes, magicLength, frameHeader.length)} is unknown`,
      limit: 'e2a33dff55802237',
      offset: magicLength,
      diagnosis: 'unsupported_payload_schema',
    },
    'write it with durable_workflow.protocol.Value version 1',
  )

/** The error for a payload above a bound of `limits.ts`. */
export const oversize = (found: string, limit: string): CodecError =>
  new CodecError('structural_limit_exceeded', { thing: 'payload', found, limit }, 'pass a reference to it instead')

/** Reads one frame; `makeDouble` decides what a double becomes. */
export const readValue = <Double>(bytes: Uint8Array, makeDouble: (double: number) => Double): Decoded<Double> => {
  checkHeader(bytes)
  return new Reader(bytes, makeDouble).readAll()
}

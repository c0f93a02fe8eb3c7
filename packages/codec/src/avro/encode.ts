// A value becomes one frame.
//
// Owns:      the order of bytes, the buffer, the refusal of what has no form in a payload.
// Does not:  convert anything: no dates, no toJSON, no rounding.
//
// The path of a member is kept in one reused list, written at each step and read only for an error; the list of open
// containers, at most `encodeDepthMax` long, is what finds a cycle.

import { CodecError, type CodecReason } from '../error.ts'
import { Float } from '../float.ts'
import { encodeDepthMax, frameBytesMax, longMax, longMin } from '../limits.ts'
import { describeUnsupported, isPlainObject, pathOf } from '../unsupported.ts'
import { branch, frameHeader } from './schema.ts'
import { writeBigInteger, writeInteger } from './varint.ts'

// A string reserves three bytes a unit before it is written, hence the factor.
const capacityMax = (frameBytesMax + 16) * 3
const firstCapacity = 1_024
const keptCapacityMax = 1_048_576
// Above this many UTF-16 units the native encoder is faster than the loop (measured on Node 24).
const loopedUnitsMax = 48
const backpatchedMembersMax = 63
const utf8 = new TextEncoder()

class Writer {
  bytes = new Uint8Array(firstCapacity)
  position = frameHeader.length
  name = ''
  private view = new DataView(this.bytes.buffer)
  private depth = 0
  private readonly slots: (string | number)[] = []
  private readonly open: object[] = []

  constructor() {
    this.bytes.set(frameHeader)
  }

  write(value: unknown): void {
    switch (typeof value) {
      case 'string':
        this.writeText(value)
        break
      case 'number':
        this.writeNumber(value)
        break
      case 'boolean':
        this.writeBoolean(value)
        break
      case 'bigint':
        this.writeBigInt(value)
        break
      case 'undefined':
        this.writeNull()
        break
      case 'object':
        if (value === null) this.writeNull()
        else this.writeObject(value)
        break
      default:
        this.refuseType(value)
    }
  }

  /** Ready for the next frame; holds on to nothing of this one. */
  reset(): void {
    this.position = frameHeader.length
    this.depth = 0
    this.slots.length = 0
    this.open.length = 0
  }

  private writeNull(): void {
    this.ensure(1)
    this.bytes[this.position++] = branch.null
  }

  private writeText(value: string): void {
    this.ensure(1)
    this.bytes[this.position++] = branch.string
    this.writeString(value)
  }

  private writeBoolean(value: boolean): void {
    this.ensure(2)
    this.bytes[this.position++] = branch.boolean
    this.bytes[this.position++] = value ? 1 : 0
  }

  private writeNumber(value: number): void {
    // Minus zero has no long.
    if (Number.isSafeInteger(value) && (value !== 0 || 1 / value > 0)) this.writeLong(value)
    else this.writeDouble(value)
  }

  private writeLong(value: number): void {
    this.ensure(11)
    this.bytes[this.position++] = branch.long
    this.position = writeInteger(this.bytes, this.position, value)
  }

  private writeDouble(value: number): void {
    if (!Number.isFinite(value)) {
      this.refuse(
        'non_finite_float',
        `${value} is not finite`,
        'use null or a string for a missing or unbounded number',
      )
    }
    this.ensure(9)
    this.bytes[this.position] = branch.double
    this.view.setFloat64(this.position + 1, value, true)
    this.position += 9
  }

  private writeBigInt(value: bigint): void {
    if (value < longMin || value > longMax) {
      const found = `an integer of ${value.toString(16).length} hexadecimal digits is outside 64 bits`
      this.refuse('integer_overflow', found, 'pass it as a string', `${longMin} to ${longMax}`)
    }
    this.ensure(11)
    this.bytes[this.position++] = branch.long
    this.position = writeBigInteger(this.bytes, this.position, value)
  }

  private writeObject(value: object): void {
    if (Array.isArray(value)) this.writeArray(value)
    else if (isPlainObject(value)) this.writeMap(value)
    else if (value instanceof Uint8Array) this.writeBytes(value)
    else if (Float.is(value)) this.writeDouble(value.value)
    else this.refuseType(value)
  }

  private writeBytes(value: Uint8Array): void {
    this.ensure(11 + value.length)
    this.bytes[this.position++] = branch.bytes
    this.position = writeInteger(this.bytes, this.position, value.length)
    this.bytes.set(value, this.position)
    this.position += value.length
  }

  private writeArray(items: readonly unknown[]): void {
    this.enter(items)
    const count = items.length
    this.openBlock(branch.array, count)
    for (let index = 0; index < count; index++) {
      this.slots[this.depth - 1] = index
      this.write(items[index])
    }
    if (count > 0) this.closeBlock()
    this.depth--
  }

  private writeMap(entries: Readonly<Record<string, unknown>>): void {
    this.enter(entries)
    if (Object.getOwnPropertySymbols(entries).length > 0) {
      this.refuse('invalid_map_key', 'a key is a symbol', 'use strings as keys')
    }
    const keys = Object.keys(entries)
    if (keys.length <= backpatchedMembersMax) this.writeFewMembers(entries, keys)
    else this.writeManyMembers(entries, keys)
    this.depth--
  }

  /** The count is one byte whatever is left out, so it is filled in afterwards and each member is read once. */
  private writeFewMembers(entries: Readonly<Record<string, unknown>>, keys: readonly string[]): void {
    this.openBlock(branch.map, 0)
    const countAt = this.position - 1
    let count = 0
    for (const key of keys) {
      this.slots[this.depth - 1] = key
      const value = entries[key]
      if (value === undefined) continue
      this.writeString(key)
      this.write(value)
      count++
    }
    this.bytes[countAt] = count << 1
    if (count > 0) this.closeBlock()
  }

  private writeManyMembers(entries: Readonly<Record<string, unknown>>, keys: readonly string[]): void {
    const present = keys.filter((key) => entries[key] !== undefined)
    this.openBlock(branch.map, present.length)
    for (const key of present) {
      this.slots[this.depth - 1] = key
      this.writeString(key)
      this.write(entries[key])
    }
    if (present.length > 0) this.closeBlock()
  }

  private openBlock(kind: number, count: number): void {
    this.ensure(11)
    this.bytes[this.position++] = kind
    this.position = writeInteger(this.bytes, this.position, count)
  }

  private closeBlock(): void {
    this.ensure(1)
    this.bytes[this.position++] = 0
  }

  private enter(container: object): void {
    for (let at = 0; at < this.depth; at++) if (this.open[at] === container) this.refuseCycle(at)
    if (this.depth >= encodeDepthMax) {
      const found = 'containers are nested too deeply'
      this.refuse('structural_limit_exceeded', found, 'flatten the value', `${encodeDepthMax} levels`)
    }
    this.open[this.depth++] = container
    // The slot of the new level names no member yet.
    this.slots.length = this.depth - 1
  }

  private writeString(text: string): void {
    if (text.length > loopedUnitsMax || !this.writeShortAscii(text)) this.writeLongString(text)
  }

  /** Writes nothing and says false when the text is not ASCII. */
  private writeShortAscii(text: string): boolean {
    const units = text.length
    this.ensure(units + 1)
    const { bytes } = this
    let at = this.position
    bytes[at++] = units << 1
    for (let index = 0; index < units; index++) {
      const unit = text.charCodeAt(index)
      if (unit > 0x7f) return false
      bytes[at++] = unit
    }
    this.position = at
    return true
  }

  private writeLongString(text: string): void {
    if (!text.isWellFormed()) {
      const found = 'a string holds a lone surrogate, which has no UTF-8 form'
      this.refuse('invalid_utf8_string', found, 'repair it with toWellFormed(), or pass a Uint8Array')
    }
    const prefixRoom = 5
    this.ensure(prefixRoom + text.length * 3)
    const start = this.position + prefixRoom
    const { written } = utf8.encodeInto(text, this.bytes.subarray(start))
    this.position = writeInteger(this.bytes, this.position, written)
    this.bytes.copyWithin(this.position, start, start + written)
    this.position += written
  }

  private ensure(more: number): void {
    if (this.position + more > this.bytes.length) this.grow(this.position + more)
  }

  private grow(needed: number): void {
    if (needed > capacityMax) this.refuseSize()
    const larger = new Uint8Array(Math.min(Math.max(needed, this.bytes.length * 2), capacityMax))
    larger.set(this.bytes.subarray(0, this.position))
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }

  /** The exact check of the whole frame; `grow` only keeps the buffer from growing without end. */
  checkSize(): void {
    if (this.position > frameBytesMax) this.refuseSize()
  }

  private refuseSize(): never {
    const found = 'the value makes the frame too large'
    this.refuse('structural_limit_exceeded', found, 'pass a reference to it instead', `${frameBytesMax} bytes`)
  }

  private refuseCycle(at: number): never {
    const target = pathOf(this.name, this.slots.slice(0, at))
    this.refuse('unsupported_value_type', `it contains itself (it is ${target})`, 'pass an id instead of the object')
  }

  private refuseType(value: unknown): never {
    const { found, remedy } = describeUnsupported(value)
    this.refuse('unsupported_value_type', found, remedy)
  }

  private refuse(reason: CodecReason, found: string, remedy: string, limit?: string): never {
    const facts = { thing: pathOf(this.name, this.slots.slice(0, this.depth)), found }
    throw new CodecError(reason, limit === undefined ? facts : { ...facts, limit }, remedy)
  }
}

// One writer is kept between frames (a fresh buffer costs more than a small frame). It is taken out while in use, so a
// getter that encodes finds none and makes its own.
let idle: Writer | undefined

/** Writes one frame and hands its bytes to `use`, which must copy what it keeps. */
export const writeFrame = <Result>(
  value: unknown,
  name: string,
  use: (bytes: Uint8Array, length: number) => Result,
): Result => {
  const writer = idle ?? new Writer()
  idle = undefined
  writer.name = name
  try {
    writer.write(value)
    writer.checkSize()
    return use(writer.bytes, writer.position)
  } finally {
    writer.reset()
    if (writer.bytes.length <= keptCapacityMax) idle = writer
  }
}

import { CodecError } from './error.ts'

const brand = Symbol.for('@durable-workflow/codec.Float')

/**
 * A number that is written as a double even when it is integral: `float(7)` is 7.0 for Python, Rust and PHP readers.
 *
 * Behaves as its number in arithmetic and JSON.
 */
export class Float {
  readonly value: number
  readonly [brand] = true

  constructor(value: number) {
    if (!Number.isFinite(value)) {
      throw new CodecError(
        'non_finite_float',
        { thing: 'float', found: `${value} is not finite` },
        'use null or a string for a missing or unbounded number',
      )
    }
    this.value = value
  }

  valueOf(): number {
    return this.value
  }

  toJSON(): number {
    return this.value
  }

  /** Whether `value` is a Float of this or another copy of the package. */
  static is(value: unknown): value is Float {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/**
 * Marks a number as a double.
 *
 * @throws CodecError `non_finite_float` for NaN and infinities
 */
export const float = (value: number): Float => new Float(value)

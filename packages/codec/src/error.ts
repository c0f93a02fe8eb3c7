/**
 * Every reason that the codec gives, as the published SDKs and engine name them.
 *
 * Reading: `invalid_payload_framing`, `unsupported_payload_schema`, `unsupported_payload_codec`,
 * `invalid_payload_envelope`. Writing: `integer_overflow`, `non_finite_float`, `invalid_map_key`,
 * `unsupported_value_type`, `invalid_utf8_string`. Both: `structural_limit_exceeded` (the bounds of `limits.ts`).
 */
export const codecReasons = [
  'invalid_payload_framing',
  'unsupported_payload_schema',
  'unsupported_payload_codec',
  'invalid_payload_envelope',
  'integer_overflow',
  'non_finite_float',
  'invalid_map_key',
  'unsupported_value_type',
  'invalid_utf8_string',
  'structural_limit_exceeded',
] as const

/** One of `codecReasons`; stable, safe to branch on. */
export type CodecReason = (typeof codecReasons)[number]

/**
 * What the message of a `CodecError` is made from. Never holds the content of a string or of bytes.
 *
 * `thing` where it was found: a path such as `input.order.when`, or `payload`; `found` what was there; `limit` the bound
 * it missed; `offset` bytes from the start of the frame; `diagnosis` the published word for a frame that is not one
 * (`json_bytes_labeled_avro`, `invalid_base64`, `empty_payload`, `invalid_single_object_magic`,
 * `unsupported_payload_schema`).
 */
export type CodecFacts = {
  readonly thing: string
  readonly found: string
  readonly limit?: string
  readonly offset?: number
  readonly diagnosis?: string
}

const brand = Symbol.for('@durable-workflow/codec.CodecError')

const messageOf = (facts: CodecFacts, remedy: string): string => {
  const at = facts.offset === undefined ? '' : ` at byte ${facts.offset}`
  const limit = facts.limit === undefined ? '' : ` (limit: ${facts.limit})`
  return `${facts.thing}: ${facts.found}${at}${limit}; ${remedy}`
}

/**
 * A value that cannot be written as a payload, or a payload that cannot be read.
 *
 * Branch on `reason`; `facts` and `remedy` are what the message is made from. Use `CodecError.is(error)` rather than
 * `instanceof`: it also recognises errors of another copy of this package.
 */
export class CodecError extends Error {
  override readonly name = 'CodecError'
  readonly reason: CodecReason
  readonly facts: CodecFacts
  readonly remedy: string
  readonly [brand] = true

  constructor(reason: CodecReason, facts: CodecFacts, remedy: string) {
    super(messageOf(facts, remedy))
    this.reason = reason
    this.facts = facts
    this.remedy = remedy
  }

  /** Whether `value` is a CodecError of this or another copy of the package. */
  static is(value: unknown): value is CodecError {
    return value instanceof Error && brand in value
  }
}

// All that `@durable-workflow/codec` opens to its users. Written by `pnpm surface:accept`.

/**
 * The one JSON text of a value, for digests and comparisons: no white space, keys in ascending order of UTF-16 units,
 * numbers and strings as `JSON.stringify` writes them (so −0 is 0), bigints as integers with all their digits.
 *
 * Members that are undefined are left out; undefined elsewhere is null. What JSON cannot hold is refused, bytes too.
 *
 * @param name  how error paths begin; default `value`
 * @throws CodecError `non_finite_float`, `invalid_map_key`, `unsupported_value_type` or `structural_limit_exceeded`
 */
declare const canonicalJson: (value: unknown, name?: string) => string;

declare const brand$1: unique symbol;
/**
 * A number that is written as a double even when it is integral: `float(7)` is 7.0 for Python, Rust and PHP readers.
 *
 * Behaves as its number in arithmetic and JSON.
 */
declare class Float {
    readonly value: number;
    readonly [brand$1] = true;
    constructor(value: number);
    valueOf(): number;
    toJSON(): number;
    /** Whether `value` is a Float of this or another copy of the package. */
    static is(value: unknown): value is Float;
}
/**
 * Marks a number as a double.
 *
 * @throws CodecError `non_finite_float` for NaN and infinities
 */
declare const float: (value: number) => Float;

/**
 * What a payload decodes to.
 *
 * Integers inside ±(2^53 − 1) are numbers, other 64-bit integers are bigints, every double is a number, bytes are a
 * fresh Uint8Array, maps are plain objects (the last of two equal keys wins). The distinction between 7 and 7.0 is not
 * in a JavaScript number: see `decodeExactValue`.
 */
type PayloadValue = null | boolean | number | bigint | string | Uint8Array | PayloadValue[] | {
    [key: string]: PayloadValue;
};
/** As `PayloadValue`, but a double that a number would be written back as an integer is a `Float`. */
type ExactPayloadValue = null | boolean | number | bigint | string | Uint8Array | Float | ExactPayloadValue[] | {
    [key: string]: ExactPayloadValue;
};
/**
 * Writes a value as one Avro single-object frame of `durable_workflow.protocol.Value` v1.
 *
 * A number that is a safe integer becomes a long, any other (fractions, −0, beyond ±(2^53 − 1)) a double; `float(7)`
 * writes 7.0. A bigint becomes a long. Uint8Array becomes bytes. Members of objects that are undefined are left out;
 * undefined as an argument, an element or the whole value is null, because its place counts. Nothing else is converted:
 * dates, class instances, functions, symbols, non-finite numbers, cycles and lone surrogates are refused.
 *
 * @param name  how error paths begin, e.g. `input` for `input.order.when: …`; default `value`
 * @throws CodecError of the writing reasons, with the path of the culprit
 * @source history-replay §6.2, §6.3
 */
declare const encodeValue: (value: unknown, name?: string) => Uint8Array;
/**
 * Reads one frame; the whole of it, or nothing.
 *
 * @throws CodecError `invalid_payload_framing`, `unsupported_payload_schema` or `structural_limit_exceeded`
 * @source history-replay §6.2, §6.4
 */
declare const decodeValue: (bytes: Uint8Array) => PayloadValue;
/**
 * Reads one frame without losing that 7.0 was a double: such doubles are `Float`s, so that writing the result again
 * gives an equal value in every language, and the same bytes where keys stand in the order of JavaScript objects and
 * the frame is in its shortest form. For tools that pass payloads on; application code wants `decodeValue`.
 *
 * @throws as `decodeValue`
 */
declare const decodeExactValue: (bytes: Uint8Array) => ExactPayloadValue;

/** A payload on the wire: `codec` the label (`avro`), `blob` the base64 text of one frame. */
type Envelope = {
    codec: string;
    blob: string;
};
/** The only payload codec of the 2.0 platform. JSON is the form of documents, never of payloads. */
declare const payloadCodec = "avro";
/**
 * Checks the `payload_codec` of a task, before anything of it is decoded: the exact string `avro`, nothing missing.
 *
 * @param thing  what carries the label, for the message; default `payload_codec`
 * @throws CodecError `unsupported_payload_codec`
 * @source history-replay §6.1
 */
declare const requirePayloadCodec: (label: unknown, thing?: string) => "avro";
/**
 * Writes a value and wraps it.
 *
 * @param name  how error paths begin; default `value`
 * @throws CodecError as `encodeValue`
 */
declare const encodeEnvelope: (value: unknown, name?: string) => Envelope;
/**
 * Writes positional arguments as one array.
 *
 * @param name  how error paths begin; default `input`, so the first argument's member is `input[0].order`
 * @throws CodecError as `encodeValue`
 */
declare const encodeArguments: (args: readonly unknown[], name?: string) => Envelope;
/** The base64 text of a frame. */
declare const blobFromBytes: (bytes: Uint8Array) => string;
/**
 * The frame inside a blob's base64 text, read strictly.
 *
 * @throws CodecError `invalid_payload_framing` or `structural_limit_exceeded`
 */
declare const bytesFromBlob: (blob: string) => Uint8Array;
/**
 * Whether plain data is a payload by its keys: `codec` and one of `blob`, `external_storage`, `external_payload`, and
 * nothing else. What is inside may still be refused by `decodeEnvelope`; any other object is ordinary data.
 *
 * @source history-replay §6.5
 */
declare const isEnvelopeShaped: (value: unknown) => value is {
    readonly codec: unknown;
};
/**
 * Reads what stands in a payload position.
 *
 * An envelope (further keys are ignored), or a bare blob whose codec is `surroundingCodec`. Nothing there (null,
 * undefined, an `avro` envelope whose blob is null) is null. Untagged JSON is never a payload.
 *
 * @param surroundingCodec  the `payload_codec` of the event or task that holds a bare blob; default `avro`. An
 *                          envelope's own label wins, as in the published SDKs.
 * @throws CodecError `unsupported_payload_codec` (label, or untagged JSON), `invalid_payload_envelope` (no blob; an
 *                    external payload, to be fetched first), or as `decodeValue`
 * @source history-replay §6.5; worker plane §11.1; published Python worker §11.1
 */
declare const decodeEnvelope: (envelope: unknown, surroundingCodec?: unknown) => PayloadValue;
/**
 * Reads positional arguments: the items of an array, none for null, otherwise the value as the only argument.
 *
 * @throws CodecError as `decodeEnvelope`
 * @source worker plane §11.1
 */
declare const decodeArguments: (envelope: unknown, surroundingCodec?: unknown) => PayloadValue[];
/**
 * The size that limits and offloading count: bytes of the blob's text, not of the frame inside.
 *
 * @source history-replay §6.6, §8.1 (`payload_size`)
 */
declare const envelopeBytes: (envelope: Pick<Envelope, "blob">) => number;

/**
 * Every reason that the codec gives, as the published SDKs and engine name them.
 *
 * Reading: `invalid_payload_framing`, `unsupported_payload_schema`, `unsupported_payload_codec`,
 * `invalid_payload_envelope`. Writing: `integer_overflow`, `non_finite_float`, `invalid_map_key`,
 * `unsupported_value_type`, `invalid_utf8_string`. Both: `structural_limit_exceeded` (the bounds of `limits.ts`).
 */
declare const codecReasons: readonly ["invalid_payload_framing", "unsupported_payload_schema", "unsupported_payload_codec", "invalid_payload_envelope", "integer_overflow", "non_finite_float", "invalid_map_key", "unsupported_value_type", "invalid_utf8_string", "structural_limit_exceeded"];
/** One of `codecReasons`; stable, safe to branch on. */
type CodecReason = (typeof codecReasons)[number];
/**
 * What the message of a `CodecError` is made from. Never holds the content of a string or of bytes.
 *
 * `thing` where it was found: a path such as `input.order.when`, or `payload`; `found` what was there; `limit` the bound
 * it missed; `offset` bytes from the start of the frame; `diagnosis` the published word for a frame that is not one
 * (`json_bytes_labeled_avro`, `invalid_base64`, `empty_payload`, `invalid_single_object_magic`,
 * `unsupported_payload_schema`).
 */
type CodecFacts = {
    readonly thing: string;
    readonly found: string;
    readonly limit?: string;
    readonly offset?: number;
    readonly diagnosis?: string;
};
declare const brand: unique symbol;
/**
 * A value that cannot be written as a payload, or a payload that cannot be read.
 *
 * Branch on `reason`; `facts` and `remedy` are what the message is made from. Use `CodecError.is(error)` rather than
 * `instanceof`: it also recognises errors of another copy of this package.
 */
declare class CodecError extends Error {
    readonly name = "CodecError";
    readonly reason: CodecReason;
    readonly facts: CodecFacts;
    readonly remedy: string;
    readonly [brand] = true;
    constructor(reason: CodecReason, facts: CodecFacts, remedy: string);
    /** Whether `value` is a CodecError of this or another copy of the package. */
    static is(value: unknown): value is CodecError;
}

/** Containers inside one another that we still write. The published Python SDK reads 450 from an empty call stack and fails at 500 (measured on 2.12.0); its workers stand some frames deeper. */
declare const encodeDepthMax = 400;
/** Containers inside one another that we still read: more than any published SDK can write as arrays (Python stops below 500) or as maps (below 1,000), and far from the end of a JavaScript call stack. */
declare const decodeDepthMax = 1024;
/** Containers inside one another in canonical JSON; as for reading. */
declare const jsonDepthMax = 1024;
/** Characters (bytes) of a blob's base64 text. The published Rust worker reads at most 64 MiB of payload in one response. */
declare const blobBytesMax = 67108864;
/** Bytes of one binary frame: what `blobBytesMax` characters of base64 can hold. */
declare const frameBytesMax: number;

export { CodecError, Float, blobBytesMax, blobFromBytes, bytesFromBlob, canonicalJson, codecReasons, decodeArguments, decodeDepthMax, decodeEnvelope, decodeExactValue, decodeValue, encodeArguments, encodeDepthMax, encodeEnvelope, encodeValue, envelopeBytes, float, frameBytesMax, isEnvelopeShaped, jsonDepthMax, payloadCodec, requirePayloadCodec };
export type { CodecFacts, CodecReason, Envelope, ExactPayloadValue, PayloadValue };

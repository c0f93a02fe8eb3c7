// Every bound of the codec. What a server admits (2 MiB by default) is a setting of that server, not of the codec:
// callers compare `envelopeBytes` with the limit that they were given.

/** Containers inside one another that we still write. The published Python SDK reads 450 from an empty call stack and fails at 500 (measured on 2.12.0); its workers stand some frames deeper. */
export const encodeDepthMax = 400

/** Containers inside one another that we still read: more than any published SDK can write as arrays (Python stops below 500) or as maps (below 1,000), and far from the end of a JavaScript call stack. */
export const decodeDepthMax = 1_024

/** Containers inside one another in canonical JSON; as for reading. */
export const jsonDepthMax = 1_024

/** Characters (bytes) of a blob's base64 text. The published Rust worker reads at most 64 MiB of payload in one response. */
export const blobBytesMax = 67_108_864

/** Bytes of one binary frame: what `blobBytesMax` characters of base64 can hold. */
export const frameBytesMax = (blobBytesMax / 4) * 3

/** Bytes of a variable-length integer: 64 bits in groups of seven (Avro binary encoding). */
export const varintBytesMax = 10

/** Smallest integer of a LongValue (Avro `long`, signed 64 bit). */
export const longMin = -(2n ** 63n)

/** Largest integer of a LongValue (Avro `long`, signed 64 bit). */
export const longMax = 2n ** 63n - 1n

import { encodeArguments } from '@durable-workflow/codec'

/** A payload as the wire carries it: the codec's name and the encoded bytes in base64 (worker plane 1.19, envelope). */
export type Envelope = { readonly codec: string; readonly blob: string }

/** The one codec of this line. */
export const payloadCodec = 'avro'

/** What stands where a caller gave no arguments: the encoded empty list, for published workers need one (python-recordings §4.2). */
export const noArguments: Envelope = encodeArguments([])

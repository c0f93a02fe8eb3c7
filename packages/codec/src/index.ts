export { canonicalJson } from './canonical-json.ts'
export {
  blobFromBytes,
  bytesFromBlob,
  decodeArguments,
  decodeEnvelope,
  type Envelope,
  encodeArguments,
  encodeEnvelope,
  envelopeBytes,
  isEnvelopeShaped,
  payloadCodec,
  requirePayloadCodec,
} from './envelope.ts'
export { CodecError, type CodecFacts, type CodecReason, codecReasons } from './error.ts'
export { blobBytesMax, decodeDepthMax, encodeDepthMax, frameBytesMax, jsonDepthMax } from './limits.ts'
export {
  decodeExactValue,
  decodeValue,
  type ExactPayloadValue,
  encodeValue,
  Float,
  float,
  type PayloadValue,
} from './value.ts'

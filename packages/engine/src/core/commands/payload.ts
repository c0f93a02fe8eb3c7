import { envelopeBytes } from '@durable-workflow/codec'
import { limits, type Payload } from '@durable-workflow/protocol'
import { type Envelope, payloadCodec } from '../state/payload.ts'
import { type CommandContext, type CommandRefusal, refuseCommand, refuseLimit } from './command.ts'

/** A payload as it is stored: an envelope; a bare blob is of the one codec of this line. */
export function envelopeOf(payload: Payload | null | undefined): Envelope | undefined {
  if (payload == null) return undefined
  return typeof payload === 'string'
    ? { codec: payloadCodec, blob: payload }
    : { codec: payload.codec, blob: payload.blob }
}

/** Refuses a payload of another codec, one whose two codecs differ, and one above the size limit. */
export function payloadRefusal(
  context: CommandContext,
  commandType: string,
  payload: Payload | null | undefined,
  declaredCodec: string | null | undefined,
): CommandRefusal | undefined {
  if (declaredCodec != null && declaredCodec !== payloadCodec) {
    return refuseCommand(context, commandType, `unsupported payload codec '${declaredCodec}'; send '${payloadCodec}'`)
  }
  const envelope = envelopeOf(payload)
  if (envelope === undefined) return undefined
  if (envelope.codec !== payloadCodec) {
    return refuseCommand(context, commandType, `unsupported payload codec '${envelope.codec}'; send '${payloadCodec}'`)
  }
  const bytes = envelopeBytes(envelope)
  if (bytes <= limits.payloadBytesMax) return undefined
  return refuseLimit(context, {
    limitKind: 'payload_size',
    currentValue: bytes,
    configuredLimit: limits.payloadBytesMax,
  })
}

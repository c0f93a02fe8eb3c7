// What a client gets whose bytes are no whole HTTP request: no gate and no route was met, and the connection ends.
import { maxHeaderSize } from 'node:http'
import type { Socket } from 'node:net'
import { type No, no, render, type WorkerEnvelope } from './reply.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

export interface ClientErrorOptions {
  readonly envelope: WorkerEnvelope
  readonly telemetry: Telemetry
  readonly requestTimeoutMs: number
}

interface ClientError extends Error {
  readonly code?: string
}

/** Answers on the bare socket and ends it; a client that is gone already gets nothing. */
export function clientErrorHandler({ envelope, telemetry, requestTimeoutMs }: ClientErrorOptions) {
  return (error: ClientError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const answer = answerOf(error, requestTimeoutMs)
    const { status, headers, text } = render(answer, { plane: 'control', operation: undefined, path: {} }, envelope)
    telemetry.metrics.request('none', status, answer.reason, 0)
    const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' })
    const head = [`HTTP/1.1 ${status} ${answer.reason}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
  }
}

function answerOf({ code, message }: ClientError, requestTimeoutMs: number): No {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return no('request_headers_too_large', { limit: maxHeaderSize })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return no('request_timeout', { limit_seconds: requestTimeoutMs / 1000 })
    default:
      return no('malformed_request', { http_error: message })
  }
}

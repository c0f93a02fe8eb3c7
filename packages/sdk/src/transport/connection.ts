// One server as this package speaks to it: typed operations, headers, what may be repeated, errors.
import {
  type BuiltOperationId,
  controlPlaneVersion,
  operations,
  protocolHeaders,
  type ResponseOf,
} from '@durable-workflow/protocol'
import { type CallOptions, createProtocolClient, type ProtocolClient } from '@durable-workflow/protocol/client'
import { type Chance, systemChance } from './chance.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Discovery, readDiscovery } from './discovery.ts'
import { isJson } from './json.ts'
import { errorOfReply, unreadable } from './reply-error.ts'
import { clientRetry, isRepeatable, type RawReply, type RetryPolicy, sendRepeatedly } from './retry.ts'
import { type ConnectionSettings, type ResolvedSettings, resolveSettings } from './settings.ts'
import type { Transport } from './transport.ts'
import { openTransport } from './undici.ts'

export interface ConnectionOptions extends ConnectionSettings {
  /** The line that a worker speaks; clients leave it out. */
  readonly workerProtocol?: string | undefined
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  readonly transport?: Transport | undefined
  readonly clock?: Clock | undefined
  readonly chance?: Chance | undefined
  readonly retry?: RetryPolicy | undefined
  /** Connections for requests that are not held; default 64. */
  readonly connections?: number | undefined
}

export interface Connection {
  readonly settings: ResolvedSettings
  readonly clock: Clock
  readonly chance: Chance
  /**
   * Carries an operation out, repeating what may be repeated.
   *
   * @throws RefusedError for a refusal, TransportError where the outcome is unknown; both hold the answer unchanged
   */
  call<Op extends BuiltOperationId>(operationId: Op, options: CallOptions<Op>): Promise<ResponseOf<Op>>
  /**
   * Sends an operation once and hands back the answer, whatever its status. `held` for what the server may hold.
   *
   * @throws TransportError when there is no answer
   */
  exchange<Op extends BuiltOperationId>(operationId: Op, options: CallOptions<Op>): Promise<RawReply>
  /** What the server offers; asked once, kept for the life of the connection. */
  discover(): Promise<Discovery>
  close(): Promise<void>
}

const answerTimeoutMs = 30_000
// The longest poll that the protocol knows is 60 s; the rest is for the way.
const heldTimeoutMs = 75_000

const heldOperations: readonly string[] = ['pollWorkflowTask', 'pollActivityTask', 'pollQueryTask']

export function openConnection(options: ConnectionOptions): Connection {
  const settings = resolveSettings(options, options.environment ?? {})
  const clock = options.clock ?? systemClock
  const transport = options.transport ?? openTransport({ origin: settings.origin, connections: options.connections })
  const policy = options.retry ?? clientRetry
  const clients = {
    short: protocolClient(transport, settings, false),
    held: protocolClient(transport, settings, true),
  }
  const controlHeaders: Record<string, string> = { [protocolHeaders.controlPlaneVersion]: controlPlaneVersion }
  const workerHeaders =
    options.workerProtocol === undefined
      ? controlHeaders
      : { [protocolHeaders.workerProtocolVersion]: options.workerProtocol }
  const headersOf = (
    operationId: BuiltOperationId,
    more: Record<string, string> | undefined,
  ): Record<string, string> => {
    const own = operations[operationId].plane === 'worker' ? workerHeaders : controlHeaders
    return more === undefined ? own : { ...own, ...more }
  }

  async function once<Op extends BuiltOperationId>(operationId: Op, call: CallOptions<Op>): Promise<RawReply> {
    const client = isHeld(operationId, call) ? clients.held : clients.short
    const reply = await client.call(operationId, { ...call, headers: headersOf(operationId, call.headers) })
    return { status: Number(reply.status), headers: reply.headers, body: reply.body }
  }

  async function repeated<Op extends BuiltOperationId>(operationId: Op, call: CallOptions<Op>): Promise<RawReply> {
    return sendRepeatedly(() => once(operationId, call), {
      isSafe: isRepeatable(operationId, call.body),
      policy,
      clock,
      signal: call.signal,
    })
  }

  let discovery: Promise<Discovery> | undefined
  async function discover(): Promise<Discovery> {
    const reply = await repeated('getClusterInfo', {})
    return readDiscovery(successOf('getClusterInfo', reply))
  }

  return {
    settings,
    clock,
    chance: options.chance ?? systemChance,
    call: async (operationId, call) => successOf(operationId, await repeated(operationId, call)),
    exchange: once,
    discover: () => {
      discovery ??= discover().catch((error: unknown) => {
        // A failed attempt is not kept: the next caller asks again.
        discovery = undefined
        throw error
      })
      return discovery
    },
    close: () => transport.close(),
  }
}

function protocolClient(transport: Transport, settings: ResolvedSettings, held: boolean): ProtocolClient {
  const timeoutMs = held ? heldTimeoutMs : answerTimeoutMs
  return createProtocolClient({
    baseUrl: settings.basePath,
    headers: {
      [protocolHeaders.namespace]: settings.namespace,
      ...(settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` }),
    },
    send: ({ method, url, headers, body, signal }) =>
      transport.send({ method, path: url, headers, body, signal, held, timeoutMs }),
  })
}

function isHeld(operationId: BuiltOperationId, call: { readonly query?: unknown }): boolean {
  if (heldOperations.includes(operationId)) return true
  return isJson(call.query) && (call.query.wait_closed !== undefined || call.query.wait_new_event !== undefined)
}

/** The body of a success; everything else is thrown. */
export function successOf<Op extends BuiltOperationId>(operationId: Op, reply: RawReply): ResponseOf<Op>
export function successOf(operationId: BuiltOperationId, reply: RawReply): unknown {
  if (reply.status < 200 || reply.status > 299) throw errorOfReply(operationId, reply)
  if (!isJson(reply.body)) throw unreadable(operationId, reply.status)
  return reply.body
}

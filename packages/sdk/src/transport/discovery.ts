import { limits, type ResponseOf } from '@durable-workflow/protocol'
import { isTrue, memberOf, numberOf, textOf } from './json.ts'

/** What a server says about itself, as far as this package decides anything by it. */
export interface Discovery {
  /** The worker line that the server advertises; empty when it says none. */
  readonly workerProtocol: string
  /** A start may be repeated when it carries a `start_id`. */
  readonly startId: boolean
  /** A description may be held until the run closes. */
  readonly waitClosed: boolean
  /** Fields that end in `_ms` carry exact durations. */
  readonly millisecondDurations: boolean
  readonly queryTasks: boolean
  /** The server leaves out the events that the worker says it keeps. */
  readonly historyCache: boolean
  /** A completion may say which recorded condition waits its code has moved past. */
  readonly resolvedWaits: boolean
  /** A report may offer free slots, and its reply may hand over the tasks that it made ready. */
  readonly taskHandOver: boolean
  /** The server states what its operations were generated from. */
  readonly specDigests: boolean
  /** Bytes of one payload's blob. */
  readonly payloadBytesMax: number
  readonly structuralLimits: StructuralLimits
}

/** What one report may hold, and a run have open; infinite where the server states no number and the documents none. */
export interface StructuralLimits {
  readonly commandsPerCompletion: number
  readonly historyTransactionEvents: number
  readonly pendingActivities: number
  readonly pendingTimers: number
  readonly bodyBytes: number
}

/** Reads a discovery document; what is missing counts as not offered. */
export function readDiscovery(document: ResponseOf<'getClusterInfo'> | unknown): Discovery {
  const workerProtocol = memberOf(document, 'worker_protocol')
  const server = memberOf(workerProtocol, 'server_capabilities')
  const own = memberOf(document, 'capabilities')
  const payloadBytesMax = numberOf(memberOf(document, 'limits'), 'max_payload_bytes') ?? limits.payloadBytesMax
  const has = (name: string) => isTrue(own, name) || isTrue(server, name)
  return {
    workerProtocol: textOf(workerProtocol, 'version') ?? '',
    startId: has('start_id'),
    waitClosed: has('wait_closed'),
    millisecondDurations: has('millisecond_durations'),
    queryTasks: isTrue(server, 'query_tasks'),
    historyCache: has('history_cache'),
    resolvedWaits: has('resolved_waits'),
    taskHandOver: isTrue(server, 'task_hand_over'),
    specDigests: isTrue(own, 'spec_digests'),
    payloadBytesMax,
    structuralLimits: readStructuralLimits(memberOf(document, 'structural_limits'), payloadBytesMax),
  }
}

function readStructuralLimits(stated: unknown, payloadBytesMax: number): StructuralLimits {
  // 0 or less means that a server has switched the limit off.
  const limit = (name: string, otherwise: number) => {
    const value = numberOf(stated, name) ?? otherwise
    return value > 0 ? value : Number.POSITIVE_INFINITY
  }
  return {
    commandsPerCompletion: limit('command_batch_size', limits.commandsPerCompletionMax),
    historyTransactionEvents: limit('history_transaction_size', limits.historyTransactionEventsMax),
    pendingActivities: limit('pending_activity_count', Number.POSITIVE_INFINITY),
    pendingTimers: limit('pending_timer_count', Number.POSITIVE_INFINITY),
    bodyBytes: Math.max(limits.bodyBytesMax, payloadBytesMax),
  }
}

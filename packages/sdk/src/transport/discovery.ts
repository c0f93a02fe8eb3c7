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
  /** Bytes of one payload's blob. */
  readonly payloadBytesMax: number
}

/** Reads a discovery document; what is missing counts as not offered. */
export function readDiscovery(document: ResponseOf<'getClusterInfo'> | unknown): Discovery {
  const workerProtocol = memberOf(document, 'worker_protocol')
  const server = memberOf(workerProtocol, 'server_capabilities')
  const own = memberOf(document, 'capabilities')
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
    payloadBytesMax: numberOf(memberOf(document, 'limits'), 'max_payload_bytes') ?? limits.payloadBytesMax,
  }
}

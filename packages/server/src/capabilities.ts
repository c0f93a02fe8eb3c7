// What is advertised and what is admitted, from one place: discovery, every answer of the worker plane, and the routes
// that take a field of ours read the same object (C-03).

import type { EngineSettings } from '@durable-workflow/engine'
import { commandTypes, defaults, limits } from '@durable-workflow/protocol'
import type { WorkerEnvelope } from './reply.ts'
import type { ServerSettings } from './settings.ts'
import type { WireFacts } from './wire-facts.ts'

/**
 * The `server_capabilities` object: a key that is absent is a thing this server does not do.
 *
 * Workers drop tasks silently when half of a contract is advertised, so nothing optional of the published SDKs stands
 * here before the whole of it is built.
 */
export function serverCapabilities(settings: ServerSettings, engine: EngineSettings): WireFacts {
  return {
    query_tasks: true,
    supported_workflow_task_commands: [...commandTypes],
    long_poll_timeout: defaults.pollTimeoutSeconds,
    workflow_task_poll_request_idempotency: true,
    query_task_poll_request_idempotency: true,
    history_page_size_default: engine.historyPageSize,
    history_page_size_max: limits.historyPageSizeMax,
    query_task_timeouts: {
      control_plane_timeout_seconds: Math.ceil(engine.queryTimeoutMs / 1000),
      lease_timeout_seconds: Math.ceil(engine.queryLeaseMs / 1000),
      lease_grace_seconds: defaults.queryLeaseGraceSeconds,
    },
    activity_retry_policy: true,
    activity_timeouts: true,
    non_retryable_failures: true,
    worker_status: {
      supported: true,
      heartbeat_interval_seconds: defaults.workerHeartbeatIntervalSeconds,
      stale_after_seconds: defaults.workerStaleAfterSeconds,
    },
    ...addition('history_cache', settings.additions.historyCache),
    ...addition('resolved_waits', settings.additions.resolvedWaits),
    ...addition('task_hand_over', settings.additions.taskHandOver),
    ...addition('millisecond_durations', settings.additions.millisecondDurations),
    ...addition('heartbeat_details', settings.additions.heartbeatDetails),
  }
}

/** What the control plane can do, our own additions to the published protocol last. */
export function controlCapabilities({ additions }: ServerSettings): WireFacts {
  return {
    workflow_tasks: true,
    activity_tasks: true,
    signals: true,
    queries: true,
    payload_codecs: ['avro'],
    payload_codec_envelope: true,
    payload_codec_envelope_responses: true,
    ...addition('start_id', additions.startId),
    ...addition('wait_closed', additions.waitClosed),
    ...addition('spec_digests', additions.specDigests),
    ...addition('millisecond_durations', additions.millisecondDurations),
    ...addition('explanation', additions.explanation),
  }
}

function addition(name: string, on: boolean): WireFacts {
  return on ? { [name]: true } : {}
}

/** The capabilities as text, made once: they stand in every answer of the worker plane. */
export function workerEnvelope(version: string, capabilities: WireFacts): WorkerEnvelope {
  const members = `"protocol_version":${JSON.stringify(version)},"server_capabilities":${JSON.stringify(capabilities)}`
  return { version, members }
}

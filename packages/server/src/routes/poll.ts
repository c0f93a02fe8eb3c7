// What the three polls have in common (worker plane §5).
import type { Lease, PollRequest, PollResult, Refused } from '@durable-workflow/engine'
import { type BuiltOperationId, defaults } from '@durable-workflow/protocol'
import { objectText } from '../json-text.ts'
import { refused } from '../refusal.ts'
import { type Answer, done, type No } from '../reply.ts'
import type { Call } from '../route.ts'
import type { WireFacts } from '../wire-facts.ts'

export interface PollBody {
  readonly worker_id: string
  readonly task_queue: string
  readonly build_id?: string | null
  readonly poll_request_id?: string | null
  readonly timeout_seconds?: number | null
}

type Polled = Pick<Call<BuiltOperationId>, 'namespace' | 'version' | 'server' | 'held'>

/** Holds a poll; it ends with a claim, when its time is up, when the client goes, or when the server drains. */
export function poll(
  call: Polled,
  kind: PollRequest['kind'],
  body: PollBody,
  historyPageSize?: number,
): Promise<PollResult> {
  return call.server.engine.poll({
    kind,
    namespace: call.namespace,
    taskQueue: body.task_queue,
    workerId: body.worker_id,
    buildId: body.build_id ?? undefined,
    pollRequestId: body.poll_request_id ?? undefined,
    timeoutMs: (body.timeout_seconds ?? defaults.pollTimeoutSeconds) * 1000,
    protocolVersion: call.version,
    historyPageSize,
    signal: call.held(),
  })
}

/** A poll that claimed. @param task the task's document, or its text */
export function leased(task: WireFacts | string): Answer {
  return done({ poll_status: 'leased' }, { texts: { task: typeof task === 'string' ? task : objectText(task) } })
}

/** A poll that found nothing. A server that drains says so in no reply: published workers would stop for good. */
export function empty(status: Extract<PollResult, { readonly kind: 'empty' }>['status']): Answer {
  return done({ task: null, poll_status: status === 'draining' ? 'empty' : status })
}

const statuses: Readonly<Record<string, string>> = { worker_draining: 'draining' }

/** A poll that is not served; its body still reads as a poll reply without a task. */
export function refusedPoll(refusal: Refused, call: Polled, body: PollBody): No {
  return refused(refusal, {
    task: null,
    poll_status: statuses[refusal.reason] ?? 'rejected',
    worker_id: body.worker_id,
    task_queue: body.task_queue,
    namespace: call.namespace,
  })
}

/** A claim of another kind than the poll asked for is a fault of ours. */
export function wrongKind(kind: string): never {
  throw new Error(`The engine answered a poll with a claim of kind ${kind}, which it did not ask for.`)
}

/** The lease of a claim. */
export function leaseOf(claimed: { readonly lease: Lease | undefined }): Lease {
  if (claimed.lease !== undefined) return claimed.lease
  throw new Error('The engine answered a poll with a task that nobody leased.')
}

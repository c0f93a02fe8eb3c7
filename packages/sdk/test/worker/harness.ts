// A managed worker against the stub: short waits between repeats, one poller a kind, its own log.
import { encodeArguments } from '@durable-workflow/codec'
import { activity } from '../../src/authoring/activity.ts'
import { type } from '../../src/authoring/contract.ts'
import { query, signal } from '../../src/authoring/message.ts'
import { workflow } from '../../src/authoring/workflow.ts'
import type { WorkerOptions } from '../../src/worker/options.ts'
import { createWorker, type Worker } from '../../src/worker/worker.ts'
import type { Stub } from '../transport/stub-server.ts'

export const taskQueue = 'orders'
export const workerId = 'w1'

export const charge = activity('charge', { input: type<string>(), output: type<string>() })
export const approved = signal('approved', type<string>())
export const progress = query('progress', { output: type<string>() })

/** Two steps, a query, and an end. */
export const checkout = workflow(
  'checkout',
  { input: type<string>(), output: type<string>(), handles: [approved, progress] },
  async (ctx, order) => {
    let state = 'new'
    ctx.handle(progress, () => state)
    const receipt = await ctx.run(charge, order)
    state = 'charged'
    const by = await ctx.waitFor(approved)
    return `${receipt} by ${by}`
  },
)

/** Ends at once. */
export const greet = workflow(
  'greet',
  { input: type<string>(), output: type<string>() },
  async (_ctx, name) => `hello ${name}`,
)

/** Fails at once. */
export const broken = workflow('broken', { input: type<string>(), output: type<string>() }, async () => {
  throw new RangeError('out of stock')
})

export const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Starts a worker and its run; `run` is what the tests look at. */
export async function startWorker(
  stub: Stub,
  options: Partial<WorkerOptions> = {},
): Promise<{ worker: Worker; run: Promise<void> }> {
  const worker = await createWorker({
    server: stub.url,
    taskQueue,
    workerId,
    workflows: [checkout, greet, broken],
    pollers: { workflow: 1, activity: 1, query: 1 },
    reportRetry: { attemptsMax: 3, firstMs: 1, longestMs: 2 },
    log: silent,
    ...options,
  })
  const run = worker.run()
  // The tests await it themselves, some of them late.
  run.catch(() => {})
  return { worker, run }
}

const recordedAt = '2026-11-30T08:00:00.000000Z'

export function event(sequence: number, type_: string, payload: Record<string, unknown> = {}) {
  return { id: `e${sequence}`, sequence, event_type: type_, payload, recorded_at: recordedAt }
}

export function leaseUntil(ms = 60_000): string {
  return new Date(Date.now() + ms).toISOString()
}

export function workflowTask(id: string, more: Record<string, unknown> = {}) {
  const events = [event(1, 'WorkflowStarted', { workflow_type: 'greet' })]
  return {
    task_kind: 'workflow',
    task_id: id,
    workflow_task_attempt: 1,
    workflow_id: `order-${id}`,
    run_id: `run-${id}`,
    workflow_type: 'greet',
    namespace: 'default',
    task_queue: taskQueue,
    payload_codec: 'avro',
    arguments: encodeArguments(['ada']),
    history_events: events,
    next_history_page_token: null,
    total_history_events: events.length,
    run_status: 'running',
    lease_owner: workerId,
    lease_expires_at: leaseUntil(),
    ...more,
  }
}

export function activityTask(id: string, more: Record<string, unknown> = {}) {
  return {
    task_id: id,
    activity_attempt_id: `attempt-${id}`,
    activity_execution_id: id,
    activity_type: 'charge',
    payload_codec: 'avro',
    arguments: encodeArguments(['order-1']),
    attempt_number: 1,
    lease_owner: workerId,
    lease_expires_at: leaseUntil(),
    workflow_id: 'order-1',
    run_id: 'run-1',
    namespace: 'default',
    task_queue: taskQueue,
    idempotency_key: id,
    ...more,
  }
}

/** A full receipt of a closed run for the task `id`. */
export function closedReceipt(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    task_id: id,
    workflow_task_attempt: 1,
    run_id: `run-${id}`,
    recorded: false,
    reason: 'run_closed',
    error: 'The run is closed.',
    stop_reason: 'run_cancelled',
    cancel_requested: true,
    can_continue: false,
    run_status: 'cancelled',
    run_closed_reason: 'cancelled',
    run_closed_at: recordedAt,
    task_status: 'cancelled',
    lease_owner: workerId,
    lease_expires_at: null,
    ...more,
  }
}

export const completed = { status: 200, body: { outcome: 'completed', recorded: true } } as const

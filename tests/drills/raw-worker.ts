// A worker by hand: every request is written out by the test, nothing is repeated, renewed or settled.
import { randomUUID } from 'node:crypto'
import { encodeEnvelope } from '@durable-workflow/codec'
import { expect } from 'vitest'
import { type JsonClient, jsonClient, type Reply, type RequestOptions } from '../support/http.ts'
import { waitFor } from '../support/wait-for.ts'

export interface RawWorkerOptions {
  readonly url: string
  readonly taskQueue: string
  /** Default: made anew. */
  readonly workerId?: string
  readonly activityTypes?: readonly string[]
  readonly workflowTypes?: readonly string[]
}

/** What tells one process of a worker id from the next. */
export interface ProcessIdentity {
  readonly host: string
  readonly process_id: number
  readonly process_started_at: string
}

export interface WorkflowClaim {
  readonly kind: 'workflow'
  readonly taskId: string
  readonly attempt: number
  readonly runId: string
  readonly owner: string
  /** Epoch ms. */
  readonly expiresAt: number
}

export interface ActivityClaim {
  readonly kind: 'activity'
  readonly taskId: string
  readonly attemptId: string
  readonly attempt: number
  readonly runId: string
  readonly owner: string
  /** Epoch ms. */
  readonly expiresAt: number
}

type Claim = WorkflowClaim | ActivityClaim
type Fields = Readonly<Record<string, unknown>>

export interface RawWorker extends AsyncDisposable {
  readonly workerId: string
  readonly client: JsonClient
  register(process?: ProcessIdentity): Promise<Reply>
  deregister(): Promise<Reply>
  pollWorkflow(fields?: Fields, options?: RequestOptions): Promise<Reply>
  pollActivity(fields?: Fields, options?: RequestOptions): Promise<Reply>
  /** Polls for up to 30 s. @throws when nothing was claimed */
  claimWorkflow(fields?: Fields): Promise<WorkflowClaim>
  claimActivity(fields?: Fields): Promise<ActivityClaim>
  /** `complete`, `fail` or `heartbeat` of a claim, as its owner; `fields` win. */
  report(claim: Claim, verb: 'complete' | 'fail' | 'heartbeat', fields?: Fields): Promise<Reply>
}

/** Registers nothing by itself. */
export function rawWorker(options: RawWorkerOptions): RawWorker {
  const { taskQueue, workerId = `raw-${randomUUID()}` } = options
  const client = jsonClient({ url: options.url })
  const poll = (kind: 'workflow' | 'activity', fields: Fields, how?: RequestOptions): Promise<Reply> =>
    client.worker('POST', `/${kind}-tasks/poll`, { worker_id: workerId, task_queue: taskQueue, ...fields }, how)
  const worker: RawWorker = {
    workerId,
    client,
    async register(process) {
      const reply = await client.worker('POST', '/register', {
        worker_id: workerId,
        task_queue: taskQueue,
        runtime: 'typescript',
        supported_workflow_types: options.workflowTypes ?? ['drill'],
        supported_activity_types: options.activityTypes ?? ['work'],
        ...(process === undefined ? {} : { process_metrics: process }),
      })
      expect(reply.status, reply.text).toBe(201)
      return reply
    },
    deregister: () => client.worker('DELETE', `/registrations/${workerId}`),
    pollWorkflow: (fields = {}, how) => poll('workflow', { timeout_seconds: 0, ...fields }, how),
    pollActivity: (fields = {}, how) => poll('activity', { timeout_seconds: 0, ...fields }, how),
    claimWorkflow: async (fields = {}) => workflowClaim(await poll('workflow', { timeout_seconds: 30, ...fields })),
    claimActivity: async (fields = {}) => activityClaim(await poll('activity', { timeout_seconds: 30, ...fields })),
    report: (claim, verb, fields = {}) =>
      client.worker('POST', `/${claim.kind}-tasks/${claim.taskId}/${verb}`, {
        lease_owner: claim.owner,
        ...(claim.kind === 'workflow'
          ? { workflow_task_attempt: claim.attempt }
          : { activity_attempt_id: claim.attemptId }),
        ...fields,
      }),
    [Symbol.asyncDispose]: () => client.close(),
  }
  return worker
}

/** @throws when the poll claimed nothing */
export function workflowClaim(reply: Reply): WorkflowClaim {
  return {
    kind: 'workflow',
    taskId: reply.stringAt('task.task_id'),
    attempt: reply.numberAt('task.workflow_task_attempt'),
    runId: reply.stringAt('task.run_id'),
    owner: reply.stringAt('task.lease_owner'),
    expiresAt: Date.parse(reply.stringAt('task.lease_expires_at')),
  }
}

function activityClaim(reply: Reply): ActivityClaim {
  return {
    kind: 'activity',
    taskId: reply.stringAt('task.task_id'),
    attemptId: reply.stringAt('task.activity_attempt_id'),
    attempt: reply.numberAt('task.attempt_number'),
    runId: reply.stringAt('task.run_id'),
    owner: reply.stringAt('task.lease_owner'),
    expiresAt: Date.parse(reply.stringAt('task.lease_expires_at')),
  }
}

export interface RunIds {
  readonly workflowId: string
  readonly runId: string
}

export async function startRun(client: JsonClient, taskQueue: string, fields: Fields = {}): Promise<RunIds> {
  const reply = await client.control('POST', '/workflows', {
    workflow_id: `drill-${randomUUID()}`,
    workflow_type: 'drill',
    task_queue: taskQueue,
    ...fields,
  })
  expect(reply.status, reply.text).toBe(201)
  return { workflowId: reply.stringAt('workflow_id'), runId: reply.stringAt('run_id') }
}

export const scheduleWork = (fields: Fields = {}): Fields => ({
  type: 'schedule_activity',
  activity_type: 'work',
  ...fields,
})
export const waitForSignal: Fields = { type: 'open_signal_wait', signal_name: 'go' }
export const finish = (value: unknown = 'done'): Fields => ({
  type: 'complete_workflow',
  result: encodeEnvelope(value),
})
export const failRun: Fields = { type: 'fail_workflow', message: 'it went wrong', exception_type: 'Wrong' }
export const waiting: Fields = {
  message: 'Workflow task waiting for scheduled history.',
  type: 'WorkflowTaskWaitingForHistory',
}

/** Waits until a lease is over by the clock of this machine. @param expiresAt  epoch ms */
export const expired = (expiresAt: number) =>
  waitFor('the lease has expired', () => Date.now() > expiresAt, { timeoutMs: 30_000 })

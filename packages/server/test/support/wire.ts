// The wire as a worker and a client use it, in the few steps that most tests need.
import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { expect } from 'vitest'
import type { Answered, TestClient } from './test-client.ts'

export const queue = 'orders'
export const workflowType = 'checkout'
export const activityType = 'charge'
export const worker = 'worker-1'

export const argumentsOf = (...values: unknown[]) => encodeArguments(values)
export const resultOf = (value: unknown) => encodeEnvelope(value)

export interface Registering {
  readonly worker_id?: string
  readonly task_queue?: string
  readonly capabilities?: readonly string[]
  readonly supported_workflow_types?: readonly string[]
  readonly supported_activity_types?: readonly string[]
  readonly [field: string]: unknown
}

export async function register(client: TestClient, fields: Registering = {}): Promise<Answered> {
  const answer = await client.call('registerWorker', {
    body: {
      worker_id: worker,
      task_queue: queue,
      runtime: 'typescript',
      supported_workflow_types: [workflowType],
      supported_activity_types: [activityType],
      capabilities: ['query_tasks'],
      ...fields,
    },
  })
  expect(answer.status, answer.text).toBe(201)
  return answer
}

let started = 0

export interface StartedRun {
  readonly workflowId: string
  readonly runId: string
}

export async function start(client: TestClient, fields: Readonly<Record<string, unknown>> = {}): Promise<StartedRun> {
  started += 1
  const answer = await client.call('startWorkflow', {
    body: {
      workflow_id: `w-${started}`,
      workflow_type: workflowType,
      task_queue: queue,
      input: ['first', 2],
      ...fields,
    },
  })
  expect(answer.status, answer.text).toBe(201)
  return { workflowId: answer.body.workflow_id, runId: answer.body.run_id }
}

/** Claims the next workflow task. */
export async function claim(client: TestClient, fields: Readonly<Record<string, unknown>> = {}) {
  const answer = await client.call('pollWorkflowTask', {
    body: { worker_id: worker, task_queue: queue, timeout_seconds: 5, ...fields },
  })
  expect(answer.body.task, answer.text).not.toBeNull()
  return answer.body.task
}

export interface Task {
  readonly task_id: string
  readonly workflow_task_attempt: number
}

export function complete(client: TestClient, task: Task, commands: readonly unknown[], fields = {}): Promise<Answered> {
  return client.call('completeWorkflowTask', {
    path: { task_id: task.task_id },
    body: { lease_owner: worker, workflow_task_attempt: task.workflow_task_attempt, commands, ...fields },
  })
}

export function failTask(
  client: TestClient,
  task: Task,
  failure: Readonly<Record<string, unknown>>,
  fields = {},
): Promise<Answered> {
  return client.call('failWorkflowTask', {
    path: { task_id: task.task_id },
    body: { lease_owner: worker, workflow_task_attempt: task.workflow_task_attempt, failure, ...fields },
  })
}

export const schedule = (fields: Readonly<Record<string, unknown>> = {}) => ({
  type: 'schedule_activity',
  activity_type: activityType,
  queue,
  arguments: argumentsOf('order-7', 12.5),
  ...fields,
})

export const finish = (value: unknown = 'done') => ({ type: 'complete_workflow', result: resultOf(value) })

/** Claims the next activity task. */
export async function claimActivity(client: TestClient, fields: Readonly<Record<string, unknown>> = {}) {
  const answer = await client.call('pollActivityTask', {
    body: { worker_id: worker, task_queue: queue, timeout_seconds: 5, ...fields },
  })
  expect(answer.body.task, answer.text).not.toBeNull()
  return answer.body.task
}

/** A run with one activity that is claimed. */
export async function runWithActivity(client: TestClient, fields: Readonly<Record<string, unknown>> = {}) {
  const run = await start(client)
  await complete(client, await claim(client), [schedule(fields)])
  return { run, activity: await claimActivity(client) }
}

/** A run that ended with a result, on a queue of its own: no other task is in its way. */
export async function finishedRun(
  client: TestClient,
): Promise<StartedRun & { readonly place: { worker_id: string; task_queue: string } }> {
  started += 1
  const place = { worker_id: `finisher-${started}`, task_queue: `finishing-${started}` }
  await register(client, place)
  const run = await start(client, { task_queue: place.task_queue })
  const answer = await complete(client, await claim(client, place), [finish()], { lease_owner: place.worker_id })
  expect(answer.status, answer.text).toBe(200)
  return { ...run, place }
}

// The states in which a request may find what it names, each prepared over the wire on a queue of its own.
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { expect } from 'vitest'
import type { Known } from './schema-values.ts'
import type { StandingClock } from './standing-clock.ts'
import type { Stored } from './stored.ts'
import type { TestClient } from './test-client.ts'
import {
  activityType,
  claim,
  claimActivity,
  complete,
  failTask,
  finish,
  register,
  schedule,
  start,
  workflowType,
} from './wire.ts'

/** Where states are prepared. */
export interface Stage {
  readonly client: TestClient
  readonly clock: StandingClock
  readonly stored: Stored
  readonly leaseMs: number
  /** Whether what is prepared holds an activity under way; four requests more. */
  readonly withActivity: boolean
}

/**
 * Waits until nothing is due any more: what time had to do is done, and nothing is written without being asked for.
 *
 * @param aheadMs  as long as nothing may become due from then on; what would is made to happen now
 */
export async function settled({ clock, stored }: Stage, aheadMs = 0): Promise<void> {
  await waitFor('nothing is due any more', async () => {
    if (!(await stored.isAnythingDue(clock.now() + aheadMs))) return true
    // The sweep looks again after its interval.
    clock.advance(Math.max(1000, aheadMs))
    return false
  })
}

export interface PreparedState {
  /** Path parameters, by name; `task_id` is the workflow task's, `activity_task_id` stands for it where an activity is meant. */
  readonly path: Readonly<Record<string, string>>
  /** Members of bodies that are right here, by name. */
  readonly known: Known
  /** The namespace that the request names. */
  readonly namespace: string
}

/** The namespace in which nothing is. */
export const otherNamespace = 'elsewhere'

let prepared = 0

async function ownPlace(client: TestClient) {
  prepared += 1
  const place = { worker_id: `worker-${prepared}`, task_queue: `queue-${prepared}` }
  await register(client, { ...place, workflow_definition_fingerprints: { [workflowType]: 'one' } })
  return place
}

/** A run whose workflow task is claimed, and beside it one with an activity under way. */
async function claimed({ client, withActivity }: Stage): Promise<PreparedState> {
  const place = await ownPlace(client)
  const inQueue = { task_queue: place.task_queue }
  const owner = { lease_owner: place.worker_id }
  let activity = { task_id: 'none', activity_attempt_id: 'none' }
  if (withActivity) {
    await start(client, inQueue)
    await complete(client, await claim(client, place), [schedule({ queue: place.task_queue })], owner)
    activity = await claimActivity(client, place)
  }
  const run = await start(client, inQueue)
  const task = await claim(client, place)
  return {
    path: {
      workflow_id: run.workflowId,
      run_id: run.runId,
      task_id: task.task_id,
      activity_task_id: activity.task_id,
      query_task_id: `${run.runId}q1`,
      worker_id: place.worker_id,
      namespace: 'default',
    },
    known: {
      ...owner,
      worker_id: place.worker_id,
      task_queue: place.task_queue,
      workflow_task_attempt: task.workflow_task_attempt,
      activity_attempt_id: activity.activity_attempt_id,
      query_task_attempt: 1,
      instance_id: run.workflowId,
      run_ids: [run.runId],
      workflow_type: workflowType,
      activity_type: activityType,
      supported_workflow_types: [workflowType],
      next_history_page_token: 'MA==',
      payload_codec: 'avro',
      codec: 'avro',
      build_id: null,
      namespace: 'default',
    },
    namespace: 'default',
  }
}

/** The query is asked and claimed; whoever asks still waits. */
async function asked(stage: Stage): Promise<PreparedState> {
  const { client } = stage
  const state = await claimed(stage)
  const path = { workflow_id: state.path.workflow_id ?? '', query_name: 'total' }
  const asking = client.call('queryWorkflow', { path, body: {} })
  const { body } = await client.call('pollQueryTask', {
    body: { worker_id: state.known.worker_id, task_queue: state.known.task_queue, timeout_seconds: 5 },
  })
  // It ends with the answer, or with the server.
  void asking.catch(() => {})
  return { ...state, path: { ...state.path, query_task_id: body.task.query_task_id } }
}

/** A ready task that nobody has claimed. */
async function ready(stage: Stage): Promise<PreparedState> {
  const state = await claimed(stage)
  const run = await start(stage.client, { task_queue: state.known.task_queue })
  return {
    ...state,
    path: { ...state.path, workflow_id: run.workflowId, run_id: run.runId },
    known: { ...state.known, instance_id: run.workflowId, run_ids: [run.runId] },
  }
}

async function closed(stage: Stage): Promise<PreparedState> {
  const state = await claimed(stage)
  const { task_id = '' } = state.path
  const ended = await stage.client.call('completeWorkflowTask', {
    path: { task_id },
    body: {
      lease_owner: state.known.lease_owner,
      workflow_task_attempt: state.known.workflow_task_attempt,
      commands: [finish()],
    },
  })
  expect(ended.status, ended.text).toBe(200)
  return state
}

async function otherOwner(stage: Stage): Promise<PreparedState> {
  const state = await claimed(stage)
  const place = await ownPlace(stage.client)
  return { ...state, known: { ...state.known, lease_owner: place.worker_id } }
}

/** The leases ran out and the sweep has set both tasks free. */
async function expired(stage: Stage): Promise<PreparedState> {
  const state = await claimed(stage)
  stage.clock.advance(stage.leaseMs + 1)
  await settled(stage)
  return state
}

async function elsewhere(stage: Stage): Promise<PreparedState> {
  return { ...(await claimed(stage)), namespace: otherNamespace }
}

/** The worker could not replay the history: the run stands until somebody repairs it. */
async function blocked(stage: Stage): Promise<PreparedState> {
  const place = await ownPlace(stage.client)
  const state = await claimed(stage)
  const run = await start(stage.client, { task_queue: place.task_queue })
  const task = await claim(stage.client, place)
  const failure = { message: 'recorded refund, expected charge', reason: 'workflow_nondeterministic' }
  const failed = await failTask(stage.client, task, failure, { lease_owner: place.worker_id })
  expect(failed.body.outcome).toBe('replay_blocked')
  return {
    ...state,
    path: { ...state.path, workflow_id: run.workflowId, run_id: run.runId, task_id: task.task_id },
    known: { ...state.known, lease_owner: place.worker_id, instance_id: run.workflowId, run_ids: [run.runId] },
  }
}

/** Ids of nothing that ever was. */
async function nothing(stage: Stage): Promise<PreparedState> {
  const state = await claimed(stage)
  const path = Object.fromEntries(Object.keys(state.path).map((name) => [name, 'nothing']))
  return { ...state, path: { ...path, namespace: 'nowhere' } }
}

/** By name: how each state is made. */
export const preparations: Readonly<Record<string, (stage: Stage) => Promise<PreparedState>>> = {
  claimed,
  asked,
  ready,
  closed,
  otherOwner,
  expired,
  elsewhere,
  blocked,
  nothing,
}

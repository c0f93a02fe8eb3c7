// Repair by an operator, and of a whole namespace.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import {
  claim,
  complete,
  failTask,
  finish,
  finishedRun,
  queue,
  register,
  start,
  worker,
  workflowType,
} from '../support/wire.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served.close())

// Each test has a queue of its own, so that no task of another test is claimed.
let tests = 0
let mine = queue
beforeEach(async () => {
  tests += 1
  mine = `repair-${tests}`
  await registerMine('f1')
})

const call: TestServer['client']['call'] = (operation, sent) => served.client.call(operation, sent)
const registerMine = (fingerprint: string, fields = {}) =>
  register(served.client, {
    worker_id: worker,
    task_queue: mine,
    workflow_definition_fingerprints: { [workflowType]: fingerprint },
    ...fields,
  })

async function blockedRun() {
  const run = await start(served.client, { task_queue: mine })
  const task = await claim(served.client, { task_queue: mine })
  const failed = await failTask(served.client, task, {
    message: 'history mismatch: expected charge, recorded refund',
    reason: 'workflow_nondeterministic',
  })
  expect(failed.body).toMatchObject({ outcome: 'replay_blocked', next_task_id: null })
  return run
}

const eventsOf = async (workflowId: string, runId: string) =>
  (await call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId } })).body.events

describe('a replay-blocked run', () => {
  test('says why it stands and what to do', async () => {
    const { workflowId } = await blockedRun()
    const { body } = await call('debugWorkflow', { path: { workflow_id: workflowId } })
    const why = 'workflow_nondeterministic: history mismatch: expected charge, recorded refund'
    expect(body).toMatchObject({
      diagnostic_status: 'needs_attention',
      execution: { liveness_state: 'workflow_replay_blocked', liveness_reason: why, wait_kind: 'replay_blocked' },
      findings: [{ severity: 'error', code: 'workflow_replay_blocked', message: why }],
    })
    expect(body.explanation.join('\n')).toMatch(/another definition of 'checkout', or when somebody repairs it/)
    const described = await call('describeWorkflow', { path: { workflow_id: workflowId } })
    expect(described.body).toMatchObject({
      status: 'waiting',
      wait_reason: 'replay_blocked',
      actions: { can_repair: true },
    })
  })

  test.each(['repairWorkflow', 'repairRun'] as const)('%s gives it its next task, recorded', async (operation) => {
    const { workflowId, runId } = await blockedRun()
    const path = { workflow_id: workflowId, run_id: runId }
    const answer = await call(operation, { path, body: { request_id: 'r-1' } })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        workflow_id: workflowId,
        run_id: runId,
        outcome: 'repair_dispatched',
        command_status: 'accepted',
        command_sequence: 2,
        request_id: 'r-1',
        target_scope: operation === 'repairRun' ? 'run' : 'instance',
        control_plane: { operation: 'repair' },
      },
    })
    const task = await claim(served.client, { task_queue: mine })
    expect(task.history_events.at(-1)).toMatchObject({
      event_type: 'RepairRequested',
      payload: {
        outcome: 'repair_dispatched',
        liveness_state: 'workflow_replay_blocked',
        task_id: task.task_id,
        task_type: 'workflow',
        workflow_command_id: answer.body.command_id,
      },
    })
    expect((await complete(served.client, task, [finish()])).body.run_status).toBe('completed')
  })

  test('a worker with another definition of its type gives it its next task', async () => {
    const { runId } = await blockedRun()
    const other = { worker_id: 'worker-2' }
    await registerMine('f1', other)
    const poll = { task_queue: mine, ...other, timeout_seconds: 0 }
    expect((await call('pollWorkflowTask', { body: poll })).body.task).toBeNull()
    await register(served.client, {
      worker_id: 'worker-3',
      task_queue: mine,
      workflow_definition_fingerprints: { [workflowType]: 'f2' },
    })
    const task = await claim(served.client, { task_queue: mine, worker_id: 'worker-3' })
    expect(task.run_id).toBe(runId)
    // Nobody gave a command: nothing is recorded of it.
    expect(task.history_events.map((event: { event_type: string }) => event.event_type)).not.toContain(
      'RepairRequested',
    )
  })

  test('what came while it stood is in the history of its next task', async () => {
    const { workflowId, runId } = await blockedRun()
    const path = { workflow_id: workflowId, signal_name: 'approve' }
    expect((await call('signalWorkflow', { path, body: { input: ['yes'] } })).status).toBe(202)
    await call('repairWorkflow', { path: { workflow_id: workflowId } })
    const task = await claim(served.client, { task_queue: mine })
    expect(task.run_id).toBe(runId)
    expect(task.history_events.map((event: { event_type: string }) => event.event_type).slice(-2)).toEqual([
      'SignalReceived',
      'RepairRequested',
    ])
  })
})

describe('repair of a run that moves by itself, or not at all', () => {
  test('a ready task needs none; recorded all the same', async () => {
    const { workflowId, runId } = await start(served.client, { task_queue: mine })
    const answer = await call('repairWorkflow', { path: { workflow_id: workflowId } })
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'repair_not_needed', request_id: null } })
    expect((await eventsOf(workflowId, runId)).at(-1)).toMatchObject({
      event_type: 'RepairRequested',
      payload: { outcome: 'repair_not_needed', liveness_state: 'workflow_task_ready', wait_kind: 'workflow-task' },
    })
  })

  test.each([
    ['repairWorkflow', { workflow_id: 'nobody' }, 404, 'instance_not_found'],
    ['repairRun', { workflow_id: 'nobody', run_id: 'r' }, 404, 'instance_not_found'],
  ] as const)('%s of an unknown workflow', async (operation, path, status, reason) => {
    const before = served.tables()
    expect(await call(operation, { path })).toMatchObject({ status, body: { reason, recorded: false } })
    expect(served.tables()).toEqual(before)
  })

  test('of an unknown run, and of a closed one', async () => {
    const { workflowId } = await finishedRun(served.client)
    const before = served.tables()
    expect(await call('repairRun', { path: { workflow_id: workflowId, run_id: 'nothing' } })).toMatchObject({
      status: 404,
      body: { reason: 'run_not_found' },
    })
    expect(await call('repairWorkflow', { path: { workflow_id: workflowId } })).toMatchObject({
      status: 409,
      body: { reason: 'run_not_active', outcome: 'rejected_not_active', run_status: 'completed', recorded: false },
    })
    expect(served.tables()).toEqual(before)
  })

  test.each([{ request_id: 'x'.repeat(256) }, { request_id: 7 }])('refuses %j', async (body) => {
    const { workflowId } = await start(served.client, { task_queue: mine })
    const answer = await call('repairWorkflow', { path: { workflow_id: workflowId }, body })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'validation_failed' } })
    expect(Object.keys(answer.body.errors)).toEqual(['request_id'])
  })
})

describe('repair of a namespace', () => {
  test('the status prints the knobs and what waits; a named pass acts on it and reports (L-10)', async () => {
    const { workflowId, runId } = await blockedRun()
    const { body } = await call('getRepairStatus')
    expect(body.policy).toEqual({
      redispatch_after_seconds: 3,
      loop_throttle_seconds: 5,
      scan_limit: 25,
      scan_strategy: 'scope_fair_round_robin',
      failure_backoff_max_seconds: 60,
      failure_backoff_strategy: 'exponential_by_repair_count',
    })
    expect(body.candidates.scopes).toContainEqual({
      scope_key: mine,
      existing_task_candidates: 0,
      missing_task_candidates: 1,
      total_candidates: 1,
      selected_total_candidates: 1,
      scan_limited_by_global_policy: false,
    })
    expect(body.candidates.missing_task_candidates).toBeGreaterThan(0)
    const report = await call('runRepairPass', { body: { run_ids: [runId], instance_id: workflowId } })
    expect(report).toMatchObject({
      status: 200,
      body: {
        run_ids: [runId],
        instance_id: workflowId,
        respect_throttle: false,
        throttled: false,
        selected_existing_task_candidates: 0,
        selected_missing_task_candidates: 1,
        selected_total_candidates: 1,
        repaired_missing_tasks: 1,
        dispatched_tasks: 1,
        missing_run_failures: [],
      },
    })
    expect((await eventsOf(workflowId, runId)).at(-1).event_type).not.toBe('RepairRequested')
    expect((await claim(served.client, { task_queue: mine })).run_id).toBe(runId)
    const again = await call('runRepairPass', { body: { run_ids: [runId] } })
    expect(again.body).toMatchObject({ selected_total_candidates: 0, dispatched_tasks: 0 })
  })

  test('two passes of everything: the second is throttled and writes nothing', async () => {
    const { runId } = await blockedRun()
    const first = await call('runRepairPass')
    expect(first.body).toMatchObject({ respect_throttle: true, throttled: false })
    expect(first.body.repaired_missing_tasks).toBeGreaterThan(0)
    expect((await claim(served.client, { task_queue: mine })).run_id).toBe(runId)
    const before = served.tables()
    expect((await call('runRepairPass')).body).toMatchObject({ throttled: true, selected_total_candidates: 0 })
    expect(served.tables()).toEqual(before)
  })

  test.each([
    [{ run_ids: 'r' }, 'run_ids'],
    [{ run_ids: Array.from({ length: 101 }, (_, n) => `r${n}`) }, 'run_ids'],
    [{ run_ids: [''] }, 'run_ids.0'],
    [{ instance_id: 'x'.repeat(129) }, 'instance_id'],
  ])('refuses %j', async (body, field) => {
    const before = served.tables()
    const answer = await call('runRepairPass', { body })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'validation_failed', recorded: false } })
    expect(Object.keys(answer.body.errors)).toEqual([field])
    expect(served.tables()).toEqual(before)
  })

  test('another namespace has its own candidates; an unknown one is not found', async () => {
    await blockedRun()
    await call('createNamespace', { body: { name: 'quiet' } })
    const quiet = await call('getRepairStatus', { headers: { 'x-namespace': 'quiet' } })
    expect(quiet.body.candidates).toMatchObject({ total_candidates: 0, scopes: [] })
    for (const operation of ['getRepairStatus', 'runRepairPass'] as const) {
      const answer = await call(operation, { headers: { 'x-namespace': 'nowhere' } })
      expect(answer).toMatchObject({ status: 404, body: { reason: 'namespace_not_found' } })
    }
  })
})

import { decodeArguments } from '@durable-workflow/codec'
import { commandTypes, plannedCommandTypes } from '@durable-workflow/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import {
  claim,
  complete,
  failTask,
  finish,
  queue,
  register,
  schedule,
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
  mine = `queue-${tests}`
  await register(served.client, { worker_id: worker, task_queue: mine })
})

const call: TestServer['client']['call'] = (operation, sent) => served.client.call(operation, sent)
const startMine = (fields = {}) => start(served.client, { task_queue: mine, ...fields })
const claimMine = (fields = {}) => claim(served.client, { task_queue: mine, ...fields })
const poll = (fields = {}) =>
  call('pollWorkflowTask', { body: { worker_id: worker, task_queue: mine, timeout_seconds: 0, ...fields } })

describe('pollWorkflowTask', () => {
  test('hands out a task with everything that published workers need, and no null where they want a value', async () => {
    const { workflowId, runId } = await startMine()
    const task = await claimMine()
    expect(task).toMatchObject({
      task_kind: 'workflow',
      workflow_task_attempt: 1,
      workflow_id: workflowId,
      run_id: runId,
      workflow_type: workflowType,
      namespace: 'default',
      task_queue: mine,
      payload_codec: 'avro',
      next_history_page_token: null,
      lease_owner: worker,
      continue_as_new_recommended: false,
      history_budget_pressure: 'ok',
    })
    expect(decodeArguments(task.arguments)).toEqual(['first', 2])
    expect(task.history_events.map((event: { event_type: string }) => event.event_type)).toContain('WorkflowStarted')
    expect(task.total_history_events).toBe(task.history_events.length)
    expect(task.lease_expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    const nulls = Object.entries(task).filter(([, value]) => value === null)
    expect(nulls.map(([name]) => name)).toEqual(['next_history_page_token'])
    for (const event of task.history_events) expect(Object.values(event)).not.toContain(null)
    for (const absent of ['cancellation_request', 'history_offset', 'workflow_update_id', 'cancel_requested'])
      expect(task).not.toHaveProperty(absent)
  })

  test('an empty poll says so', async () => {
    expect((await poll()).body).toMatchObject({ task: null, poll_status: 'empty' })
  })

  test('a worker without workflow types is told so', async () => {
    await register(served.client, { worker_id: 'handless', task_queue: mine, supported_workflow_types: [] })
    expect((await poll({ worker_id: 'handless' })).body.poll_status).toBe('no_workflow_capability')
  })

  test('accepts the media type of published pollers with plain JSON', async () => {
    const answer = await call('pollWorkflowTask', {
      headers: { accept: 'application/vnd.durable-workflow.poll.v1+json, application/json;q=0.9' },
      body: { worker_id: worker, task_queue: mine, timeout_seconds: 0 },
    })
    expect(answer.status).toBe(200)
  })

  test('a repeated poll_request_id collects the same claim', async () => {
    await startMine()
    const first = await poll({ poll_request_id: 'p-1', timeout_seconds: 5 })
    const again = await poll({ poll_request_id: 'p-1' })
    expect(again.body.task).toEqual(first.body.task)
  })

  test.each([
    ['worker_not_registered', 412, { worker_id: 'nobody' }, { worker_id: 'nobody' }],
    ['task_queue_mismatch', 409, { task_queue: 'other' }, { requested_task_queue: 'other' }],
    [
      'update_validation_capability_not_advertised',
      409,
      { task_kinds: ['workflow', 'update_validation'] },
      { poll_status: 'unsupported' },
    ],
  ])('%s', async (reason, status, fields, facts) => {
    const before = served.tables()
    const answer = await poll(fields)
    expect(answer).toMatchObject({ status, body: { reason, task: null, recorded: false, ...facts } })
    expect(served.tables()).toEqual(before)
  })

  test('build_id_mismatch', async () => {
    await register(served.client, { worker_id: 'pinned', task_queue: mine, build_id: 'b-1' })
    const answer = await poll({ worker_id: 'pinned', build_id: 'b-9' })
    expect(answer).toMatchObject({
      status: 409,
      body: { reason: 'build_id_mismatch', registered_build_id: 'b-1', requested_build_id: 'b-9', task: null },
    })
  })

  test.each([
    [{ worker_id: '' }, 'worker_id'],
    [{ timeout_seconds: 61 }, 'timeout_seconds'],
    [{ timeout_seconds: -1 }, 'timeout_seconds'],
    [{ history_page_size: 0 }, 'history_page_size'],
    [{ history_page_size: 1001 }, 'history_page_size'],
    [{ task_kinds: ['other'] }, 'task_kinds.0'],
    [{ poll_request_id: 'x'.repeat(256) }, 'poll_request_id'],
  ])('refuses %j and names %s', async (fields, field) => {
    const answer = await poll(fields)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toContain(field)
  })
})

describe('history pages', () => {
  const page = (task: { task_id: string; workflow_task_attempt: number }, token: string, fields = {}) =>
    call('getWorkflowTaskHistory', {
      path: { task_id: task.task_id },
      body: {
        lease_owner: worker,
        workflow_task_attempt: task.workflow_task_attempt,
        next_history_page_token: token,
        ...fields,
      },
    })

  test('together are the whole history, and MA== begins anew', async () => {
    const { workflowId } = await startMine()
    for (const name of ['a', 'b', 'c'])
      await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: name } })
    const task = await claimMine({ history_page_size: 2 })
    expect(task.history_events).toHaveLength(2)
    const events = [...task.history_events]
    const tokens: string[] = []
    let token: string | null = task.next_history_page_token
    while (token !== null) {
      expect(tokens).not.toContain(token)
      tokens.push(token)
      const { body } = await page(task, token, { history_page_size: 2 })
      events.push(...body.history_events)
      token = body.next_history_page_token
    }
    expect(events).toHaveLength(task.total_history_events)
    const whole = await page(task, 'MA==')
    expect(whole.body).toMatchObject({ task_id: task.task_id, workflow_task_attempt: 1, next_history_page_token: null })
    expect(whole.body.history_events).toEqual(events)
  })

  test('a token of nobody is 400 invalid_page_token', async () => {
    await startMine()
    const answer = await page(await claimMine(), 'bogus')
    expect(answer).toMatchObject({ status: 400, body: { reason: 'invalid_page_token', recorded: false } })
  })

  test('is fenced like a report', async () => {
    await startMine()
    const task = await claimMine()
    const stranger = await page(task, 'MA==', { lease_owner: 'stranger' })
    expect(stranger).toMatchObject({ status: 409, body: { reason: 'lease_owner_mismatch', lease_owner: worker } })
    expect((await page({ task_id: 'nothing', workflow_task_attempt: 1 }, 'MA==')).body.reason).toBe('task_not_found')
  })
})

test('a workflow-task heartbeat renews the lease and says everything that a paging worker checks', async () => {
  await startMine()
  const task = await claimMine()
  const answer = await call('heartbeatWorkflowTask', {
    path: { task_id: task.task_id },
    body: { lease_owner: worker, workflow_task_attempt: 1 },
  })
  expect(answer.body).toMatchObject({
    task_id: task.task_id,
    workflow_task_attempt: 1,
    lease_owner: worker,
    renewed: true,
    reason: null,
    task_status: 'leased',
    run_status: 'running',
  })
  expect(answer.body.lease_expires_at >= task.lease_expires_at).toBe(true)
})

describe('completeWorkflowTask', () => {
  test('records the commands and says what it made', async () => {
    const { runId } = await startMine()
    const task = await claimMine()
    const answer = await complete(served.client, task, [schedule({ queue: mine })])
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      task_id: task.task_id,
      workflow_task_attempt: 1,
      outcome: 'completed',
      recorded: true,
      run_id: runId,
      run_status: 'waiting',
      reason: null,
    })
    expect(answer.body.created_task_ids).toHaveLength(1)
  })

  test('an exact repeat gets the recorded answer and writes nothing, whatever the order of its members', async () => {
    await startMine()
    const task = await claimMine()
    const first = await complete(served.client, task, [schedule({ queue: mine })])
    const before = served.tables()
    const command = Object.fromEntries(Object.entries(schedule({ queue: mine })).reverse())
    const again = await complete(served.client, task, [command])
    expect(again.body).toEqual(first.body)
    expect(served.tables()).toEqual(before)
    const other = await complete(served.client, task, [finish()])
    expect(other).toMatchObject({ status: 409, body: { reason: 'task_not_leased', recorded: false } })
  })

  test.each([...plannedCommandTypes, 'teleport', ''])(
    'refuses the command %j whole, by name, and keeps the claim',
    async (type) => {
      const { runId } = await startMine()
      const task = await claimMine()
      const before = served.tables()
      const answer = await complete(served.client, task, [schedule({ queue: mine }), { type, change_id: 'x' }])
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        reason: 'validation_failed',
        recorded: false,
        command_type: type,
        command_index: 1,
        task_id: task.task_id,
        workflow_task_attempt: 1,
        run_id: runId,
      })
      expect(Object.keys(answer.body.errors)).toEqual(['commands.1'])
      expect(served.tables()).toEqual(before)
      expect((await complete(served.client, task, [finish()])).status).toBe(200)
    },
  )

  test.each([
    [[{ type: 'schedule_activity' }], 'commands.0.activity_type'],
    [[{ type: 'start_timer', delay_seconds: -1 }], 'commands.0.delay_seconds'],
    [[finish(), { type: 'open_signal_wait' }], 'commands.1.signal_name'],
    [[{ type: 'fail_workflow', message: '' }], 'commands.0.message'],
    [[{}], 'commands.0.type'],
    [['text'], 'commands.0'],
    ['none', 'commands'],
  ])('refuses the commands %j and names %s', async (commands, field) => {
    await startMine()
    const task = await claimMine()
    const before = served.tables()
    const answer = await call('completeWorkflowTask', {
      path: { task_id: task.task_id },
      body: { lease_owner: worker, workflow_task_attempt: 1, commands },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { reason: 'validation_failed', recorded: false, task_id: task.task_id },
    })
    expect(
      Object.keys(answer.body.errors).some((name) => name.startsWith(field)),
      answer.text,
    ).toBe(true)
    expect(served.tables()).toEqual(before)
  })

  test('two terminal commands are refused', async () => {
    await startMine()
    const answer = await complete(served.client, await claimMine(), [finish(), finish()])
    expect(answer).toMatchObject({ status: 422, body: { command_type: 'complete_workflow', command_index: 1 } })
  })

  test('too many commands exceed a structural limit', async () => {
    await startMine()
    const task = await claimMine()
    const answer = await complete(
      served.client,
      task,
      Array.from({ length: 1001 }, () => ({ type: 'start_timer', delay_seconds: 1 })),
    )
    expect(answer).toMatchObject({
      status: 422,
      body: {
        reason: 'structural_limit_exceeded',
        limit_kind: 'command_batch_size',
        current_value: 1001,
        configured_limit: 1000,
        recorded: false,
      },
    })
  })

  test('every command that is built is advertised, and only those', async () => {
    const { body } = await call('getClusterInfo')
    expect(body.worker_protocol.server_capabilities.supported_workflow_task_commands.toSorted()).toEqual(
      commandTypes.toSorted(),
    )
  })
})

describe('failWorkflowTask', () => {
  test('the waiting acknowledgement closes the task and leaves the run waiting', async () => {
    const { workflowId } = await startMine()
    const task = await claimMine()
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'later' } })
    const answer = await failTask(served.client, task, {
      message: 'Workflow task waiting for scheduled history.',
      type: 'WorkflowTaskWaitingForHistory',
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { outcome: 'waiting_for_history', recorded: true, reason: null },
    })
  })

  test('an ordinary failure makes a replacement', async () => {
    const { runId } = await startMine()
    const answer = await failTask(served.client, await claimMine(), {
      message: 'boom',
      type: 'TypeError',
      stack_trace: 'at x',
    })
    expect(answer.body).toMatchObject({ outcome: 'failed', recorded: true, run_id: runId })
    expect(answer.body.next_task_id).not.toBeNull()
  })

  test('a replay mismatch blocks the run, without a replacement', async () => {
    await startMine()
    const answer = await failTask(served.client, await claimMine(), {
      message: 'replay failed: non-determinism at 3',
      reason: 'workflow_nondeterministic',
      sequence: 3,
    })
    expect(answer.body).toMatchObject({ outcome: 'replay_blocked', next_task_id: null })
  })

  test.each([
    [{ message: undefined }, 'failure.message'],
    [{ message: 'm', type: 'x'.repeat(513) }, 'failure.type'],
    [{ message: 'm', reason: 'x'.repeat(192) }, 'failure.reason'],
    [{ message: 'm', sequence: 0 }, 'failure.sequence'],
  ])('refuses %j and names %s', async (failure, field) => {
    await startMine()
    const answer = await failTask(served.client, await claimMine(), failure)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })
})

describe('R-01 settlement receipts', () => {
  const reports = {
    complete: (task: { task_id: string }, fields: object) =>
      call('completeWorkflowTask', {
        path: { task_id: task.task_id },
        body: { lease_owner: worker, workflow_task_attempt: 1, commands: [finish()], ...fields },
      }),
    fail: (task: { task_id: string }, fields: object) =>
      call('failWorkflowTask', {
        path: { task_id: task.task_id },
        body: { lease_owner: worker, workflow_task_attempt: 1, failure: { message: 'm' }, ...fields },
      }),
    heartbeat: (task: { task_id: string }, fields: object) =>
      call('heartbeatWorkflowTask', {
        path: { task_id: task.task_id },
        body: { lease_owner: worker, workflow_task_attempt: 1, ...fields },
      }),
  }

  describe.each(Object.entries(reports))('%s', (_name, report) => {
    test('of a task that nobody knows', async () => {
      const answer = await report({ task_id: 'nothing' }, {})
      expect(answer).toMatchObject({
        status: 404,
        body: { reason: 'task_not_found', recorded: false, task_id: 'nothing', workflow_task_attempt: 1 },
      })
    })

    test('of another owner', async () => {
      const { runId } = await startMine()
      const task = await claimMine()
      const answer = await report(task, { lease_owner: 'stranger' })
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({
        reason: 'lease_owner_mismatch',
        lease_owner: worker,
        run_id: runId,
        task_id: task.task_id,
        workflow_task_attempt: 1,
        recorded: false,
      })
    })

    test('of another attempt', async () => {
      await startMine()
      const answer = await report(await claimMine(), { workflow_task_attempt: 7 })
      expect(answer).toMatchObject({
        status: 409,
        body: {
          reason: 'workflow_task_attempt_mismatch',
          workflow_task_attempt: 7,
          current_attempt: 1,
          recorded: false,
        },
      })
    })

    test.each([
      ['cancelWorkflow', 'cancelled', 'run_cancelled', true],
      ['terminateWorkflow', 'terminated', 'run_terminated', true],
    ] as const)('of a run that %s closed', async (operation, status, stopReason, cancelRequested) => {
      const { workflowId, runId } = await startMine()
      const task = await claimMine()
      await call(operation, { path: { workflow_id: workflowId } })
      const before = served.tables()
      const answer = await report(task, {})
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({
        reason: 'run_closed',
        recorded: false,
        task_id: task.task_id,
        workflow_task_attempt: 1,
        run_id: runId,
        stop_reason: stopReason,
        cancel_requested: cancelRequested,
        can_continue: false,
        run_status: status,
        run_closed_reason: status,
        task_status: 'cancelled',
      })
      for (const field of ['error', 'message', 'run_closed_at', 'lease_owner', 'lease_expires_at'])
        expect(answer.body).toHaveProperty(field)
      expect(answer.body.run_closed_at).toMatch(/Z$/)
      expect(served.tables()).toEqual(before)
    })

    test('of a run that completed', async () => {
      await startMine()
      const task = await claimMine()
      await complete(served.client, task, [finish()])
      const answer = await report(task, {})
      expect(answer).toMatchObject({
        status: 409,
        body: {
          reason: 'run_closed',
          stop_reason: 'run_completed',
          cancel_requested: false,
          run_status: 'completed',
          recorded: false,
        },
      })
    })
  })

  test('a report in another namespace does not find the task', async () => {
    await call('createNamespace', { body: { name: 'far' } })
    await startMine()
    const task = await claimMine()
    const before = served.tables()
    const answer = await call('completeWorkflowTask', {
      headers: { 'x-namespace': 'far' },
      path: { task_id: task.task_id },
      body: { lease_owner: worker, workflow_task_attempt: 1, commands: [finish()] },
    })
    expect(answer.body.reason).toBe('task_not_found')
    expect(served.tables()).toEqual(before)
  })
})

describe('our additions', () => {
  test('history_cached: the next task brings only what the worker does not have, and says how much it left out', async () => {
    const { workflowId } = await startMine()
    const first = await claimMine()
    await complete(served.client, first, [{ type: 'open_signal_wait', signal_name: 'go' }], { history_cached: true })
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'go' } })
    const next = await claimMine()
    expect(next.history_offset).toBeGreaterThanOrEqual(first.total_history_events)
    expect(next.history_events[0].sequence).toBe(next.history_offset + 1)
    expect(next.history_events).toHaveLength(next.total_history_events - next.history_offset)
    // From the start again: the token of the beginning gives everything.
    const whole = await call('getWorkflowTaskHistory', {
      path: { task_id: next.task_id },
      body: { lease_owner: worker, workflow_task_attempt: 1, next_history_page_token: 'MA==' },
    })
    expect(whole.body.history_events).toHaveLength(next.total_history_events)
  })

  test('history_cached is not said: the next task brings everything', async () => {
    const { workflowId } = await startMine()
    await complete(served.client, await claimMine(), [{ type: 'open_signal_wait', signal_name: 'go' }])
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'go' } })
    const next = await claimMine()
    expect(next).not.toHaveProperty('history_offset')
    expect(next.history_events[0].sequence).toBe(1)
  })

  test('millisecond_durations: a timer fires after its exact delay, and history keeps the whole seconds', async () => {
    const { workflowId, runId } = await startMine()
    await complete(served.client, await claimMine(), [{ type: 'start_timer', delay_seconds: 1, delay_ms: 20 }])
    const next = await claimMine()
    expect(next).toMatchObject({ workflow_wait_kind: 'timer', resume_source_kind: 'timer' })
    const { body } = await call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId } })
    const scheduled = body.events.find((event: { event_type: string }) => event.event_type === 'TimerScheduled')
    expect(scheduled.payload.delay_seconds).toBe(1)
  })

  test('resolved_waits: a condition that became true is closed by the completion that says so', async () => {
    const { workflowId, runId } = await startMine()
    await complete(served.client, await claimMine(), [{ type: 'open_condition_wait', condition_key: '1' }])
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'changed' } })
    const answer = await complete(served.client, await claimMine(), [finish()], { resolved_waits: [1] })
    expect(answer.status, answer.text).toBe(200)
    const { body } = await call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId } })
    expect(body.events.map((event: { event_type: string }) => event.event_type)).toContain('ConditionWaitSatisfied')
  })
})

// Workflow tasks on their way to a worker: the poll, the pages of their history, the renewal of their lease.
import { decodeArguments } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { ownQueue } from '../support/own-queue.ts'
import { register, worker, workflowType } from '../support/wire.ts'

const own = ownQueue()
const { call, startMine, claimMine, poll } = own

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
      task_queue: own.taskQueue,
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
    await register(own.served.client, {
      worker_id: 'handless',
      task_queue: own.taskQueue,
      supported_workflow_types: [],
    })
    expect((await poll({ worker_id: 'handless' })).body.poll_status).toBe('no_workflow_capability')
  })

  test('accepts the media type of published pollers with plain JSON', async () => {
    const answer = await call('pollWorkflowTask', {
      headers: { accept: 'application/vnd.durable-workflow.poll.v1+json, application/json;q=0.9' },
      body: { worker_id: worker, task_queue: own.taskQueue, timeout_seconds: 0 },
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
    const before = own.served.tables()
    const answer = await poll(fields)
    expect(answer).toMatchObject({ status, body: { reason, task: null, recorded: false, ...facts } })
    expect(own.served.tables()).toEqual(before)
  })

  test('build_id_mismatch', async () => {
    await register(own.served.client, { worker_id: 'pinned', task_queue: own.taskQueue, build_id: 'b-1' })
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

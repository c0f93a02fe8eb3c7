// Worker turns: commands, waiting, the sticky cache, pages, failures of the task, lease renewal, queries.
import { decodeEnvelope, encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { type, workflow } from '../../src/index.ts'
import { startStub } from '../transport/stub-server.ts'
import { completed, event, leaseUntil, startWorker, taskQueue, workerId, workflowTask } from './harness.ts'

const started = event(1, 'WorkflowStarted', { workflow_type: 'checkout' })
const charged = [
  event(2, 'ActivityScheduled', { sequence: 1, activity_type: 'charge', activity_execution_id: 'x1' }),
  event(3, 'ActivityStarted', { sequence: 1, activity_type: 'charge', activity_execution_id: 'x1' }),
  event(4, 'ActivityCompleted', {
    sequence: 1,
    activity_type: 'charge',
    activity_execution_id: 'x1',
    result: encodeEnvelope('paid'),
  }),
]
const first = { workflow_type: 'checkout', run_id: 'run-1', history_events: [started], total_history_events: 1 }
const second = { ...first, workflow_task_attempt: 1, history_events: [started, ...charged], total_history_events: 4 }

test('a run that ends is completed with its output', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', () => completed)
  stub.offer('workflow', workflowTask('t1'))
  const { worker, run } = await startWorker(stub)
  const { body } = await stub.arrived('completeWorkflowTask')
  await worker.stop()
  await run
  expect(body).toMatchObject({
    lease_owner: workerId,
    workflow_task_attempt: 1,
    commands: [{ type: 'complete_workflow' }],
  })
  const [command] = Array.isArray(body.commands) ? body.commands : []
  expect(decodeEnvelope(command.result)).toBe('hello ada')
  expect(body).not.toHaveProperty('history_cached')
})

test('an error of authored code fails the run, under its class name', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', () => completed)
  stub.offer('workflow', workflowTask('t1', { workflow_type: 'broken' }))
  const { worker, run } = await startWorker(stub)
  const { body } = await stub.arrived('completeWorkflowTask')
  await worker.stop()
  await run
  expect(body.commands).toMatchObject([
    { type: 'fail_workflow', message: 'out of stock', exception_type: 'RangeError' },
  ])
})

test('nothing new to say is the waiting acknowledgement', async () => {
  await using stub = await startStub()
  stub.on('failWorkflowTask', () => completed)
  const scheduled = [started, ...charged.slice(0, 2)]
  stub.offer('workflow', workflowTask('t1', { ...first, history_events: scheduled, total_history_events: 3 }))
  const { worker, run } = await startWorker(stub)
  const { body } = await stub.arrived('failWorkflowTask')
  await worker.stop()
  await run
  expect(body).toEqual({
    lease_owner: workerId,
    workflow_task_attempt: 1,
    failure: { message: 'Workflow task waiting for scheduled history.', type: 'WorkflowTaskWaitingForHistory' },
  })
})

test('a side effect sees the real clock and real chance; the code around it those of the run', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', () => completed)
  const told = workflow('told', { output: type<unknown>() }, async (ctx) => {
    const inside = [Date.now(), ctx.now()]
    const real = await ctx.sideEffect('real', () => ({ now: Date.now(), id: crypto.randomUUID() }))
    return { inside, real, again: Date.now(), id: crypto.randomUUID() }
  })
  const before = Date.now()
  const results: unknown[] = []
  for (const id of ['t1', 't2']) {
    stub.offer('workflow', workflowTask(id, { workflow_type: 'told', run_id: 'run-1' }))
    const { worker, run } = await startWorker(stub, { workflows: [told] })
    const { body } = await stub.arrived('completeWorkflowTask', results.length + 1)
    await worker.stop()
    await run
    const last = Array.isArray(body.commands) ? body.commands.at(-1) : undefined
    results.push(decodeEnvelope(last?.result))
  }
  const [one, other] = results.map((result) => Object(result))
  const atTheStart = Date.parse('2026-11-30T08:00:00Z')
  expect(one.inside).toEqual([atTheStart, atTheStart])
  expect(one.again).toBe(atTheStart)
  expect(one.real.now).toBeGreaterThanOrEqual(before)
  // The run's own chance repeats; that of the side effect is drawn anew, as long as nothing is recorded.
  expect(other.id).toBe(one.id)
  expect(other.real.id).not.toBe(one.real.id)
})

describe('the sticky cache', () => {
  test('a kept replay goes on from the tail alone, and the report says that it is kept', async () => {
    await using stub = await startStub({ serverCapabilities: { history_cache: true } })
    stub.on('completeWorkflowTask', () => completed)
    const { worker, run } = await startWorker(stub)
    stub.offer('workflow', workflowTask('t1', first))
    const report = await stub.arrived('completeWorkflowTask', 1)
    expect(report.body.history_cached).toBe(true)
    stub.offer('workflow', workflowTask('t2', { ...second, history_events: charged, history_offset: 1 }))
    const next = await stub.arrived('completeWorkflowTask', 2)
    await worker.stop()
    await run
    expect(next.body.commands).toMatchObject([{ type: 'open_signal_wait', signal_name: 'approved' }])
    expect(stub.of('getWorkflowTaskHistory')).toEqual([])
  })

  test('a server without the capability is told nothing, and its whole history is met by the kept replay', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => completed)
    const { worker, run } = await startWorker(stub)
    stub.offer('workflow', workflowTask('t1', first))
    const report = await stub.arrived('completeWorkflowTask', 1)
    expect(report.body).not.toHaveProperty('history_cached')
    stub.offer('workflow', workflowTask('t2', second))
    const next = await stub.arrived('completeWorkflowTask', 2)
    await worker.stop()
    await run
    expect(next.body.commands).toMatchObject([{ type: 'open_signal_wait', signal_name: 'approved' }])
  })

  test('a lost replay is made cold from the first page of the whole history', async () => {
    await using stub = await startStub({ serverCapabilities: { history_cache: true } })
    stub.on('completeWorkflowTask', () => completed)
    stub.on('getWorkflowTaskHistory', ({ body }) => ({
      status: 200,
      body:
        body.next_history_page_token === 'MA=='
          ? { history_events: [started, ...charged.slice(0, 1)], next_history_page_token: 'Mg==' }
          : { history_events: charged.slice(1), next_history_page_token: null },
    }))
    const { worker, run } = await startWorker(stub, { stickyCacheBytes: 0 })
    stub.offer('workflow', workflowTask('t2', { ...second, history_events: charged, history_offset: 1 }))
    const { body } = await stub.arrived('completeWorkflowTask')
    await worker.stop()
    await run
    expect(body.commands).toMatchObject([{ type: 'open_signal_wait', signal_name: 'approved' }])
    expect(stub.of('getWorkflowTaskHistory').map((page) => page.body)).toEqual([
      { lease_owner: workerId, workflow_task_attempt: 1, next_history_page_token: 'MA==' },
      { lease_owner: workerId, workflow_task_attempt: 1, next_history_page_token: 'Mg==' },
    ])
  })

  test('a replay that is ahead of the task is not believed', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => completed)
    const { worker, run } = await startWorker(stub)
    stub.offer('workflow', workflowTask('t1', second))
    await stub.arrived('completeWorkflowTask', 1)
    stub.offer('workflow', workflowTask('t2', first))
    const { body } = await stub.arrived('completeWorkflowTask', 2)
    await worker.stop()
    await run
    expect(body.commands).toMatchObject([{ type: 'schedule_activity' }])
  })
})

test('pages are followed until the token is null, before anything is replayed', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', () => completed)
  stub.on('getWorkflowTaskHistory', () => ({
    status: 200,
    body: { history_events: charged, next_history_page_token: null },
  }))
  stub.offer('workflow', workflowTask('t1', { ...second, history_events: [started], next_history_page_token: 'MQ==' }))
  const { worker, run } = await startWorker(stub)
  const { body } = await stub.arrived('completeWorkflowTask')
  await worker.stop()
  await run
  expect(body.commands).toMatchObject([{ type: 'open_signal_wait' }])
})

test('a page token that repeats leaves the claim to its lease: no report, and the worker goes on', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', () => completed)
  stub.on('getWorkflowTaskHistory', () => ({
    status: 200,
    body: { history_events: [], next_history_page_token: 'MQ==' },
  }))
  const { worker, run } = await startWorker(stub)
  stub.offer('workflow', workflowTask('t1', { ...first, next_history_page_token: 'MQ==' }))
  await stub.arrived('getWorkflowTaskHistory')
  stub.offer('workflow', workflowTask('t2'))
  const { path } = await stub.arrived('completeWorkflowTask')
  await worker.stop()
  await run
  expect(path).toContain('t2')
  expect(stub.of('failWorkflowTask')).toEqual([])
})

describe('WT3 what fails the task, not the run', () => {
  test('a mismatch with history is reported with the reason that blocks the run', async () => {
    await using stub = await startStub()
    stub.on('failWorkflowTask', () => completed)
    const other = event(2, 'TimerScheduled', { sequence: 1, timer_id: 'x', delay_seconds: 3 })
    stub.offer('workflow', workflowTask('t1', { ...first, history_events: [started, other], total_history_events: 2 }))
    const { worker, run } = await startWorker(stub)
    const { body } = await stub.arrived('failWorkflowTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({
      type: 'NonDeterminismError',
      reason: 'recorded_command_mismatch',
      message: expect.stringMatching(/^replay failed: /),
    })
  })

  test('arguments that cannot be read', async () => {
    await using stub = await startStub()
    stub.on('failWorkflowTask', () => completed)
    stub.offer('workflow', workflowTask('t1', { payload_codec: 'json' }))
    const { worker, run } = await startWorker(stub)
    const { body } = await stub.arrived('failWorkflowTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({ reason: 'unsupported_payload_codec' })
  })
})

test('the lease is renewed every third of it while the turn lasts', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', () => completed)
  const page = Promise.withResolvers<void>()
  stub.on('getWorkflowTaskHistory', async () => {
    await page.promise
    return { status: 200, body: { history_events: charged, next_history_page_token: null } }
  })
  stub.on('heartbeatWorkflowTask', () => ({ status: 200, body: { renewed: true, lease_expires_at: leaseUntil(0) } }))
  const task = {
    ...second,
    history_events: [started],
    next_history_page_token: 'MQ==',
    lease_expires_at: leaseUntil(0),
  }
  stub.offer('workflow', workflowTask('t1', task))
  const { worker, run } = await startWorker(stub)
  const renewal = await stub.arrived('heartbeatWorkflowTask', 2)
  page.resolve()
  await stub.arrived('completeWorkflowTask')
  await worker.stop()
  await run
  expect(renewal.body).toEqual({ lease_owner: workerId, workflow_task_attempt: 1 })
})

function queryTask(more: Record<string, unknown> = {}) {
  return {
    query_task_id: 'q1',
    query_task_attempt: 1,
    workflow_id: 'order-1',
    run_id: 'run-1',
    workflow_type: 'checkout',
    query_name: 'progress',
    payload_codec: 'avro',
    workflow_arguments: encodeArguments(['order-1']),
    query_arguments: null,
    run_status: 'waiting',
    last_history_sequence: 4,
    history_events: [started, ...charged],
    namespace: 'default',
    task_queue: taskQueue,
    lease_owner: workerId,
    lease_expires_at: leaseUntil(),
    ...more,
  }
}

describe('a query', () => {
  test('is answered by a fresh replay of its history', async () => {
    await using stub = await startStub()
    stub.offer('query', queryTask())
    const { worker, run } = await startWorker(stub)
    const { body } = await stub.arrived('completeQueryTask')
    await worker.stop()
    await run
    expect(body).toMatchObject({ lease_owner: workerId, query_task_attempt: 1, result: 'charged' })
    expect(decodeEnvelope(body.result_envelope)).toBe('charged')
  })

  test('is answered by a kept replay that stands where it asks', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => completed)
    stub.offer('workflow', workflowTask('t1', second))
    const { worker, run } = await startWorker(stub, { maxConcurrentWorkflowTasks: 1 })
    // With one slot the next poll means that the first task is over and its replay kept.
    await stub.arrived('pollWorkflowTask', 2)
    // Without its history only the kept replay can know.
    stub.offer('query', queryTask({ history_events: [] }))
    const { body } = await stub.arrived('completeQueryTask')
    await worker.stop()
    await run
    expect(body.result).toBe('charged')
  })

  test('that nobody handles is refused as such', async () => {
    await using stub = await startStub()
    stub.offer('query', queryTask({ query_name: 'weather' }))
    const { worker, run } = await startWorker(stub)
    const { body } = await stub.arrived('failQueryTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({ reason: 'rejected_unknown_query' })
  })

  test.each([
    ['another owner', { lease_owner: 'w9' }],
    ['another queue', { task_queue: 'other' }],
    ['no attempt', { query_task_attempt: 0 }],
    ['a lease that is over', { lease_expires_at: '2020-01-01T00:00:00.000000Z' }],
  ])('whose claim names %s is dropped without a word', async (_, more) => {
    await using stub = await startStub()
    stub.offer('query', queryTask(more))
    const { worker, run } = await startWorker(stub)
    await stub.arrived('pollQueryTask', 2)
    await worker.stop()
    await run
    expect(stub.of('completeQueryTask')).toEqual([])
    expect(stub.of('failQueryTask')).toEqual([])
  })
})

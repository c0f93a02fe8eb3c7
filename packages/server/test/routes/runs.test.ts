import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageToken, readPageToken } from '../../src/routes/history-text.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import {
  claim,
  complete,
  finish,
  finishedRun,
  queue,
  register,
  schedule,
  start,
  workflowType,
} from '../support/wire.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
  await register(served.client)
})
afterAll(() => served.close())

const call: TestServer['client']['call'] = (operation, sent) => served.client.call(operation, sent)

describe('descriptions', () => {
  test('an open run says what it is and what may be done with it', async () => {
    const { workflowId, runId } = await start(served.client, {
      task_queue: 'elsewhere',
      execution_timeout_seconds: 3600,
      run_timeout_seconds: 600,
    })
    const byWorkflow = await call('describeWorkflow', { path: { workflow_id: workflowId } })
    const byRun = await call('describeRun', { path: { workflow_id: workflowId, run_id: runId } })
    expect(byWorkflow.body).toMatchObject({
      workflow_id: workflowId,
      run_id: runId,
      namespace: 'default',
      workflow_type: workflowType,
      status: 'pending',
      status_bucket: 'running',
      is_terminal: false,
      closed_reason: null,
      closed_at: null,
      run_number: 1,
      run_count: 1,
      is_current_run: true,
      payload_codec: 'avro',
      execution_timeout_seconds: 3600,
      run_timeout_seconds: 600,
      input: ['first', 2],
      output_envelope: null,
      memo: {},
      search_attributes: {},
      error: null,
      actions: {
        can_signal: true,
        can_query: true,
        can_update: false,
        can_cancel: true,
        can_terminate: true,
        can_repair: true,
        can_archive: false,
      },
    })
    expect(byWorkflow.body).not.toHaveProperty('failures')
    const { control_plane: _workflow, ...described } = byWorkflow.body
    const { control_plane: _run, ...same } = byRun.body
    expect(same).toEqual(described)
  })

  test('a failed run says how it failed', async () => {
    const { workflowId } = await start(served.client)
    await complete(served.client, await claim(served.client), [
      {
        type: 'fail_workflow',
        message: 'card refused',
        exception_type: 'CardError',
        exception_class: 'shop.CardError',
        non_retryable: true,
      },
    ])
    const { body } = await call('describeWorkflow', { path: { workflow_id: workflowId } })
    expect(body).toMatchObject({
      status: 'failed',
      closed_reason: 'failed',
      error: 'card refused',
      failure: {
        message: 'card refused',
        failure_category: 'application',
        exception_type: 'CardError',
        exception_class: 'shop.CardError',
        non_retryable: true,
      },
      actions: { can_signal: false, can_query: false },
    })
    expect(body.failures).toHaveLength(1)
  })

  test('the runs of a workflow, oldest first', async () => {
    const { workflowId, runId } = await start(served.client, { task_queue: 'elsewhere' })
    const { body } = await call('listRuns', { path: { workflow_id: workflowId } })
    expect(body).toMatchObject({
      workflow_id: workflowId,
      run_count: 1,
      runs: [
        {
          workflow_id: workflowId,
          run_id: runId,
          run_number: 1,
          is_current_run: true,
          status: 'pending',
          status_bucket: 'running',
        },
      ],
    })
  })

  test.each([
    ['describeWorkflow', 'instance_not_found', { workflow_id: 'nobody' }],
    ['listRuns', 'instance_not_found', { workflow_id: 'nobody' }],
    ['debugWorkflow', 'instance_not_found', { workflow_id: 'nobody' }],
    ['describeRun', 'instance_not_found', { workflow_id: 'nobody', run_id: 'r' }],
    ['getRunHistory', 'instance_not_found', { workflow_id: 'nobody', run_id: 'r' }],
    ['debugRun', 'instance_not_found', { workflow_id: 'nobody', run_id: 'r' }],
  ] as const)('%s answers %s', async (operation, reason, path) => {
    expect(await call(operation, { path })).toMatchObject({
      status: 404,
      body: { reason, workflow_id: 'nobody', recorded: false },
    })
  })

  test.each(['describeRun', 'getRunHistory', 'debugRun'] as const)(
    '%s of a run that is not there',
    async (operation) => {
      const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
      const answer = await call(operation, { path: { workflow_id: workflowId, run_id: 'nothing' } })
      expect(answer).toMatchObject({
        status: 404,
        body: { reason: 'run_not_found', workflow_id: workflowId, run_id: 'nothing' },
      })
    },
  )

  test('another namespace does not see the workflow', async () => {
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    await call('createNamespace', { body: { name: 'other' } })
    for (const operation of ['describeWorkflow', 'listRuns', 'debugWorkflow'] as const) {
      const answer = await call(operation, { path: { workflow_id: workflowId }, headers: { 'x-namespace': 'other' } })
      expect(answer.body.reason).toBe('instance_not_found')
    }
  })
})

describe('wait_closed', () => {
  test('is answered when the run closes', async () => {
    const { workflowId } = await start(served.client)
    const task = await claim(served.client)
    const waiting = call('describeWorkflow', {
      path: { workflow_id: workflowId },
      query: { wait_closed: '1', wait_timeout_seconds: '30' },
    })
    await complete(served.client, task, [finish()])
    expect((await waiting).body.status).toBe('completed')
  })

  test('is answered at once for a closed run, and with the open run when its time is up', async () => {
    const closed = await finishedRun(served.client)
    const path = { workflow_id: closed.workflowId, run_id: closed.runId }
    expect(
      (await call('describeRun', { path, query: { wait_closed: 'true', wait_timeout_seconds: '60' } })).body
        .is_terminal,
    ).toBe(true)
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    const open = await call('describeWorkflow', {
      path: { workflow_id: workflowId },
      query: { wait_closed: '1', wait_timeout_seconds: '0' },
    })
    expect(open.body.status).toBe('pending')
  })

  test.each([['61'], ['-1'], ['x']])('refuses a wait of %s seconds', async (seconds) => {
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    const answer = await call('describeWorkflow', {
      path: { workflow_id: workflowId },
      query: { wait_closed: '1', wait_timeout_seconds: seconds },
    })
    expect(Object.keys(answer.body.errors)).toEqual(['wait_timeout_seconds'])
  })
})

describe('history', () => {
  test('comes in order, page by page, and the key of the next page is always there', async () => {
    const { workflowId, runId } = await finishedRun(served.client)
    const path = { workflow_id: workflowId, run_id: runId }
    const whole = await call('getRunHistory', { path })
    expect(whole.body.next_page_token).toBeNull()
    const sequences = whole.body.events.map((event: { sequence: number }) => event.sequence)
    expect(sequences).toEqual(sequences.map((_: number, index: number) => index + 1))
    const paged: unknown[] = []
    let token: string | null = ''
    while (token !== null) {
      const { body } = await call('getRunHistory', {
        path,
        query: { page_size: '2', ...(token === '' ? {} : { next_page_token: token }) },
      })
      paged.push(...body.events)
      expect(body.next_page_token).not.toBe(token)
      token = body.next_page_token
    }
    expect(paged).toEqual(whole.body.events)
  })

  test('wait_new_event is answered by the next event, at once for a closed run', async () => {
    const { workflowId, runId } = await start(served.client, { task_queue: 'elsewhere' })
    const path = { workflow_id: workflowId, run_id: runId }
    const first = await call('getRunHistory', { path, query: { wait_new_event: '1' } })
    expect(first.body.next_page_token).not.toBeNull()
    const waiting = call('getRunHistory', {
      path,
      query: { wait_new_event: '1', next_page_token: first.body.next_page_token },
    })
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'go' } })
    expect((await waiting).body.events.map((event: { event_type: string }) => event.event_type)).toContain(
      'SignalReceived',
    )
    await call('terminateWorkflow', { path: { workflow_id: workflowId } })
    const end = await call('getRunHistory', { path, query: { page_size: '1000' } })
    const last = end.body.events.at(-1).sequence
    const closed = await call('getRunHistory', {
      path,
      query: { wait_new_event: '1', next_page_token: pageToken(last) },
    })
    expect(closed.body).toMatchObject({ events: [], next_page_token: null })
  })

  test.each([
    [{ page_size: '0' }, 'page_size'],
    [{ page_size: '1001' }, 'page_size'],
    [{ next_page_token: 'x' }, 'next_page_token'],
    [{ wait_new_event: 'yes' }, 'wait_new_event'],
  ])('refuses %j and names %s', async (query, field) => {
    const { workflowId, runId } = await start(served.client, { task_queue: 'elsewhere' })
    const answer = await call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId }, query })
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test.each([
    ['MA==', 0],
    ['NTAw', 500],
    ['', 0],
    ['LTE=', undefined],
    ['MDE=', undefined],
    ['MS41', undefined],
    ['NTAw=', undefined],
    ['not base64', undefined],
  ])('the token %j means %s', (token, after) => {
    expect(readPageToken(token)).toBe(after)
  })
})

test('debug says what stands open and why', async () => {
  const { workflowId, runId } = await start(served.client)
  await complete(served.client, await claim(served.client), [schedule({ queue: 'nobody-polls' })])
  const answer = await call('debugWorkflow', { path: { workflow_id: workflowId } })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    run_id: runId,
    namespace: 'default',
    execution: { status: 'waiting', task_queue: queue },
  })
  expect(answer.body.pending_activities).toHaveLength(1)
  expect(answer.body.explanation.length).toBeGreaterThan(0)
  const byRun = await call('debugRun', { path: { workflow_id: workflowId, run_id: runId } })
  expect(byRun.body.pending_activities).toEqual(answer.body.pending_activities)
})

// What a worker makes of a workflow task: its completion, its failure.
import { commandTypes, plannedCommandTypes } from '@durable-workflow/protocol'
import { describe, expect, test } from 'vitest'
import { ownQueue } from '../support/own-queue.ts'
import { complete, failTask, finish, schedule, worker } from '../support/wire.ts'

const own = ownQueue()
const { call, startMine, claimMine } = own

describe('completeWorkflowTask', () => {
  test('records the commands and says what it made', async () => {
    const { runId } = await startMine()
    const task = await claimMine()
    const answer = await complete(own.served.client, task, [schedule({ queue: own.taskQueue })])
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
    const first = await complete(own.served.client, task, [schedule({ queue: own.taskQueue })])
    const before = own.served.tables()
    const command = Object.fromEntries(Object.entries(schedule({ queue: own.taskQueue })).reverse())
    const again = await complete(own.served.client, task, [command])
    expect(again.body).toEqual(first.body)
    expect(own.served.tables()).toEqual(before)
    const other = await complete(own.served.client, task, [finish()])
    expect(other).toMatchObject({ status: 409, body: { reason: 'task_not_leased', recorded: false } })
  })

  test.each([...plannedCommandTypes, 'teleport', ''])(
    'refuses the command %j whole, by name, and keeps the claim',
    async (type) => {
      const { runId } = await startMine()
      const task = await claimMine()
      const before = own.served.tables()
      const answer = await complete(own.served.client, task, [
        schedule({ queue: own.taskQueue }),
        { type, change_id: 'x' },
      ])
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
      expect(own.served.tables()).toEqual(before)
      expect((await complete(own.served.client, task, [finish()])).status).toBe(200)
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
    const before = own.served.tables()
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
    expect(own.served.tables()).toEqual(before)
  })

  test.each([
    ['message_stream_waits', [{ stream_name: 'orders', after_position: 0 }]],
    ['message_stream_cursors', [{ stream_name: 'orders', through_position: 3 }]],
  ])('refuses %s, which is not built, by name and whole', async (field, value) => {
    await startMine()
    const task = await claimMine()
    const before = own.served.tables()
    const answer = await complete(own.served.client, task, [finish()], { [field]: value })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'validation_failed', task_id: task.task_id } })
    expect(Object.keys(answer.body.errors)).toEqual([field])
    expect(own.served.tables()).toEqual(before)
    expect((await complete(own.served.client, task, [finish()], { [field]: null })).status).toBe(200)
  })

  test('takes no notice of how the cache of the worker fares', async () => {
    await startMine()
    const sticky_cache = { worker_id: worker, ttl_seconds: 300, metrics: { hit: 1, miss: 0 } }
    expect((await complete(own.served.client, await claimMine(), [finish()], { sticky_cache })).status).toBe(200)
  })

  test('two terminal commands are refused', async () => {
    await startMine()
    const answer = await complete(own.served.client, await claimMine(), [finish(), finish()])
    expect(answer).toMatchObject({ status: 422, body: { command_type: 'complete_workflow', command_index: 1 } })
  })

  test('too many commands exceed a structural limit', async () => {
    await startMine()
    const task = await claimMine()
    const answer = await complete(
      own.served.client,
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
    const answer = await failTask(own.served.client, task, {
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
    const answer = await failTask(own.served.client, await claimMine(), {
      message: 'boom',
      type: 'TypeError',
      stack_trace: 'at x',
    })
    expect(answer.body).toMatchObject({ outcome: 'failed', recorded: true, run_id: runId })
    expect(answer.body.next_task_id).not.toBeNull()
  })

  test('a replay mismatch blocks the run, without a replacement', async () => {
    await startMine()
    const answer = await failTask(own.served.client, await claimMine(), {
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
    const answer = await failTask(own.served.client, await claimMine(), failure)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })
})

import { describe, expect, test } from 'vitest'
import { activity } from '../../src/authoring/activity.ts'
import { type } from '../../src/authoring/contract.ts'
import { startStub } from '../transport/stub-server.ts'
import { activityTask, completed, startWorker, workflowTask } from './harness.ts'
import { advertised, charge, charged, fan, fanOut, first, pollIdOf, started } from './offering.ts'

describe('what is offered', () => {
  test('nothing, to a server that does not advertise it', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => completed)
    stub.on('completeActivityTask', () => completed)
    const { worker, run } = await startWorker(stub, { workflows: [fanOut], activities: [charge] })
    stub.offer('workflow', workflowTask('t1', fan))
    stub.offer('activity', activityTask('a1'))
    const turn = await stub.arrived('completeWorkflowTask')
    const attempt = await stub.arrived('completeActivityTask')
    await worker.stop()
    await run
    expect(turn.body).not.toHaveProperty('hand_over')
    expect(attempt.body).not.toHaveProperty('hand_over')
  })

  test('with a completion: its own workflow slot, and a slot for each activity that this worker could take', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', () => completed)
    const { worker, run } = await startWorker(stub, { workflows: [fanOut], activities: [charge] })
    stub.offer('workflow', workflowTask('t1', fan))
    const { body } = await stub.arrived('completeWorkflowTask')
    await worker.stop()
    await run
    expect(body.commands).toHaveLength(5)
    expect(body.hand_over).toEqual({
      poll_request_id: expect.stringMatching(/^hand-over-[0-9a-f-]{36}-\d+$/),
      workflow_tasks: 1,
      activity_tasks: 3,
    })
  })

  test('no more activity slots than are free: one of two is waiting with the poller', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', () => completed)
    const options = { workflows: [fanOut], activities: [charge], maxConcurrentActivityTasks: 2 }
    const { worker, run } = await startWorker(stub, options)
    await stub.arrived('pollActivityTask', 2)
    stub.offer('workflow', workflowTask('t1', fan))
    const { body } = await stub.arrived('completeWorkflowTask')
    await worker.stop()
    await run
    expect(body.hand_over).toMatchObject({ activity_tasks: 1 })
  })

  test('with a waiting acknowledgement its own slot, with a failed task nothing', async () => {
    await using stub = await startStub(advertised)
    stub.on('failWorkflowTask', () => completed)
    const { worker, run } = await startWorker(stub)
    const history = [started, ...charged.slice(0, 2)]
    stub.offer('workflow', workflowTask('t1', { ...first, history_events: history, total_history_events: 3 }))
    const waiting = await stub.arrived('failWorkflowTask', 1)
    stub.offer('workflow', workflowTask('t2', { payload_codec: 'json' }))
    const failed = await stub.arrived('failWorkflowTask', 2)
    await worker.stop()
    await run
    expect(waiting.body.hand_over).toEqual({ poll_request_id: expect.any(String), workflow_tasks: 1 })
    expect(failed.body).not.toHaveProperty('hand_over')
  })

  test('with an activity report a free workflow slot, also when the activity failed; each report with an id of its own', async () => {
    await using stub = await startStub(advertised)
    stub.on('failActivityTask', () => completed)
    const declined = activity('charge', { input: type<string>(), output: type<string>() }, async () => {
      throw new RangeError('no money')
    })
    const { worker, run } = await startWorker(stub, { activities: [declined] })
    stub.offer('activity', activityTask('a1'))
    stub.offer('activity', activityTask('a2'))
    await stub.arrived('failActivityTask', 2)
    await worker.stop()
    await run
    const reports = stub.of('failActivityTask')
    for (const { body } of reports) {
      expect(body.hand_over).toEqual({ poll_request_id: expect.any(String), workflow_tasks: 1 })
    }
    expect(new Set(reports.map(pollIdOf)).size).toBe(2)
  })

  test.each([
    ['no slot is free', { maxConcurrentWorkflowTasks: 1 }],
    ['no workflow is registered', { workflows: [] }],
  ])('nothing with an activity report when %s', async (_, options) => {
    await using stub = await startStub(advertised)
    stub.on('completeActivityTask', () => completed)
    const { worker, run } = await startWorker(stub, { activities: [charge], ...options })
    await worker.ready
    stub.offer('activity', activityTask('a1'))
    const { body } = await stub.arrived('completeActivityTask')
    await worker.stop()
    await run
    expect(body).not.toHaveProperty('hand_over')
  })
})

test('HO1 a workflow slot that an activity report offered in vain is free again', async () => {
  await using stub = await startStub(advertised)
  stub.on('completeActivityTask', () => completed)
  const options = { activities: [charge], maxConcurrentWorkflowTasks: 2, maxConcurrentActivityTasks: 1 }
  const { worker, run } = await startWorker(stub, options)
  await stub.arrived('pollWorkflowTask', 2)
  await stub.arrived('pollActivityTask', 2)
  for (const index of [1, 2, 3]) {
    stub.offer('activity', activityTask(`a${index}`))
    // With one slot the next poll means that the attempt is over.
    await stub.arrived('pollActivityTask', index + 2)
  }
  await worker.stop()
  await run
  const offered = stub.of('completeActivityTask').map(({ body }) => Object(body.hand_over).workflow_tasks)
  expect(offered).toEqual([1, 1, 1])
})

// Tasks that come back for offered slots.
import { encodeArguments } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { activity } from '../../src/authoring/activity.ts'
import { type } from '../../src/authoring/contract.ts'
import { startStub } from '../transport/stub-server.ts'
import { activityTask, checkout, closedReceipt, completed, startWorker, workflowTask } from './harness.ts'
import { advertised, charge, fan, fanOut, first, greetOf, handing, tail } from './offering.ts'

describe('what is handed over', () => {
  test('the activities of a completion are worked on and reported, without a poll for them', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', () => handing({ activity_tasks: [activityTask('a1'), activityTask('a2')] }))
    stub.on('completeActivityTask', () => completed)
    const { worker, run } = await startWorker(stub, { workflows: [fanOut], activities: [charge] })
    await worker.ready
    stub.offer('workflow', workflowTask('t1', fan))
    await stub.arrived('completeActivityTask', 2)
    await worker.stop()
    await run
    const reported = stub.of('completeActivityTask').map(({ body }) => body.activity_attempt_id)
    expect(reported.sort()).toEqual(['attempt-a1', 'attempt-a2'])
  })

  test('the turn that an activity report asks for goes on from the kept replay', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', (_, index) =>
      index === 0 ? handing({ activity_tasks: [activityTask('a1', { run_id: 'run-1' })] }) : completed,
    )
    stub.on('completeActivityTask', () => handing({ workflow_task: workflowTask('t2', tail) }))
    const { worker, run } = await startWorker(stub, { workflows: [checkout], activities: [charge] })
    await worker.ready
    stub.offer('workflow', workflowTask('t1', first))
    const { path, body } = await stub.arrived('completeWorkflowTask', 2)
    await worker.stop()
    await run
    expect(path).toContain('t2')
    expect(body.commands).toMatchObject([{ type: 'open_signal_wait', signal_name: 'approved' }])
    expect(stub.of('getWorkflowTaskHistory')).toEqual([])
  })

  test('WT4 a task of the same run in the very reply finds the replay kept', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', (_, index) =>
      index === 0 ? handing({ workflow_task: workflowTask('t2', tail) }) : completed,
    )
    const { worker, run } = await startWorker(stub, { workflows: [checkout] })
    stub.offer('workflow', workflowTask('t1', first))
    const { body } = await stub.arrived('completeWorkflowTask', 2)
    await worker.stop()
    await run
    expect(body.commands).toMatchObject([{ type: 'open_signal_wait', signal_name: 'approved' }])
    expect(stub.of('getWorkflowTaskHistory')).toEqual([])
  })

  test('HO1 a workflow task goes on in the slot of the reporter, which polls again only afterwards', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', (_, index) =>
      index < 3 ? handing({ workflow_task: workflowTask(`t${index + 2}`) }) : completed,
    )
    const { worker, run } = await startWorker(stub, { maxConcurrentWorkflowTasks: 1 })
    await stub.arrived('pollWorkflowTask', 2)
    stub.offer('workflow', workflowTask('t1'))
    await stub.arrived('completeWorkflowTask', 4)
    const polls = stub.of('pollWorkflowTask').length
    await stub.arrived('pollWorkflowTask', 3)
    await worker.stop()
    await run
    expect(polls).toBe(2)
  })

  test('HO1 polled and handed activities together never run in more slots than there are', async () => {
    await using stub = await startStub(advertised)
    let running = 0
    let most = 0
    const ends: (() => void)[] = []
    const counted = activity('charge', { input: type<string>(), output: type<string>() }, async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
      return 'paid'
    })
    let handed = 0
    stub.on('completeWorkflowTask', ({ body }) => {
      const offered = Number(Object(body.hand_over).activity_tasks ?? 0)
      const tasks = Array.from({ length: offered }, () => activityTask(`h${handed++}`))
      return handing({ activity_tasks: tasks })
    })
    stub.on('completeActivityTask', () => completed)
    const options = { workflows: [fanOut], activities: [counted], maxConcurrentActivityTasks: 3 }
    const { worker, run } = await startWorker(stub, options)
    await stub.arrived('pollActivityTask', 2)
    for (let index = 0; index < 4; index += 1) {
      stub.offer('workflow', workflowTask(`t${index}`, fan))
      stub.offer('activity', activityTask(`p${index}`, { arguments: encodeArguments(['x']) }))
      await stub.arrived('completeWorkflowTask', index + 1)
    }
    for (let reported = 0; reported < 4 + handed; reported += 1) {
      while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve))
      ends.shift()?.()
      await stub.arrived('completeActivityTask', reported + 1)
    }
    await worker.stop()
    await run
    expect(most).toBe(3)
    expect(handed).toBeGreaterThan(0)
  })

  test('HO1 what was offered and not used is free again, also after a report that was settled', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', (_, index) =>
      index === 0 ? { status: 409, body: closedReceipt('t1') } : completed,
    )
    const options = {
      workflows: [fanOut],
      activities: [charge],
      maxConcurrentActivityTasks: 4,
      maxConcurrentWorkflowTasks: 1,
    }
    const { worker, run } = await startWorker(stub, options)
    await stub.arrived('pollActivityTask', 2)
    await stub.arrived('pollWorkflowTask', 2)
    for (const index of [1, 2, 3]) {
      stub.offer('workflow', workflowTask(`t${index}`, fan))
      await stub.arrived('completeWorkflowTask', index)
      await stub.arrived('pollWorkflowTask', index + 2)
    }
    await worker.stop()
    await run
    const offered = stub.of('completeWorkflowTask').map(({ body }) => Object(body.hand_over).activity_tasks)
    expect(offered).toEqual([3, 3, 3])
  })
})

describe('HO2 while the worker drains', () => {
  test('nothing is offered any more, and what was offered before is worked on', async () => {
    await using stub = await startStub(advertised)
    const reply = Promise.withResolvers<void>()
    stub.on('completeWorkflowTask', async (_, index) => {
      if (index > 0) return completed
      await reply.promise
      return handing({ workflow_task: workflowTask('t2'), activity_tasks: [activityTask('a1')] })
    })
    stub.on('completeActivityTask', () => completed)
    const end = Promise.withResolvers<void>()
    const slow = activity('charge', { input: type<string>(), output: type<string>() }, async () => {
      await end.promise
      return 'paid'
    })
    const { worker, run } = await startWorker(stub, { workflows: [checkout, fanOut, greetOf()], activities: [slow] })
    await worker.ready
    stub.offer('workflow', workflowTask('t1', fan))
    const offer = await stub.arrived('completeWorkflowTask', 1)
    const stopped = worker.stop()
    reply.resolve()
    await stub.arrived('completeWorkflowTask', 2)
    // The turns are over; the activity is what the drain still waits for.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    end.resolve()
    await stopped
    await run
    expect(offer.body).toHaveProperty('hand_over')
    const turns = stub.of('completeWorkflowTask')
    expect(turns.map(({ path }) => path.split('/').at(-2))).toEqual(['t1', 't2'])
    expect(turns[1]?.body).not.toHaveProperty('hand_over')
    const [attempt, ...more] = stub.of('completeActivityTask')
    expect(attempt?.body).toMatchObject({ activity_attempt_id: 'attempt-a1' })
    expect(attempt?.body).not.toHaveProperty('hand_over')
    expect(more).toEqual([])
    // The registration ends after the last report.
    expect(stub.requests.at(-1)?.operation).toBe('deregisterWorker')
  })
})

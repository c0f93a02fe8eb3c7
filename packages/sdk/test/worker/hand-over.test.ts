// Slots offered with reports, and the tasks that come back for them.
import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { activity } from '../../src/authoring/activity.ts'
import { type } from '../../src/authoring/contract.ts'
import { workflow } from '../../src/authoring/workflow.ts'
import { type StubReply, type StubRequest, startStub } from '../transport/stub-server.ts'
import {
  activityTask,
  checkout,
  closedReceipt,
  completed,
  event,
  silent,
  startWorker,
  workflowTask,
} from './harness.ts'

const advertised = { serverCapabilities: { task_hand_over: true, history_cache: true } }
const charge = activity('charge', { input: type<string>(), output: type<string>() }, async () => 'paid')
const ship = activity('ship', { input: type<string>(), output: type<string>() })

/** Three activities that this worker could take, one of a type that it has not, one of another queue. */
const fanOut = workflow('fan-out', { input: type<string>() }, async (ctx, order) => {
  await Promise.all([
    ctx.run(charge, order),
    ctx.run(charge, order),
    ctx.run(charge, order),
    ctx.run(ship, order),
    ctx.run(charge, order, { taskQueue: 'elsewhere' }),
  ])
})

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
const tail = { ...first, history_events: charged, history_offset: 1, total_history_events: 4 }
const fan = { workflow_type: 'fan-out' }

/** The reply of a recorded report that hands tasks over. */
function handing(handedOver: unknown): StubReply {
  return { status: 200, body: { ...completed.body, handed_over: handedOver } }
}

const pollIdOf = ({ body }: StubRequest): string => String(Object(body.hand_over).poll_request_id)

/** A logger that keeps its warnings. */
function listening() {
  const warnings: { message: string; facts: Record<string, unknown> | undefined }[] = []
  return {
    warnings,
    log: {
      ...silent,
      warn: (message: string, facts?: Record<string, unknown>) => void warnings.push({ message, facts }),
    },
  }
}

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

function greetOf() {
  return workflow('greet', { input: type<string>(), output: type<string>() }, async (_ctx, name) => `hello ${name}`)
}

describe('HO4 when the reply of a report was lost', () => {
  test('an exact repeat that brings the tasks is enough', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', (_, index) =>
      index === 0 ? 'cut' : handing({ workflow_task: workflowTask('t2'), activity_tasks: [activityTask('a1')] }),
    )
    stub.on('completeActivityTask', () => completed)
    const { worker, run } = await startWorker(stub, { workflows: [fanOut, greetOf()], activities: [charge] })
    await worker.ready
    stub.offer('workflow', workflowTask('t1', fan))
    await stub.arrived('completeActivityTask')
    await stub.arrived('completeWorkflowTask', 3)
    const [lost, repeat] = stub.of('completeWorkflowTask')
    await worker.stop()
    await run
    expect(repeat?.body).toEqual(lost?.body)
    const polled = [...stub.of('pollWorkflowTask'), ...stub.of('pollActivityTask')]
    expect(polled.filter(({ body }) => String(body.poll_request_id).startsWith('hand-over'))).toEqual([])
  })

  test('a repeat that brings none is followed by one immediate poll a kind, with the id of the offer', async () => {
    await using stub = await startStub(advertised)
    stub.on('completeWorkflowTask', (_, index) => (index === 0 ? 'cut' : completed))
    stub.on('completeActivityTask', () => completed)
    const { worker, run } = await startWorker(stub, { workflows: [fanOut, greetOf()], activities: [charge] })
    await stub.arrived('pollActivityTask', 2)
    await stub.arrived('pollWorkflowTask', 2)
    const answers = { pollWorkflowTask: workflowTask('t2'), pollActivityTask: activityTask('a1') } as const
    const collected: StubRequest[] = []
    for (const operation of ['pollWorkflowTask', 'pollActivityTask'] as const) {
      stub.on(operation, (request) => {
        if (!String(request.body.poll_request_id).startsWith('hand-over')) return 'hold'
        collected.push(request)
        return { status: 200, body: { task: answers[operation], poll_status: 'leased' } }
      })
    }
    stub.offer('workflow', workflowTask('t1', fan))
    const report = await stub.arrived('completeWorkflowTask')
    await stub.arrived('completeActivityTask')
    const turn = await stub.arrived('completeWorkflowTask', 3)
    await worker.stop()
    await run
    expect(turn.path).toContain('t2')
    expect(collected.map(({ operation }) => operation).sort()).toEqual(['pollActivityTask', 'pollWorkflowTask'])
    for (const { body } of collected) {
      expect(body).toMatchObject({ poll_request_id: pollIdOf(report), timeout_seconds: 0 })
    }
  })

  test('a poll for them that is refused costs nothing but a line in the log', async () => {
    await using stub = await startStub(advertised)
    const { warnings, log } = listening()
    stub.on('completeActivityTask', (_, index) => (index === 0 ? 'cut' : completed))
    const { worker, run } = await startWorker(stub, { activities: [charge], log })
    await stub.arrived('pollWorkflowTask', 2)
    stub.on('pollWorkflowTask', ({ body }) =>
      String(body.poll_request_id).startsWith('hand-over')
        ? { status: 409, body: { reason: 'worker_draining', error: 'no' } }
        : 'hold',
    )
    stub.offer('activity', activityTask('a1'))
    await stub.arrived('completeActivityTask', 2)
    stub.offer('activity', activityTask('a2'))
    await stub.arrived('completeActivityTask', 3)
    await worker.stop()
    await run
    expect(warnings.map(({ message }) => message)).toContain('A poll for tasks of a lost reply was not answered.')
  })
})

describe('HO3 what cannot be worked on is left to its lease, and the report counts', () => {
  const without = (task: Record<string, unknown>, key: string) =>
    Object.fromEntries(Object.entries(task).filter(([name]) => name !== key))

  test.each([
    ['a text', 'task', 'it is no object'],
    ['null', null, 'it is no object'],
    ['no attempt', without(activityTask('bad'), 'activity_attempt_id'), 'activity_attempt_id is no text'],
    ['attempt 0', activityTask('bad', { attempt_number: 0 }), 'attempt_number is no whole number from 1'],
    ['no lease', activityTask('bad', { lease_expires_at: 'soon' }), 'lease_expires_at is no instant'],
    ['another owner', activityTask('bad', { lease_owner: 'w9' }), 'lease_owner is w9, not this worker'],
  ])('an activity task that is %s', async (_, bad, fault) => {
    await using stub = await startStub(advertised)
    const { warnings, log } = listening()
    stub.on('completeWorkflowTask', () => handing({ activity_tasks: [bad, activityTask('a1')] }))
    stub.on('completeActivityTask', () => completed)
    const { worker, run } = await startWorker(stub, { workflows: [fanOut], activities: [charge], log })
    await worker.ready
    stub.offer('workflow', workflowTask('t1', fan))
    const { body } = await stub.arrived('completeActivityTask')
    await worker.stop()
    await run
    expect(body.activity_attempt_id).toBe('attempt-a1')
    expect(stub.of('completeWorkflowTask')).toHaveLength(1)
    expect(warnings).toMatchObject([{ facts: { kind: 'activity', fault } }])
  })

  test.each([
    ['a list', [], 'it is no object'],
    ['no run', without(workflowTask('bad'), 'run_id'), 'run_id is no text'],
    ['no count of events', without(workflowTask('bad'), 'total_history_events'), 'total_history_events is no number'],
    [
      'no token',
      without(workflowTask('bad'), 'next_history_page_token'),
      'next_history_page_token is neither null nor a text',
    ],
    ['no history', workflowTask('bad', { history_events: {} }), 'history_events is no list'],
    [
      'a torn event',
      workflowTask('bad', { history_events: [{ sequence: 1 }] }),
      'history_events has an event without sequence, event_type or payload',
    ],
  ])('a workflow task that is %s', async (_, bad, fault) => {
    await using stub = await startStub(advertised)
    const { warnings, log } = listening()
    stub.on('completeActivityTask', () => handing({ workflow_task: bad }))
    stub.on('completeWorkflowTask', () => completed)
    const { worker, run } = await startWorker(stub, { activities: [charge], log })
    await worker.ready
    stub.offer('activity', activityTask('a1'))
    await stub.arrived('completeActivityTask', 1)
    stub.offer('activity', activityTask('a2'))
    await stub.arrived('completeActivityTask', 2)
    stub.offer('workflow', workflowTask('t1'))
    const { path } = await stub.arrived('completeWorkflowTask')
    await worker.stop()
    await run
    expect(path).toContain('t1')
    expect(stub.of('completeActivityTask')).toHaveLength(2)
    expect(warnings[0]).toMatchObject({ facts: { kind: 'workflow', fault } })
  })

  test('a list that is none, and more tasks than were offered', async () => {
    await using stub = await startStub(advertised)
    const { warnings, log } = listening()
    const many = ['a1', 'a2', 'a3', 'a4'].map((id) => activityTask(id))
    stub.on('completeWorkflowTask', (_, index) => handing({ activity_tasks: index === 0 ? 'many' : many }))
    stub.on('completeActivityTask', () => completed)
    const { worker, run } = await startWorker(stub, { workflows: [fanOut], activities: [charge], log })
    await worker.ready
    stub.offer('workflow', workflowTask('t1', fan))
    await stub.arrived('completeWorkflowTask', 1)
    stub.offer('workflow', workflowTask('t2', fan))
    await stub.arrived('completeActivityTask', 3)
    await worker.stop()
    await run
    expect(warnings.map(({ facts }) => facts?.fault)).toEqual([
      'activity_tasks is no list',
      'more came than the 3 slots that were offered',
    ])
    expect(stub.of('completeActivityTask')).toHaveLength(3)
  })

  test('a reply without the member', async () => {
    await using stub = await startStub(advertised)
    const { warnings, log } = listening()
    stub.on('completeWorkflowTask', () => handing(null))
    const { worker, run } = await startWorker(stub, { workflows: [fanOut], activities: [charge], log })
    stub.offer('workflow', workflowTask('t1', fan))
    await stub.arrived('completeWorkflowTask', 1)
    await worker.stop()
    await run
    expect(warnings).toEqual([])
  })
})

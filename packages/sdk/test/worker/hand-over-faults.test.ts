import { describe, expect, test } from 'vitest'
import { type StubRequest, startStub } from '../transport/stub-server.ts'
import { activityTask, completed, startWorker, workflowTask } from './harness.ts'
import { advertised, charge, fan, fanOut, greetOf, handing, listening, pollIdOf } from './offering.ts'

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

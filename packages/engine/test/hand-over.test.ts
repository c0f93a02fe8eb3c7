// A report with free slots: what it made ready comes back with its answer, claimed in the same commit.

import { describe, expect, test } from 'vitest'
import { type ActivityTaskClaim, completeActivityTask, completeWorkflowTask, type PollResult } from '../src/index.ts'
import {
  isSettled,
  pollOf,
  registerOn,
  replyOf,
  startOn,
  startWithWorker,
  type TestEngine,
  workflowClaim,
} from './support/engine.ts'
import { type AnyCommand, activityCommand, completeCommand, signalCommand } from './support/operations.ts'

type Offer = NonNullable<Parameters<TestEngine['engine']['report']>[1]>

const offer = (given: Partial<Offer> = {}): Offer => ({
  namespace: 'default',
  workerId: 'worker-1',
  pollRequestId: 'hand-1',
  protocolVersion: '1.19',
  workflowTasks: 1,
  activityTasks: 1,
  ...given,
})

async function claimed(): Promise<TestEngine & { readonly task: ReturnType<typeof workflowClaim>['task'] }> {
  const made = await startWithWorker()
  await startOn(made)
  const { task } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  return Object.assign(made, { task })
}

const completion = (
  made: { readonly task: { readonly taskId: string } },
  commands: readonly AnyCommand[],
  digest = 'd',
) =>
  completeWorkflowTask({
    namespace: 'default',
    taskId: made.task.taskId,
    leaseOwner: 'worker-1',
    attempt: 1,
    commands,
    reportDigest: digest,
    historyCached: false,
    resolvedWaits: [],
  })

const result = ({ activity, attemptId }: ActivityTaskClaim) =>
  completeActivityTask({
    namespace: 'default',
    activityId: activity.activityId,
    attemptId,
    leaseOwner: 'worker-1',
    result: undefined,
    reportDigest: attemptId,
  })

function onlyActivity(
  handedOver: { readonly activityTasks: readonly ActivityTaskClaim[] } | undefined,
): ActivityTaskClaim {
  const [claim] = handedOver?.activityTasks ?? []
  if (claim === undefined) throw new Error('No activity was handed over.')
  return claim
}

describe('handed over', () => {
  test('an activity with the completion that schedules it, the next workflow task with its result; one commit each', async () => {
    await using made = await claimed()
    const commits = made.store.commits.length
    const first = await made.settled(made.engine.report(completion(made, [activityCommand()]), offer()))
    expect(first.outcome.kind).toBe('accepted')
    const activity = onlyActivity(first.handedOver)
    expect(activity.activity).toMatchObject({
      attempt: 1,
      lease: { owner: 'worker-1', proof: { pollRequestId: 'hand-1', protocolVersion: '1.19' } },
    })
    expect(first.handedOver?.workflowTasks).toEqual([])
    const second = await made.settled(made.engine.report(result(activity), offer({ pollRequestId: 'hand-2' })))
    expect(second.handedOver?.workflowTasks).toMatchObject([
      { task: { attempt: 1, resume: { waitKind: 'activity' } }, history: { total: 5 } },
    ])
    expect(second.handedOver?.workflowTasks[0]?.history.events.map((event) => event.type)).toEqual([
      'StartAccepted',
      'WorkflowStarted',
      'ActivityScheduled',
      'ActivityStarted',
      'ActivityCompleted',
    ])
    expect(made.store.commits.length - commits).toBe(2)
  })

  test.each([0, 1, 2, 3, 9])('as many as %i slots, no more; the rest stays for polls', async (activityTasks) => {
    await using made = await claimed()
    const commands = [activityCommand(), activityCommand(), activityCommand()]
    const { handedOver } = await made.settled(made.engine.report(completion(made, commands), offer({ activityTasks })))
    const count = Math.min(activityTasks, 3)
    expect(handedOver?.activityTasks).toHaveLength(count)
    const left: PollResult[] = []
    for (let n = 0; n < 4; n++) left.push(await made.settled(made.engine.poll(pollOf('activity', { timeoutMs: 0 }))))
    expect(left.filter((one) => one.kind === 'activity').length).toBeLessThanOrEqual(3 - count)
  })

  test('only types and the queue that the worker serves', async () => {
    await using made = await claimed()
    const commands = [
      activityCommand({ activity_type: 'ship' }),
      activityCommand({ queue: 'elsewhere' }),
      activityCommand(),
    ]
    const { handedOver } = await made.settled(
      made.engine.report(completion(made, commands), offer({ activityTasks: 3 })),
    )
    expect(handedOver?.activityTasks).toMatchObject([{ activity: { activityType: 'charge', taskQueue: 'orders' } }])
  })

  test('before it goes to a poll that waits', async () => {
    await using made = await claimed()
    await registerOn(made, { workerId: 'worker-2' })
    const poll = made.engine.poll(pollOf('activity', { workerId: 'worker-2' }))
    await made.clock.settle()
    const { handedOver } = await made.settled(made.engine.report(completion(made, [activityCommand()]), offer()))
    expect(handedOver?.activityTasks).toHaveLength(1)
    expect(await isSettled(made, poll)).toBe(false)
  })

  test('an exact repeat gets the same tasks, nothing is claimed anew', async () => {
    await using made = await claimed()
    const first = await made.settled(made.engine.report(completion(made, [activityCommand()]), offer()))
    const again = await made.settled(made.engine.report(completion(made, [activityCommand()]), offer()))
    expect(replyOf(again.outcome).repeated).toBe(true)
    expect(again.handedOver).toEqual(first.handedOver)
  })

  test('L-18 a poll with the id of the offer collects what a lost reply carried', async () => {
    await using made = await claimed()
    const { handedOver } = await made.settled(made.engine.report(completion(made, [activityCommand()]), offer()))
    const collected = await made.settled(made.engine.poll(pollOf('activity', { pollRequestId: 'hand-1' })))
    expect(collected).toMatchObject({ kind: 'activity', claim: { attemptId: onlyActivity(handedOver).attemptId } })
  })
})

describe('not handed over', () => {
  test('without an offer', async () => {
    await using made = await claimed()
    expect(await made.settled(made.engine.report(completion(made, [activityCommand()]), undefined))).toMatchObject({
      outcome: { kind: 'accepted' },
      handedOver: undefined,
    })
  })

  test('to an unknown worker; the report is recorded all the same', async () => {
    await using made = await claimed()
    const { outcome, handedOver } = await made.settled(
      made.engine.report(completion(made, [activityCommand()]), offer({ workerId: 'nobody' })),
    )
    expect(outcome.kind).toBe('accepted')
    expect(handedOver).toEqual({ workflowTasks: [], activityTasks: [] })
  })

  test('with a refusal', async () => {
    await using made = await claimed()
    const { outcome, handedOver } = await made.settled(
      made.engine.report(completion(made, [{ type: 'launch_rocket' }]), offer()),
    )
    expect(outcome).toMatchObject({ reason: 'validation_failed' })
    expect(handedOver).toBeUndefined()
  })

  test('while the engine drains; the report is recorded', async () => {
    await using made = await claimed()
    await made.settled(made.engine.drain())
    const { outcome, handedOver } = await made.settled(
      made.engine.report(completion(made, [activityCommand()]), offer()),
    )
    expect([outcome.kind, handedOver]).toEqual(['accepted', undefined])
    expect(
      await made.settled(made.engine.views.debug({ namespace: 'default', workflowId: 'order-1', runId: undefined })),
    ).toMatchObject({ work: { activities: [{ status: 'pending' }] } })
  })

  test('to a worker that drains', async () => {
    await using made = await claimed()
    const registration = await made.settled(made.engine.views.registration('default', 'worker-1'))
    if (registration === undefined) throw new Error('It is registered.')
    const none = { inserted: [], updated: [], removed: [] }
    const changes = {
      namespaces: none,
      workflows: none,
      runs: none,
      workflowTasks: none,
      activities: none,
      timers: none,
      waits: none,
      signals: none,
      queryTasks: none,
      livenesses: none,
      events: [],
    }
    await made.settled(
      made.store.transact([], (transaction) =>
        transaction.write({
          ...changes,
          registrations: { ...none, updated: [{ ...registration, status: 'draining' }] },
        }),
      ),
    )
    await made.clock.advance(1_000)
    const { handedOver } = await made.settled(made.engine.report(completion(made, [activityCommand()]), offer()))
    expect(handedOver).toEqual({ workflowTasks: [], activityTasks: [] })
  })

  test('what a report did not make ready: a task of another run stays for polls', async () => {
    await using made = await claimed()
    await startOn(made, 'order-2')
    const { handedOver } = await made.settled(
      made.engine.report(completion(made, [completeCommand()]), offer({ workflowTasks: 5 })),
    )
    expect(handedOver).toEqual({ workflowTasks: [], activityTasks: [] })
    expect(workflowClaim(await made.settled(made.engine.poll(pollOf('workflow')))).run.workflowId).toBe('order-2')
  })

  test('UW7 where the commit fails: the caller hears it, nothing is leased', async () => {
    await using made = await claimed()
    made.store.trouble('commit fails')
    await expect(
      made.settled(made.engine.report(completion(made, [activityCommand(), signalCommand()]), offer())),
    ).rejects.toMatchObject({ name: 'StoreUnavailableError' })
    const { handedOver } = await made.settled(made.engine.report(completion(made, [activityCommand()]), offer()))
    expect(onlyActivity(handedOver).activity.attempt).toBe(1)
  })
})

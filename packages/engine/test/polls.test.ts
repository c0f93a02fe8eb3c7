// Polls and dispatch end to end: who gets a task, when, once; what a vanished poller leaves (DI1 – DI5, L-18).

import { describe, expect, test } from 'vitest'
import { heartbeatWorkflowTask } from '../src/index.ts'
import {
  activityClaim,
  completeClaim,
  isSettled,
  pollOf,
  queryClaim,
  registerOn,
  replyOf,
  startOn,
  startWithWorker,
  workflowClaim,
} from './support/engine.ts'
import { activityCommand, sendSignal, signalCommand, start, timerCommand } from './support/operations.ts'

describe('what a poll gets', () => {
  test('a task that is there, with its history; no time passes', async () => {
    await using made = await startWithWorker()
    const runId = await startOn(made)
    const claim = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' }))))
    expect(claim).toMatchObject({
      run: { runId, status: 'running' },
      task: { attempt: 1, lease: { owner: 'worker-1', proof: { pollRequestId: 'p1', protocolVersion: '1.19' } } },
    })
    expect(claim.history).toMatchObject({ total: 2, offset: 0, nextAfter: undefined })
    expect(claim.history.events.map((event) => event.type)).toEqual(['StartAccepted', 'WorkflowStarted'])
  })

  test('a held poll gets a start in the same commit', async () => {
    await using made = await startWithWorker()
    const poll = made.engine.poll(pollOf('workflow'))
    expect(await isSettled(made, poll)).toBe(false)
    expect(made.engine.status).toEqual({ accepting: true, waiters: 1 })
    const commits = made.store.commits.length
    await startOn(made)
    expect(workflowClaim(await made.settled(poll)).task.attempt).toBe(1)
    expect(made.store.commits.length - commits).toBe(1)
    expect(made.engine.status.waiters).toBe(0)
  })

  test('a held activity poll gets what a completion schedules, in the same commit', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    const claim = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    const poll = made.engine.poll(pollOf('activity'))
    await made.clock.settle()
    const commits = made.store.commits.length
    replyOf(await completeClaim(made, claim, [activityCommand()]))
    expect(activityClaim(await made.settled(poll))).toMatchObject({ activity: { activityType: 'charge', attempt: 1 } })
    expect(made.store.commits.length - commits).toBe(1)
  })

  test('a first page, and where the next begins', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    const claim = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { historyPageSize: 1 }))))
    expect(claim.history).toMatchObject({ total: 2, nextAfter: 1 })
    const more = await made.settled(
      made.engine.views.taskHistory({
        taskId: claim.task.taskId,
        namespace: 'default',
        leaseOwner: 'worker-1',
        attempt: 1,
        after: 1,
        limit: 9,
      }),
    )
    expect(more).toMatchObject({ kind: 'found', page: { total: 2, nextAfter: undefined, events: [{ sequence: 2 }] } })
  })

  test('pages show what the claim saw, not what was recorded since', async () => {
    await using made = await startWithWorker()
    const runId = await startOn(made)
    await completeClaim(made, workflowClaim(await made.settled(made.engine.poll(pollOf('workflow')))), [
      timerCommand({ delay_seconds: 1 }),
      timerCommand({ delay_seconds: 2 }),
    ])
    await made.clock.advance(1_000)
    const { task } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    await made.clock.advance(1_000)
    const all = await made.settled(made.store.list.history({ runId, after: 0, limit: 99 }))
    const report = {
      namespace: 'default',
      taskId: task.taskId,
      leaseOwner: 'worker-1',
      attempt: 1,
      after: 0,
      limit: 99,
    }
    const seen = await made.settled(made.engine.views.taskHistory(report))
    expect(all).toHaveLength(task.claimedSequence + 1)
    expect(seen).toMatchObject({ kind: 'found', page: { total: task.claimedSequence, nextAfter: undefined } })
    expect(seen.kind === 'found' && seen.page.events).toEqual(all.slice(0, -1))
  })

  test('a page for another owner is refused as the heartbeat is', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    const { task } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    const report = { taskId: task.taskId, namespace: 'default', leaseOwner: 'worker-9', attempt: 1 }
    expect(await made.settled(made.engine.views.taskHistory({ ...report, after: 0, limit: 9 }))).toMatchObject({
      reason: 'lease_owner_mismatch',
    })
    expect(await made.settled(made.engine.execute(heartbeatWorkflowTask(report)))).toMatchObject({
      reason: 'lease_owner_mismatch',
    })
  })

  test('only types that it serves', async () => {
    await using made = await startWithWorker()
    await registerOn(made, { workerId: 'other', workflowTypes: ['Invoice'] })
    const other = made.engine.poll(pollOf('workflow', { workerId: 'other' }))
    await made.clock.settle()
    await startOn(made)
    await made.clock.advance(30_000)
    expect(await other).toEqual({ kind: 'empty', status: 'empty' })
    expect((await made.settled(made.engine.poll(pollOf('workflow')))).kind).toBe('workflow')
  })

  test('a newcomer who serves what those who wait do not gets its task at once', async () => {
    await using made = await startWithWorker()
    await registerOn(made, { workerId: 'other', workflowTypes: ['Invoice'] })
    const other = made.engine.poll(pollOf('workflow', { workerId: 'other' }))
    await made.clock.settle()
    await startOn(made)
    const mine = made.engine.poll(pollOf('workflow'))
    expect(await isSettled(made, mine)).toBe(true)
    expect(await isSettled(made, other)).toBe(false)
  })

  test('the state that a worker caches is left out of its next history', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    const claim = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    replyOf(await completeClaim(made, claim, [signalCommand()], { historyCached: true }))
    replyOf(await made.settled(made.engine.execute(sendSignal())))
    const next = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    expect(next.history).toMatchObject({
      offset: 2,
      total: 5,
      events: [{ sequence: 3 }, { sequence: 4 }, { sequence: 5 }],
    })
  })
})

describe('what a poll is refused', () => {
  const refusals: [string, Parameters<typeof pollOf>[1], object][] = [
    ['an unknown worker', { workerId: 'nobody' }, { reason: 'worker_not_registered' }],
    [
      'another queue',
      { taskQueue: 'other' },
      { reason: 'task_queue_mismatch', facts: { registeredTaskQueue: 'orders', requestedTaskQueue: 'other' } },
    ],
    [
      'another build',
      { workerId: 'built', buildId: 'b2' },
      { reason: 'build_id_mismatch', facts: { registeredBuildId: 'b1' } },
    ],
    ['no workflow types', { workerId: 'activities' }, { kind: 'empty', status: 'no_workflow_capability' }],
  ]
  test.each(refusals)('%s', async (_name, given, expected) => {
    await using made = await startWithWorker()
    await registerOn(made, { workerId: 'built', buildId: 'b1' })
    await registerOn(made, { workerId: 'activities', workflowTypes: [] })
    expect(await made.settled(made.engine.poll(pollOf('workflow', given)))).toMatchObject(expected)
  })

  test('no activity types', async () => {
    await using made = await startWithWorker()
    await registerOn(made, { workerId: 'workflows', activityTypes: [] })
    expect(await made.settled(made.engine.poll(pollOf('activity', { workerId: 'workflows' })))).toEqual({
      kind: 'empty',
      status: 'no_activity_capability',
    })
  })
})

describe('how a poll ends without a task', () => {
  test('at its timeout, not earlier', async () => {
    await using made = await startWithWorker()
    const poll = made.engine.poll(pollOf('workflow', { timeoutMs: 5_000 }))
    await made.clock.advance(4_999)
    expect(await isSettled(made, poll)).toBe(false)
    await made.clock.advance(1)
    expect(await poll).toEqual({ kind: 'empty', status: 'empty' })
    expect(made.engine.status.waiters).toBe(0)
  })

  test('a timeout of 0 is a probe: it takes what is there', async () => {
    await using made = await startWithWorker()
    expect(await made.settled(made.engine.poll(pollOf('workflow', { timeoutMs: 0 })))).toEqual({
      kind: 'empty',
      status: 'empty',
    })
  })

  test('when its client goes', async () => {
    await using made = await startWithWorker()
    const leaving = new AbortController()
    const poll = made.engine.poll(pollOf('workflow', { signal: leaving.signal }))
    await made.clock.settle()
    leaving.abort()
    expect(await made.settled(poll)).toEqual({ kind: 'empty', status: 'empty' })
    expect(made.engine.status.waiters).toBe(0)
  })

  test('when its client had gone before', async () => {
    await using made = await startWithWorker()
    expect(await made.settled(made.engine.poll(pollOf('workflow', { signal: AbortSignal.abort() })))).toEqual({
      kind: 'empty',
      status: 'empty',
    })
  })

  test('when the engine drains; later polls are told so', async () => {
    await using made = await startWithWorker()
    const poll = made.engine.poll(pollOf('workflow'))
    await made.clock.settle()
    await made.settled(made.engine.drain())
    expect(await made.settled(poll)).toMatchObject({ kind: 'empty' })
    expect(await made.engine.poll(pollOf('workflow'))).toEqual({ kind: 'empty', status: 'draining' })
  })

  test('a poll that arrived a moment before the drain is not held on', async () => {
    await using made = await startWithWorker()
    const poll = made.engine.poll(pollOf('workflow'))
    await made.settled(made.engine.drain())
    expect(await isSettled(made, poll)).toBe(true)
  })

  test('a closing engine finishes what was handed to it', async () => {
    const made = await startWithWorker()
    const ended: string[] = []
    const started = made.engine.execute(start()).then(() => ended.push('started'))
    const closed = made.engine.close().then(() => ended.push('closed'))
    await made.clock.settle()
    await Promise.all([started, closed])
    expect(ended).toEqual(['started', 'closed'])
    await made.store.close()
  })

  test('a closed engine leaves no alarm set', async () => {
    const made = await startWithWorker()
    const poll = made.engine.poll(pollOf('workflow'))
    await made.clock.settle()
    await made[Symbol.asyncDispose]()
    expect(await made.settled(poll)).toMatchObject({ kind: 'empty' })
    expect(made.clock.pending).toBe(0)
  })
})

test('a query poll gets a question', async () => {
  await using made = await startWithWorker()
  await startOn(made)
  const asked = made.engine.query({
    namespace: 'default',
    workflowId: 'order-1',
    runId: undefined,
    queryName: 'total',
    arguments: undefined,
  })
  const claim = queryClaim(await made.settled(made.engine.poll(pollOf('query'))))
  expect(claim).toMatchObject({
    queryTask: { queryName: 'total', attempt: 1 },
    history: [{ sequence: 1 }, { sequence: 2 }],
  })
  await made.clock.advance(30_000)
  expect(await asked).toMatchObject({ reason: 'query_worker_timeout' })
})

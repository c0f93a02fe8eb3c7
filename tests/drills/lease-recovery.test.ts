// Leases end by expiry, by deregistration, or because another process took the id; never by silence, and each stands
// alone. Real processes, real sockets, a real file, real leases.
import { type ClientRequest, request } from 'node:http'
import { encodeEnvelope } from '@durable-workflow/codec'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { createBarrier } from './barrier.ts'
import { blocked, go } from './contracts.ts'
import { countOf, type DatabaseFile, openDatabaseFile } from './database-file.ts'
import { openClient } from './open-client.ts'
import {
  finish,
  type ProcessIdentity,
  type RawWorker,
  rawWorker,
  scheduleWork,
  startRun,
  waitForSignal,
  waiting,
  workflowClaim,
} from './raw-worker.ts'
import { createWorkFolder, startSdkWorker } from './sdk-worker.ts'
import { startSilentRelay } from './silent-relay.ts'

/** Bounds of L-01: claimed within 20 s after the expiry, 30 s in all. */
const recoveryMsMax = 20_000

const expired = (expiresAt: number) =>
  waitFor('the lease has expired', () => Date.now() > expiresAt, { timeoutMs: 30_000 })

describe('a dead process owns the claim (L-01)', () => {
  test('L-01 L-02 L-05 L-06 SIGKILL: its open poll claims, a replacement claims attempt 2, the other lease is untouched', async () => {
    await using server = await startServer({ workflowTaskTimeoutSeconds: 8, activityTaskTimeoutSeconds: 300 })
    await using relay = await startSilentRelay(server.port)
    await using folder = await createWorkFolder()
    using database = openDatabaseFile(server.databaseFile)
    await using client = openClient(server.url)
    const taskQueue = 'drill-l01'
    const place = { taskQueue, folder: folder.path }
    // One open poll: each further one of a dead process could take the task for another lease.
    await using doomed = await startSdkWorker({ ...place, url: relay.url, serves: 'workflows', pollers: 1 })
    await using owner = await startSdkWorker({ ...place, url: server.url, serves: 'activities' })

    const run = await client.start(blocked, { taskQueue, input: { run: 'l01', gate: 'opened' } })
    await waitFor(
      'the activity blocks and the run waits for it',
      () => ({
        effects: folder.effects().length,
        open: database.run(run.runId).open_task_id,
      }),
      { until: ({ effects, open }) => effects === 1 && open === null, timeoutMs: 30_000 },
    )
    const [activity] = database.rows('select * from activities where run_id = ?', run.runId)
    expect(activity).toMatchObject({ status: 'running', attempt: 1, lease_owner: owner.workerId })

    await doomed.program.kill()
    await run.signal(go, 'go on')
    const openTask = () =>
      database.rows("select * from workflow_tasks where run_id = ? and status = 'leased'", run.runId)[0]
    const taken = await waitFor('the outstanding poll of the dead process claims', openTask)
    expect(taken).toMatchObject({ lease_owner: doomed.workerId, attempt: 1, repair_count: 0 })
    const taskId = String(taken.task_id)
    const expiresAt = Number(taken.lease_expires_at)
    expect(Number(taken.lease_ms)).toBe(8_000)
    const events = database.history(run.runId)

    await using replacement = await startSdkWorker({ ...place, url: server.url, serves: 'workflows' })
    expect(Date.now(), 'the replacement is there before the lease ends').toBeLessThan(expiresAt)
    const again = await waitFor('the replacement has taken the task', () => database.workflowTask(taskId), {
      until: (task) => task.attempt === 2,
      timeoutMs: recoveryMsMax + 8_000,
      intervalMs: 10,
    })
    const claimedAfterMs = Number(again.leased_at) - expiresAt
    expect(claimedAfterMs).toBeGreaterThanOrEqual(0)
    expect(claimedAfterMs).toBeLessThan(recoveryMsMax)
    expect(again).toMatchObject({ lease_owner: replacement.workerId, attempt: 2, repair_count: 1 })
    await waitFor('the replacement has reported', () => database.workflowTask(taskId).closed_at)

    // L-02: byte for byte, and recovery wrote no event (the replacement's report only said that it waits).
    expect(database.activity(String(activity?.activity_id))).toEqual(activity)
    expect(database.history(run.runId)).toEqual(events)

    await using late = rawWorker({ url: server.url, taskQueue, workerId: doomed.workerId })
    const claim = { kind: 'workflow' as const, taskId, attempt: 1, runId: run.runId, owner: doomed.workerId, expiresAt }
    const refused = await late.report(claim, 'complete', { commands: [finish('late')] })
    expect(refused).toMatchObject({ status: 409, body: { recorded: false, run_id: run.runId, task_id: taskId } })

    await folder.openGate('opened')
    expect(await run.result({ signal: AbortSignal.timeout(30_000) })).toEqual(['go on', 'opened'])
    const types = database.eventTypes(run.runId)
    expect(countOf(types, 'ActivityCompleted')).toBe(1)
    expect(countOf(types, 'ActivityStarted')).toBe(1)
    expect(countOf(types, 'WorkflowCompleted')).toBe(1)
    expect(database.activity(String(activity?.activity_id))).toMatchObject({ attempt: 1, status: 'completed' })
    expect(folder.effects()).toHaveLength(1)
    await replacement.program.stop()
    await owner.program.stop()
    console.log(`L-01: claimed ${claimedAfterMs} ms after the expiry`)
  })

  test('L-06 a poll whose process dies with its connection claims nothing, or is recovered by expiry', async () => {
    await using server = await startServer({ workflowTaskTimeoutSeconds: 2 })
    await using folder = await createWorkFolder()
    using database = openDatabaseFile(server.databaseFile)
    const taskQueue = 'drill-l06'
    const place = { taskQueue, folder: folder.path, url: server.url }
    await using doomed = await startSdkWorker({ ...place, serves: 'workflows' })
    await doomed.program.kill()
    await using client = openClient(server.url)
    const run = await client.start(blocked, { taskQueue, input: { run: 'l06', gate: 'opened' } })
    await using replacement = await startSdkWorker(place)
    await folder.openGate('opened')
    await run.signal(go, 'on')
    expect(await run.result({ signal: AbortSignal.timeout(30_000) })).toEqual(['on', 'opened'])
    expect(countOf(database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
    await replacement.program.stop()
  })
})

describe('with leases of 2 s', () => {
  let server: ServerProcess
  let database: DatabaseFile
  let taskQueue = ''
  let tests = 0
  const workers: RawWorker[] = []

  beforeAll(async () => {
    server = await startServer({ workflowTaskTimeoutSeconds: 2, activityTaskTimeoutSeconds: 300 })
    database = openDatabaseFile(server.databaseFile)
  })
  beforeEach(() => {
    tests += 1
    taskQueue = `recovery-${tests}`
  })
  afterAll(async () => {
    for (const worker of workers) await worker.client.close()
    database?.close()
    await server?.remove()
  })

  async function registered(process?: ProcessIdentity, workerId?: string): Promise<RawWorker> {
    const worker = rawWorker({ url: server.url, taskQueue, ...(workerId === undefined ? {} : { workerId }) })
    workers.push(worker)
    await worker.register(process)
    return worker
  }

  test('L-04 L-02 the old owner is refused everything after the reclaim, nothing is recorded, no event is written', async () => {
    const first = await registered()
    const run = await startRun(first.client, taskQueue)
    const old = await first.claimWorkflow()
    expect(old.attempt).toBe(1)
    const before = database.history(run.runId)
    await expired(old.expiresAt)
    const second = await registered()
    const claim = await second.claimWorkflow()
    expect(claim).toMatchObject({ taskId: old.taskId, attempt: 2, owner: second.workerId })
    expect(database.history(run.runId)).toEqual(before)
    const row = database.workflowTask(old.taskId)
    expect(row).toMatchObject({ repair_count: 1, attempt: 2 })

    const refusals = [
      await first.report(old, 'complete', { commands: [finish('old')] }),
      await first.report(old, 'fail', { failure: waiting }),
      await first.report(old, 'heartbeat'),
    ]
    for (const refused of refusals) {
      expect(refused).toMatchObject({ status: 409, body: { reason: 'lease_owner_mismatch', recorded: false } })
      expect(refused.body).toMatchObject({ task_id: old.taskId, run_id: run.runId, workflow_task_attempt: 1 })
      expect(refused.at('renewed')).not.toBe(true)
    }
    expect(database.workflowTask(old.taskId)).toEqual(row)
    expect(database.history(run.runId)).toEqual(before)

    expect((await second.report(claim, 'complete', { commands: [finish('new')] })).status).toBe(200)
    expect(countOf(database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
  })

  test('L-09 the same owner with an older attempt is refused as well', async () => {
    const worker = await registered()
    await startRun(worker.client, taskQueue)
    const first = await worker.claimWorkflow()
    await expired(first.expiresAt)
    const second = await worker.claimWorkflow()
    expect(second).toMatchObject({ taskId: first.taskId, attempt: 2 })
    const refused = await worker.report(first, 'complete', { commands: [finish()] })
    expect(refused).toMatchObject({ status: 409, body: { reason: 'workflow_task_attempt_mismatch', recorded: false } })
    expect((await worker.report(second, 'complete', { commands: [finish()] })).status).toBe(200)
  })

  test('L-14 deregistration releases what is leased and counts it; a replacement claims at once', async () => {
    const leaving = await registered()
    await startRun(leaving.client, taskQueue)
    await startRun(leaving.client, taskQueue)
    const claims = [await leaving.claimWorkflow(), await leaving.claimWorkflow()]
    const reply = await leaving.deregister()
    expect(reply).toMatchObject({ status: 200, body: { outcome: 'deregistered', recovered_workflow_task_count: 2 } })
    const next = await registered()
    for (const _ of claims) {
      const claim = workflowClaim(await next.pollWorkflow({ timeout_seconds: 5 }))
      const old = claims.find(({ taskId }) => taskId === claim.taskId)
      expect(claim.attempt).toBe(2)
      expect(Date.now(), 'claimed before the old lease would have expired').toBeLessThan(old?.expiresAt ?? 0)
      expect((await next.report(claim, 'complete', { commands: [finish()] })).status).toBe(200)
    }
  })

  test('L-14 nothing is claimed for a worker that deregistered while its poll was held', async () => {
    const leaving = await registered()
    const held = leaving.pollWorkflow({ timeout_seconds: 30, poll_request_id: 'held' })
    // Most likely held by now; a poll that comes after the deregistration is refused and claims nothing either.
    await leaving.client.worker('POST', '/heartbeat', { worker_id: leaving.workerId })
    await leaving.deregister()
    const next = await registered()
    const run = await startRun(next.client, taskQueue)
    const claim = await next.claimWorkflow()
    expect(claim).toMatchObject({ runId: run.runId, attempt: 1, owner: next.workerId })
    expect((await next.report(claim, 'complete', { commands: [finish()] })).status).toBe(200)
    expect((await held).body).toMatchObject({ task: null })
  })

  const identity = (id: number, startedAt: string): ProcessIdentity => ({
    host: 'drill',
    process_id: id,
    process_started_at: startedAt,
  })

  test('L-14 the same id registered by another process surrenders the leases of the earlier one', async () => {
    const worker = await registered(identity(1, '2026-01-01T00:00:00.000Z'))
    await startRun(worker.client, taskQueue)
    await startRun(worker.client, taskQueue)
    const claim = await worker.claimWorkflow()
    const other = await worker.claimWorkflow()
    expect((await worker.report(other, 'complete', { commands: [scheduleWork()] })).status).toBe(200)
    const work = await worker.claimActivity()
    await worker.register(identity(1, '2026-01-01T00:00:09.000Z'))
    expect(database.workflowTask(claim.taskId)).toMatchObject({ status: 'ready', attempt: 1, lease_owner: null })
    expect(database.activity(work.taskId)).toMatchObject({ status: 'pending', attempt: 1, attempt_status: 'expired' })
    const again = await worker.claimWorkflow()
    expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
    expect((await worker.report(claim, 'complete', { commands: [finish()] })).status).toBe(409)
    expect((await worker.report(work, 'complete', { result: encodeEnvelope('old') })).at('reason')).toBe(
      'stale_attempt',
    )
    expect(await worker.claimActivity()).toMatchObject({ taskId: work.taskId, attempt: 2 })
    expect((await worker.report(again, 'complete', { commands: [finish()] })).status).toBe(200)
  })

  test('L-14 the same process that registers again keeps its leases', async () => {
    const process = identity(2, '2026-01-01T00:00:00.000Z')
    const worker = await registered(process)
    await startRun(worker.client, taskQueue)
    const claim = await worker.claimWorkflow()
    const row = database.workflowTask(claim.taskId)
    await worker.register(process)
    expect(database.workflowTask(claim.taskId)).toEqual(row)
    expect((await worker.report(claim, 'complete', { commands: [finish()] })).status).toBe(200)
  })

  test('L-18 a repeated poll id gives the same claim while it is bound, and not after the reclaim', async () => {
    const first = await registered()
    await startRun(first.client, taskQueue)
    const poll = { poll_request_id: 'the-same', timeout_seconds: 5 }
    const reply = await first.pollWorkflow(poll)
    const claim = workflowClaim(reply)
    const repeated = await first.pollWorkflow({ ...poll, timeout_seconds: 0 })
    expect(repeated.at('task')).toEqual(reply.at('task'))
    expect(database.workflowTask(claim.taskId)).toMatchObject({ attempt: 1 })
    await expired(claim.expiresAt)
    const second = await registered()
    const reclaimed = await second.claimWorkflow()
    expect(reclaimed).toMatchObject({ taskId: claim.taskId, attempt: 2 })
    expect((await first.pollWorkflow({ ...poll, timeout_seconds: 0 })).body).toMatchObject({ task: null })
    expect(database.workflowTask(claim.taskId)).toMatchObject({ attempt: 2, lease_owner: second.workerId })
    expect((await second.report(reclaimed, 'complete', { commands: [finish()] })).status).toBe(200)
  })

  test('L-18 the same for an activity: the repeat gives the same attempt, the next poll id nothing', async () => {
    const worker = await registered()
    await startRun(worker.client, taskQueue)
    const task = await worker.claimWorkflow()
    await worker.report(task, 'complete', { commands: [scheduleWork()] })
    const first = await worker.pollActivity({ poll_request_id: 'work-poll', timeout_seconds: 5 })
    const again = await worker.pollActivity({ poll_request_id: 'work-poll' })
    expect(first.stringAt('task.activity_attempt_id')).toBe(again.stringAt('task.activity_attempt_id'))
    expect((await worker.pollActivity({ poll_request_id: 'another' })).body).toMatchObject({ task: null })
  })
})

test('L-03 a fresh lease is left alone by sweeps that pass, while an activity of the run is leased for longer', async () => {
  await using server = await startServer({ workflowTaskTimeoutSeconds: 60, activityTaskTimeoutSeconds: 300 })
  using database = openDatabaseFile(server.databaseFile)
  const taskQueue = 'drill-l03'
  await using worker = rawWorker({ url: server.url, taskQueue })
  await worker.register()
  const run = await startRun(worker.client, taskQueue)
  await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork(), waitForSignal] })
  const work = await worker.claimActivity()
  await worker.client.control('POST', `/workflows/${run.workflowId}/signal/go`, { input: ['now'] })
  const claim = await worker.claimWorkflow()
  const rows = () => [database.workflowTask(claim.taskId), database.activity(work.taskId), database.history(run.runId)]
  const before = rows()

  // A timer that fires shows that a sweep has passed; two in a row, that it went on looking.
  await using other = rawWorker({ url: server.url, taskQueue: 'drill-l03-timers' })
  await other.register()
  const timers = await startRun(other.client, 'drill-l03-timers')
  for (const fired of [1, 2]) {
    await other.report(await other.claimWorkflow(), 'complete', {
      commands: [{ type: 'start_timer', delay_seconds: 1 }],
    })
    await waitFor(`timer ${fired} has fired`, () => countOf(database.eventTypes(timers.runId), 'TimerFired') === fired)
  }
  expect(rows()).toEqual(before)
  const debug = await worker.client.control('GET', `/workflows/${run.workflowId}/debug`)
  expect(debug.at('pending_workflow_tasks.0')).toMatchObject({
    lease_expired: false,
    repair_count: 0,
    attempt_count: 1,
  })
  expect(debug.listAt('findings')).toEqual([])
  expect((await worker.report(claim, 'complete', { commands: [finish()] })).status).toBe(200)
})

test('L-12 two sweeps meet one expired task: one release, repair_count 1, history unchanged', async () => {
  await using barrier = await createBarrier('gathered', 'releaseWorkflowTask')
  const options = { workflowTaskTimeoutSeconds: 1, env: barrier.env }
  await using one = await startServer(options)
  await using two = await startServer({ ...options, databaseUrl: one.databaseUrl })
  using database = openDatabaseFile(one.databaseFile)
  const taskQueue = 'drill-l12'
  await using worker = rawWorker({ url: one.url, taskQueue })
  await worker.register()
  const run = await startRun(worker.client, taskQueue)
  const claim = await worker.claimWorkflow()
  const events = database.history(run.runId)
  await Promise.all([barrier.reached(one.pid), barrier.reached(two.pid)])
  expect(database.workflowTask(claim.taskId)).toMatchObject({ status: 'leased', repair_count: 0 })
  await barrier.release()
  await waitFor('the task is free', () => database.workflowTask(claim.taskId).status === 'ready')
  // Both have passed their release when both take an operation again.
  for (const server of [one, two]) {
    await using passer = rawWorker({ url: server.url, taskQueue: 'elsewhere' })
    await passer.register()
  }
  expect(database.workflowTask(claim.taskId)).toMatchObject({ status: 'ready', repair_count: 1, attempt: 1 })
  expect(database.history(run.runId)).toEqual(events)
  expect(database.rows('select * from workflow_tasks where run_id = ?', run.runId)).toHaveLength(1)
  const again = await worker.claimWorkflow()
  expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
  expect((await worker.report(again, 'complete', { commands: [finish()] })).status).toBe(200)
  expect(countOf(database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
})

test('L-19 in the state of L-01 the debug document and explain() name the expired workflow task', async () => {
  // The sweep stands at the door with the release: the state between expiry and recovery, as long as the test needs.
  await using barrier = await createBarrier('gathered', 'releaseWorkflowTask')
  await using server = await startServer({
    workflowTaskTimeoutSeconds: 2,
    activityTaskTimeoutSeconds: 300,
    env: barrier.env,
  })
  await using client = openClient(server.url)
  const taskQueue = 'drill-l19'
  await using worker = rawWorker({ url: server.url, taskQueue })
  await worker.register()
  const run = await startRun(worker.client, taskQueue)
  await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork(), waitForSignal] })
  const work = await worker.claimActivity()
  await worker.client.control('POST', `/workflows/${run.workflowId}/signal/go`, { input: ['now'] })
  const claim = await worker.claimWorkflow()
  await barrier.reached(server.pid)

  const debug = await worker.client.control('GET', `/workflows/${run.workflowId}/debug`)
  expect(debug.at('diagnostic_status')).toBe('needs_attention')
  expect(debug.at('pending_workflow_tasks.0')).toMatchObject({
    task_id: claim.taskId,
    status: 'leased',
    lease_owner: worker.workerId,
    lease_expired: true,
    attempt_count: 1,
    repair_count: 0,
  })
  expect(debug.at('pending_activities.0')).toMatchObject({
    activity_execution_id: work.taskId,
    current_attempt: { lease_owner: worker.workerId, lease_expired: false },
  })
  const [finding] = debug.listAt('findings')
  expect(finding).toMatchObject({ code: 'expired_leases', severity: 'error' })
  const lines = await client.get(blocked, run.workflowId).explain()
  const [first] = lines
  expect(first, lines.join('\n')).toContain(claim.taskId)
  expect(first).toContain(worker.workerId)
  expect(first).toMatch(/lease expired/)

  await barrier.release()
  const again = await worker.claimWorkflow()
  expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
  const after = await worker.client.control('GET', `/workflows/${run.workflowId}/debug`)
  expect(after.at('pending_workflow_tasks.0')).toMatchObject({
    lease_expired: false,
    attempt_count: 2,
    repair_count: 1,
  })
  expect(after.listAt('findings')).toEqual([])
})

test('L-15 a killed activity owner: after the real lease the next attempt is number 2, and the old one is over', async () => {
  await using server = await startServer({ activityTaskTimeoutSeconds: 10 })
  await using folder = await createWorkFolder()
  using database = openDatabaseFile(server.databaseFile)
  await using client = openClient(server.url)
  const taskQueue = 'drill-l15'
  const place = { url: server.url, taskQueue, folder: folder.path }
  await using workflows = await startSdkWorker({ ...place, serves: 'workflows' })
  await using killed = await startSdkWorker({ ...place, serves: 'activities' })
  const run = await client.start(blocked, { taskQueue, input: { run: 'l15', gate: 'opened' } })
  await waitFor('the activity has begun', () => folder.effects().length === 1)
  await killed.program.kill()
  const [row] = database.rows('select * from activities where run_id = ?', run.runId)
  expect(row).toMatchObject({ status: 'running', attempt: 1, lease_owner: killed.workerId, lease_ms: 10_000 })
  const events = database.history(run.runId)

  await using second = rawWorker({ url: server.url, taskQueue, activityTypes: ['gate'] })
  await second.register()
  const claim = await second.claimActivity()
  const activityId = String(row?.activity_id)
  expect(claim).toMatchObject({ taskId: activityId, attempt: 2, owner: second.workerId })
  expect(claim.attemptId).not.toBe(`${activityId}x1`)
  const held = database.activity(activityId)
  expect(Number(held.leased_at), 'only after the real expiry').toBeGreaterThanOrEqual(Number(row?.lease_expires_at))
  expect(JSON.parse(String(held.closed_attempts_json))).toMatchObject([{ attempt: 1, status: 'expired' }])
  // Recovery wrote nothing: the only new event is the start of the second attempt.
  expect(database.history(run.runId).slice(events.length)).toMatchObject([{ type: 'ActivityStarted' }])

  const old = { ...claim, attemptId: `${activityId}x1`, attempt: 1, owner: killed.workerId }
  const history = database.history(run.runId)
  for (const [verb, body] of [
    ['complete', { result: encodeEnvelope('late') }],
    ['fail', { failure: { message: 'late', type: 'Late' } }],
  ] as const) {
    const refused = await second.report(old, verb, body)
    expect(refused).toMatchObject({
      status: 409,
      body: { recorded: false, reason: 'stale_attempt', task_id: activityId, activity_attempt_id: old.attemptId },
    })
    expect(refused.body).toMatchObject({ attempt_status: 'expired', activity_status: 'running', task_status: 'leased' })
  }
  const beat = await second.report(old, 'heartbeat', { details: { percent: 50 } })
  expect(beat).toMatchObject({
    status: 200,
    body: { can_continue: false, heartbeat_recorded: false, cancel_requested: false, reason: 'attempt_closed' },
  })
  expect(database.activity(activityId)).toEqual(held)
  expect(database.history(run.runId)).toEqual(history)

  expect((await second.report(claim, 'complete', { result: encodeEnvelope('second') })).status).toBe(200)
  await run.signal(go, 'on')
  expect(await run.result({ signal: AbortSignal.timeout(30_000) })).toEqual(['on', 'second'])
  expect(countOf(database.eventTypes(run.runId), 'ActivityCompleted')).toBe(1)
  expect(countOf(database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
  await workflows.program.stop()
})

describe('L-16 late reports', () => {
  test('L-16 a slow body crosses the lease inside complete: refused, nothing recorded, the reclaimed attempt completes once', async () => {
    await using server = await startServer({ activityTaskTimeoutSeconds: 2 })
    using database = openDatabaseFile(server.databaseFile)
    const taskQueue = 'drill-l16'
    await using worker = rawWorker({ url: server.url, taskQueue })
    await worker.register()
    const run = await startRun(worker.client, taskQueue)
    await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork()] })
    const claim = await worker.claimActivity()
    const body = JSON.stringify({
      activity_attempt_id: claim.attemptId,
      lease_owner: claim.owner,
      result: encodeEnvelope('x'.repeat(200_000)),
    })
    const upload = slowUpload(`${server.url}/api/worker/activity-tasks/${claim.taskId}/complete`, body)
    await upload.sendHalf()
    expect(Date.now(), 'the upload began under a valid lease').toBeLessThan(claim.expiresAt)
    await waitFor('the lease is gone', () => database.activity(claim.taskId).status === 'pending', {
      timeoutMs: 30_000,
    })
    const events = database.history(run.runId)
    const refused = await upload.sendRest()
    expect(refused).toMatchObject({
      status: 409,
      body: { recorded: false, reason: 'stale_attempt', task_id: claim.taskId },
    })
    expect(database.history(run.runId)).toEqual(events)
    expect(database.activity(claim.taskId)).toMatchObject({ status: 'pending', attempt: 1 })

    const again = await worker.claimActivity()
    expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
    expect((await worker.report(again, 'complete', { result: encodeEnvelope('in time') })).status).toBe(200)
    expect((await worker.report(await worker.claimWorkflow(), 'complete', { commands: [finish()] })).status).toBe(200)
    expect(countOf(database.eventTypes(run.runId), 'ActivityCompleted')).toBe(1)
  })

  test('L-16 a heartbeat after the expiry does not revive the attempt', async () => {
    await using server = await startServer({ activityTaskTimeoutSeconds: 1 })
    using database = openDatabaseFile(server.databaseFile)
    const taskQueue = 'drill-l16-heartbeat'
    await using worker = rawWorker({ url: server.url, taskQueue })
    await worker.register()
    await startRun(worker.client, taskQueue)
    await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork()] })
    const claim = await worker.claimActivity()
    await expired(claim.expiresAt)
    const beat = await worker.report(claim, 'heartbeat')
    expect(beat).toMatchObject({ status: 200, body: { can_continue: false, heartbeat_recorded: false } })
    expect(await worker.claimActivity()).toMatchObject({ taskId: claim.taskId, attempt: 2 })
    expect(countOf(database.eventTypes(claim.runId), 'ActivityHeartbeatRecorded')).toBe(0)
  })
})

describe('a report that stands at the door while its lease ends', () => {
  // The report itself keeps the sweep out: nobody has reclaimed anything when it is decided.
  test.each([
    ['complete', 'completeActivityTask', { result: encodeEnvelope('late') }],
    ['fail', 'failActivityTask', { failure: { message: 'late', type: 'Late' } }],
    ['heartbeat', 'heartbeatActivityTask', {}],
  ] as const)(
    'L-16 L-09 an activity’s %s is judged by the lease at its commit, not at its arrival',
    async (verb, kind, body) => {
      await using barrier = await createBarrier('gathered', kind)
      await using server = await startServer({ activityTaskTimeoutSeconds: 1, env: barrier.env })
      using database = openDatabaseFile(server.databaseFile)
      const taskQueue = `door-${verb}`
      await using worker = rawWorker({ url: server.url, taskQueue })
      await worker.register()
      const run = await startRun(worker.client, taskQueue)
      await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork()] })
      const claim = await worker.claimActivity()
      const row = database.activity(claim.taskId)
      const events = database.history(run.runId)
      const report = worker.report(claim, verb, body)
      await barrier.reached(server.pid)
      await expired(claim.expiresAt)
      expect(database.activity(claim.taskId), 'still leased: nobody reclaimed it').toEqual(row)
      await barrier.release()
      const refused = await report
      if (verb === 'heartbeat') {
        expect(refused).toMatchObject({ status: 200, body: { can_continue: false, heartbeat_recorded: false } })
      } else {
        expect(refused).toMatchObject({
          status: 409,
          body: { recorded: false, reason: 'stale_attempt', task_id: claim.taskId },
        })
      }
      const again = await worker.claimActivity()
      expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
      expect(database.history(run.runId).slice(events.length)).toMatchObject([{ type: 'ActivityStarted' }])
      expect((await worker.report(again, 'complete', { result: encodeEnvelope('in time') })).status).toBe(200)
      expect(countOf(database.eventTypes(run.runId), 'ActivityCompleted')).toBe(1)
    },
  )

  test.each([
    ['complete', 'completeWorkflowTask', { commands: [finish('late')] }],
    ['fail', 'failWorkflowTask', { failure: { message: 'late', type: 'Late' } }],
  ] as const)('L-04 L-09 a workflow task’s %s as well', async (verb, kind, body) => {
    await using barrier = await createBarrier('gathered', kind)
    await using server = await startServer({ workflowTaskTimeoutSeconds: 1, env: barrier.env })
    using database = openDatabaseFile(server.databaseFile)
    const taskQueue = `door-${kind}`
    await using worker = rawWorker({ url: server.url, taskQueue })
    await worker.register()
    const run = await startRun(worker.client, taskQueue)
    const claim = await worker.claimWorkflow()
    const events = database.history(run.runId)
    const report = worker.report(claim, verb, body)
    await barrier.reached(server.pid)
    await expired(claim.expiresAt)
    await barrier.release()
    expect(await report).toMatchObject({
      status: 409,
      body: { recorded: false, reason: 'lease_expired', run_id: run.runId },
    })
    const again = await worker.claimWorkflow()
    expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
    expect(database.history(run.runId)).toEqual(events)
    expect((await worker.report(again, 'complete', { commands: [finish('in time')] })).status).toBe(200)
    expect(countOf(database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
  })
})

interface SlowUpload {
  sendHalf(): Promise<void>
  sendRest(): Promise<{ readonly status: number; readonly body: unknown }>
}

/** A request whose body comes in two halves, the second when the test says so. */
function slowUpload(url: string, body: string): SlowUpload {
  const half = Math.floor(body.length / 2)
  const answered = Promise.withResolvers<{ status: number; body: unknown }>()
  const upload: ClientRequest = request(
    url,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-namespace': 'default',
        'x-durable-workflow-protocol-version': '1.19',
      },
    },
    (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => answered.resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }))
    },
  )
  upload.on('error', answered.reject)
  return {
    sendHalf: () => new Promise((done) => upload.write(body.slice(0, half), () => done())),
    sendRest() {
      upload.end(body.slice(half))
      return answered.promise
    },
  }
}

// A process died and owns claims: each lease ends by its expiry and stands alone. Real processes, sockets and leases.
import { encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { countOf, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { blocked, go } from './contracts.ts'
import { openClient } from './open-client.ts'
import { finish, rawWorker } from './raw-worker.ts'
import { createWorkFolder, startSdkWorker } from './sdk-worker.ts'
import { startSilentRelay } from './silent-relay.ts'

/** Bounds of L-01: claimed within 20 s after the expiry, 30 s in all. */
const recoveryMsMax = 20_000

eachDatabase((on) => {
  describe('a dead process owns the claim (L-01)', () => {
    test('L-01 L-02 L-05 L-06 SIGKILL: its open poll claims, a replacement claims attempt 2, the other lease is untouched', async () => {
      await using server = await startServer({ on, workflowTaskTimeoutSeconds: 8, activityTaskTimeoutSeconds: 300 })
      await using relay = await startSilentRelay(server.port)
      await using folder = await createWorkFolder()
      await using database = openReader(server.databaseUrl)
      await using client = openClient(server.url)
      const taskQueue = 'drill-l01'
      const place = { taskQueue, folder: folder.path }
      // One open poll: each further one of a dead process could take the task for another lease.
      await using doomed = await startSdkWorker({ ...place, url: relay.url, serves: 'workflows', pollers: 1 })
      await using owner = await startSdkWorker({ ...place, url: server.url, serves: 'activities' })

      const run = await client.start(blocked, { taskQueue, input: { run: 'l01', gate: 'opened' } })
      await waitFor(
        'the activity blocks and the run waits for it',
        async () => ({
          effects: folder.effects().length,
          open: (await database.run(run.runId)).open_task_id,
        }),
        { until: ({ effects, open }) => effects === 1 && open === null, timeoutMs: 30_000 },
      )
      const [activity] = await database.rows('select * from activities where run_id = ?', run.runId)
      expect(activity).toMatchObject({ status: 'running', attempt: 1, lease_owner: owner.workerId })

      await doomed.program.kill()
      await run.signal(go, 'go on')
      const openTask = async () =>
        (await database.rows("select * from workflow_tasks where run_id = ? and status = 'leased'", run.runId))[0]
      const taken = await waitFor('the outstanding poll of the dead process claims', openTask)
      expect(taken).toMatchObject({ lease_owner: doomed.workerId, attempt: 1, repair_count: 0 })
      const taskId = String(taken.task_id)
      const expiresAt = Number(taken.lease_expires_at)
      expect(Number(taken.lease_ms)).toBe(8_000)
      const events = await database.history(run.runId)

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
      await waitFor('the replacement has reported', async () => (await database.workflowTask(taskId)).closed_at)

      // L-02: byte for byte, and recovery wrote no event (the replacement's report only said that it waits).
      expect(await database.activity(String(activity?.activity_id))).toEqual(activity)
      expect(await database.history(run.runId)).toEqual(events)

      await using late = rawWorker({ url: server.url, taskQueue, workerId: doomed.workerId })
      const claim = {
        kind: 'workflow' as const,
        taskId,
        attempt: 1,
        runId: run.runId,
        owner: doomed.workerId,
        expiresAt,
      }
      const refused = await late.report(claim, 'complete', { commands: [finish('late')] })
      expect(refused).toMatchObject({ status: 409, body: { recorded: false, run_id: run.runId, task_id: taskId } })

      await folder.openGate('opened')
      expect(await run.result({ signal: AbortSignal.timeout(30_000) })).toEqual(['go on', 'opened'])
      const types = await database.eventTypes(run.runId)
      expect(countOf(types, 'ActivityCompleted')).toBe(1)
      expect(countOf(types, 'ActivityStarted')).toBe(1)
      expect(countOf(types, 'WorkflowCompleted')).toBe(1)
      expect(await database.activity(String(activity?.activity_id))).toMatchObject({ attempt: 1, status: 'completed' })
      expect(folder.effects()).toHaveLength(1)
      await replacement.program.stop()
      await owner.program.stop()
      console.log(`L-01: claimed ${claimedAfterMs} ms after the expiry`)
    })

    test('L-06 a poll whose process dies with its connection claims nothing, or is recovered by expiry', async () => {
      await using server = await startServer({ on, workflowTaskTimeoutSeconds: 2 })
      await using folder = await createWorkFolder()
      await using database = openReader(server.databaseUrl)
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
      expect(countOf(await database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
      await replacement.program.stop()
    })
  })

  test('L-15 a killed activity owner: after the real lease the next attempt is number 2, and the old one is over', async () => {
    await using server = await startServer({ on, activityTaskTimeoutSeconds: 10 })
    await using folder = await createWorkFolder()
    await using database = openReader(server.databaseUrl)
    await using client = openClient(server.url)
    const taskQueue = 'drill-l15'
    const place = { url: server.url, taskQueue, folder: folder.path }
    await using workflows = await startSdkWorker({ ...place, serves: 'workflows' })
    await using killed = await startSdkWorker({ ...place, serves: 'activities' })
    const run = await client.start(blocked, { taskQueue, input: { run: 'l15', gate: 'opened' } })
    await waitFor('the activity has begun', () => folder.effects().length === 1)
    await killed.program.kill()
    const [row] = await database.rows('select * from activities where run_id = ?', run.runId)
    expect(row).toMatchObject({ status: 'running', attempt: 1, lease_owner: killed.workerId, lease_ms: 10_000 })
    const events = await database.history(run.runId)

    await using second = rawWorker({ url: server.url, taskQueue, activityTypes: ['gate'] })
    await second.register()
    const claim = await second.claimActivity()
    const activityId = String(row?.activity_id)
    expect(claim).toMatchObject({ taskId: activityId, attempt: 2, owner: second.workerId })
    expect(claim.attemptId).not.toBe(`${activityId}x1`)
    const held = await database.activity(activityId)
    expect(Number(held.leased_at), 'only after the real expiry').toBeGreaterThanOrEqual(Number(row?.lease_expires_at))
    expect(JSON.parse(String(held.closed_attempts_json))).toMatchObject([{ attempt: 1, status: 'expired' }])
    // Recovery wrote nothing: the only new event is the start of the second attempt.
    expect((await database.history(run.runId)).slice(events.length)).toMatchObject([{ type: 'ActivityStarted' }])

    const old = { ...claim, attemptId: `${activityId}x1`, attempt: 1, owner: killed.workerId }
    const history = await database.history(run.runId)
    for (const [verb, body] of [
      ['complete', { result: encodeEnvelope('late') }],
      ['fail', { failure: { message: 'late', type: 'Late' } }],
    ] as const) {
      const refused = await second.report(old, verb, body)
      expect(refused).toMatchObject({
        status: 409,
        body: { recorded: false, reason: 'stale_attempt', task_id: activityId, activity_attempt_id: old.attemptId },
      })
      expect(refused.body).toMatchObject({
        attempt_status: 'expired',
        activity_status: 'running',
        task_status: 'leased',
      })
    }
    const beat = await second.report(old, 'heartbeat', { details: { percent: 50 } })
    expect(beat).toMatchObject({
      status: 200,
      body: { can_continue: false, heartbeat_recorded: false, cancel_requested: false, reason: 'attempt_closed' },
    })
    expect(await database.activity(activityId)).toEqual(held)
    expect(await database.history(run.runId)).toEqual(history)

    expect((await second.report(claim, 'complete', { result: encodeEnvelope('second') })).status).toBe(200)
    await run.signal(go, 'on')
    expect(await run.result({ signal: AbortSignal.timeout(30_000) })).toEqual(['on', 'second'])
    expect(countOf(await database.eventTypes(run.runId), 'ActivityCompleted')).toBe(1)
    expect(countOf(await database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
    await workflows.program.stop()
  })
})

// What the sweep does with leases: it leaves fresh ones alone, two of them release once, and what it has not yet done is told.
import { expect, test } from 'vitest'
import { countOf, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { createBarrier } from './barrier.ts'
import { blocked } from './contracts.ts'
import { openClient } from './open-client.ts'
import { finish, rawWorker, scheduleWork, startRun, waitForSignal } from './raw-worker.ts'

eachDatabase((on) => {
  test('L-03 a fresh lease is left alone by sweeps that pass, while an activity of the run is leased for longer', async () => {
    await using server = await startServer({ on, workflowTaskTimeoutSeconds: 60, activityTaskTimeoutSeconds: 300 })
    await using database = openReader(server.databaseUrl)
    const taskQueue = 'drill-l03'
    await using worker = rawWorker({ url: server.url, taskQueue })
    await worker.register()
    const run = await startRun(worker.client, taskQueue)
    await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork(), waitForSignal] })
    const work = await worker.claimActivity()
    await worker.client.control('POST', `/workflows/${run.workflowId}/signal/go`, { input: ['now'] })
    const claim = await worker.claimWorkflow()
    const rows = async () => [
      await database.workflowTask(claim.taskId),
      await database.activity(work.taskId),
      await database.history(run.runId),
    ]
    const before = await rows()

    // A timer that fires shows that a sweep has passed; two in a row, that it went on looking.
    await using other = rawWorker({ url: server.url, taskQueue: 'drill-l03-timers' })
    await other.register()
    const timers = await startRun(other.client, 'drill-l03-timers')
    for (const fired of [1, 2]) {
      await other.report(await other.claimWorkflow(), 'complete', {
        commands: [{ type: 'start_timer', delay_seconds: 1 }],
      })
      await waitFor(
        `timer ${fired} has fired`,
        async () => countOf(await database.eventTypes(timers.runId), 'TimerFired') === fired,
      )
    }
    expect(await rows()).toEqual(before)
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
    await using one = await startServer({ on, ...options })
    await using two = await startServer({ ...options, databaseUrl: one.databaseUrl })
    await using database = openReader(one.databaseUrl)
    const taskQueue = 'drill-l12'
    await using worker = rawWorker({ url: one.url, taskQueue })
    await worker.register()
    const run = await startRun(worker.client, taskQueue)
    const claim = await worker.claimWorkflow()
    const events = await database.history(run.runId)
    await Promise.all([barrier.reached(one.pid), barrier.reached(two.pid)])
    expect(await database.workflowTask(claim.taskId)).toMatchObject({ status: 'leased', repair_count: 0 })
    await barrier.release()
    await waitFor('the task is free', async () => (await database.workflowTask(claim.taskId)).status === 'ready')
    // Both have passed their release when both take an operation again.
    for (const server of [one, two]) {
      await using passer = rawWorker({ url: server.url, taskQueue: 'elsewhere' })
      await passer.register()
    }
    expect(await database.workflowTask(claim.taskId)).toMatchObject({ status: 'ready', repair_count: 1, attempt: 1 })
    expect(await database.history(run.runId)).toEqual(events)
    expect(await database.rows('select * from workflow_tasks where run_id = ?', run.runId)).toHaveLength(1)
    const again = await worker.claimWorkflow()
    expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
    expect((await worker.report(again, 'complete', { commands: [finish()] })).status).toBe(200)
    expect(countOf(await database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
  })

  test('L-19 in the state of L-01 the debug document and explain() name the expired workflow task', async () => {
    // The sweep stands at the door with the release: the state between expiry and recovery, as long as the test needs.
    await using barrier = await createBarrier('gathered', 'releaseWorkflowTask')
    await using server = await startServer({
      on,
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
})

// Leases end by expiry, by deregistration, or because another process took the id; never by silence.
import { encodeEnvelope } from '@durable-workflow/codec'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countOf, type DatabaseReader, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import {
  expired,
  finish,
  type ProcessIdentity,
  type RawWorker,
  rawWorker,
  scheduleWork,
  startRun,
  waiting,
  workflowClaim,
} from './raw-worker.ts'

eachDatabase((on) => {
  describe('with leases of 2 s', () => {
    let server: ServerProcess
    let database: DatabaseReader
    let taskQueue = ''
    let tests = 0
    const workers: RawWorker[] = []

    beforeAll(async () => {
      server = await startServer({ on, workflowTaskTimeoutSeconds: 2, activityTaskTimeoutSeconds: 300 })
      database = openReader(server.databaseUrl)
    })
    beforeEach(() => {
      tests += 1
      taskQueue = `recovery-${tests}`
    })
    afterAll(async () => {
      for (const worker of workers) await worker.client.close()
      await database?.close()
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
      const before = await database.history(run.runId)
      await expired(old.expiresAt)
      const second = await registered()
      const claim = await second.claimWorkflow()
      expect(claim).toMatchObject({ taskId: old.taskId, attempt: 2, owner: second.workerId })
      expect(await database.history(run.runId)).toEqual(before)
      const row = await database.workflowTask(old.taskId)
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
      expect(await database.workflowTask(old.taskId)).toEqual(row)
      expect(await database.history(run.runId)).toEqual(before)

      expect((await second.report(claim, 'complete', { commands: [finish('new')] })).status).toBe(200)
      expect(countOf(await database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
    })

    test('L-09 the same owner with an older attempt is refused as well', async () => {
      const worker = await registered()
      await startRun(worker.client, taskQueue)
      const first = await worker.claimWorkflow()
      await expired(first.expiresAt)
      const second = await worker.claimWorkflow()
      expect(second).toMatchObject({ taskId: first.taskId, attempt: 2 })
      const refused = await worker.report(first, 'complete', { commands: [finish()] })
      expect(refused).toMatchObject({
        status: 409,
        body: { reason: 'workflow_task_attempt_mismatch', recorded: false },
      })
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
      expect(await database.workflowTask(claim.taskId)).toMatchObject({
        status: 'ready',
        attempt: 1,
        lease_owner: null,
      })
      expect(await database.activity(work.taskId)).toMatchObject({
        status: 'pending',
        attempt: 1,
        attempt_status: 'expired',
      })
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
      const row = await database.workflowTask(claim.taskId)
      await worker.register(process)
      expect(await database.workflowTask(claim.taskId)).toEqual(row)
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
      expect(await database.workflowTask(claim.taskId)).toMatchObject({ attempt: 1 })
      await expired(claim.expiresAt)
      const second = await registered()
      const reclaimed = await second.claimWorkflow()
      expect(reclaimed).toMatchObject({ taskId: claim.taskId, attempt: 2 })
      expect((await first.pollWorkflow({ ...poll, timeout_seconds: 0 })).body).toMatchObject({ task: null })
      expect(await database.workflowTask(claim.taskId)).toMatchObject({ attempt: 2, lease_owner: second.workerId })
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
})

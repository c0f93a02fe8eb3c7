// A report that comes, or is decided, after its lease has ended: the lease at the commit counts.
import { type ClientRequest, request } from 'node:http'
import { encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { countOf, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { createBarrier } from './barrier.ts'
import { expired, finish, rawWorker, scheduleWork, startRun } from './raw-worker.ts'

eachDatabase((on) => {
  describe('L-16 late reports', () => {
    test('L-16 a slow body crosses the lease inside complete: refused, nothing recorded, the reclaimed attempt completes once', async () => {
      await using server = await startServer({ on, activityTaskTimeoutSeconds: 2 })
      await using database = openReader(server.databaseUrl)
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
      await waitFor('the lease is gone', async () => (await database.activity(claim.taskId)).status === 'pending', {
        timeoutMs: 30_000,
      })
      const events = await database.history(run.runId)
      const refused = await upload.sendRest()
      expect(refused).toMatchObject({
        status: 409,
        body: { recorded: false, reason: 'stale_attempt', task_id: claim.taskId },
      })
      expect(await database.history(run.runId)).toEqual(events)
      expect(await database.activity(claim.taskId)).toMatchObject({ status: 'pending', attempt: 1 })

      const again = await worker.claimActivity()
      expect(again).toMatchObject({ taskId: claim.taskId, attempt: 2 })
      expect((await worker.report(again, 'complete', { result: encodeEnvelope('in time') })).status).toBe(200)
      expect((await worker.report(await worker.claimWorkflow(), 'complete', { commands: [finish()] })).status).toBe(200)
      expect(countOf(await database.eventTypes(run.runId), 'ActivityCompleted')).toBe(1)
    })

    test('L-16 a heartbeat after the expiry does not revive the attempt', async () => {
      await using server = await startServer({ on, activityTaskTimeoutSeconds: 1 })
      await using database = openReader(server.databaseUrl)
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
      expect(countOf(await database.eventTypes(claim.runId), 'ActivityHeartbeatRecorded')).toBe(0)
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
        await using server = await startServer({ on, activityTaskTimeoutSeconds: 1, env: barrier.env })
        await using database = openReader(server.databaseUrl)
        const taskQueue = `door-${verb}`
        await using worker = rawWorker({ url: server.url, taskQueue })
        await worker.register()
        const run = await startRun(worker.client, taskQueue)
        await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork()] })
        const claim = await worker.claimActivity()
        const row = await database.activity(claim.taskId)
        const events = await database.history(run.runId)
        const report = worker.report(claim, verb, body)
        await barrier.reached(server.pid)
        await expired(claim.expiresAt)
        expect(await database.activity(claim.taskId), 'still leased: nobody reclaimed it').toEqual(row)
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
        expect((await database.history(run.runId)).slice(events.length)).toMatchObject([{ type: 'ActivityStarted' }])
        expect((await worker.report(again, 'complete', { result: encodeEnvelope('in time') })).status).toBe(200)
        expect(countOf(await database.eventTypes(run.runId), 'ActivityCompleted')).toBe(1)
      },
    )

    test.each([
      ['complete', 'completeWorkflowTask', { commands: [finish('late')] }],
      ['fail', 'failWorkflowTask', { failure: { message: 'late', type: 'Late' } }],
    ] as const)('L-04 L-09 a workflow task’s %s as well', async (verb, kind, body) => {
      await using barrier = await createBarrier('gathered', kind)
      await using server = await startServer({ on, workflowTaskTimeoutSeconds: 1, env: barrier.env })
      await using database = openReader(server.databaseUrl)
      const taskQueue = `door-${kind}`
      await using worker = rawWorker({ url: server.url, taskQueue })
      await worker.register()
      const run = await startRun(worker.client, taskQueue)
      const claim = await worker.claimWorkflow()
      const events = await database.history(run.runId)
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
      expect(await database.history(run.runId)).toEqual(events)
      expect((await worker.report(again, 'complete', { commands: [finish('in time')] })).status).toBe(200)
      expect(countOf(await database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
    })
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

// What a worker is told when its run was closed meanwhile (part C of the requirements): the server’s side.
import { encodeEnvelope } from '@durable-workflow/codec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseReader, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import type { Reply } from '../support/http.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Barrier, createBarrier } from './barrier.ts'
import { failRun, finish, type RawWorker, type RunIds, rawWorker, scheduleWork, startRun } from './raw-worker.ts'

type Terminal = 'cancelled' | 'terminated' | 'completed' | 'failed' | 'timed out'

const closings: Readonly<
  Record<
    Terminal,
    { status: string; closedReason: string; stopReason: string; cancelRequested: boolean; reason: string }
  >
> = {
  cancelled: {
    status: 'cancelled',
    closedReason: 'cancelled',
    stopReason: 'run_cancelled',
    cancelRequested: true,
    reason: 'run_closed',
  },
  terminated: {
    status: 'terminated',
    closedReason: 'terminated',
    stopReason: 'run_terminated',
    cancelRequested: true,
    reason: 'run_closed',
  },
  completed: {
    status: 'completed',
    closedReason: 'completed',
    stopReason: 'run_completed',
    cancelRequested: false,
    reason: 'run_closed',
  },
  failed: {
    status: 'failed',
    closedReason: 'failed',
    stopReason: 'run_failed',
    cancelRequested: false,
    reason: 'run_closed',
  },
  'timed out': {
    status: 'failed',
    closedReason: 'timed_out',
    stopReason: 'run_failed',
    cancelRequested: false,
    reason: 'run_timed_out',
  },
}
const terminals = Object.keys(closings).filter((name): name is Terminal => name in closings)

eachDatabase((on) => {
  describe('the server’s receipt (R-01)', () => {
    const verbs = ['complete', 'fail'] as const
    const barriers = new Map<string, Barrier>()
    const servers = new Map<string, ServerProcess>()
    let database: DatabaseReader
    let rounds = 0

    beforeAll(async () => {
      const plain = await startServer({ on })
      servers.set('plain', plain)
      for (const verb of verbs) {
        const barrier = await createBarrier('gathered', `${verb}WorkflowTask`)
        barriers.set(verb, barrier)
        servers.set(verb, await startServer({ databaseUrl: plain.databaseUrl, env: barrier.env }))
      }
      database = openReader(plain.databaseUrl)
    }, 120_000)
    afterAll(async () => {
      await database?.close()
      for (const barrier of barriers.values()) await barrier[Symbol.asyncDispose]()
      for (const server of [...servers.values()].reverse()) await server.remove()
    })

    const serverOf = (name: string): ServerProcess => {
      const server = servers.get(name)
      if (server === undefined) throw new Error(`no server ${name}`)
      return server
    }

    /** Closes the run through a server that nobody holds, and waits until it is closed on disk. */
    async function close(run: RunIds, how: Terminal, worker: RawWorker, claim: Parameters<RawWorker['report']>[0]) {
      const reply = await closeReply(run, how, worker, claim)
      if (reply !== undefined) expect(reply.status, reply.text).toBe(200)
      await waitFor(`the run is ${how}`, () => database.run(run.runId), {
        until: (row) => row.status === closings[how].status && row.closed_reason === closings[how].closedReason,
        timeoutMs: 20_000,
      })
    }

    async function closeReply(
      run: RunIds,
      how: Terminal,
      worker: RawWorker,
      claim: Parameters<RawWorker['report']>[0],
    ): Promise<Reply | undefined> {
      switch (how) {
        case 'cancelled':
          return worker.client.control('POST', `/workflows/${run.workflowId}/cancel`, { reason: 'drill' })
        case 'terminated':
          return worker.client.control('POST', `/workflows/${run.workflowId}/terminate`, { reason: 'drill' })
        case 'completed':
          return worker.report(claim, 'complete', { commands: [finish('the first report')] })
        case 'failed':
          return worker.report(claim, 'complete', { commands: [failRun] })
        case 'timed out':
          return undefined
      }
    }

    const cases = terminals.flatMap((how) =>
      verbs.flatMap((verb) =>
        (['before the guard', 'between guard and lock'] as const).map((when) => [how, verb, when] as const),
      ),
    )

    test.each(cases)('R-01 a run that is %s: %s refused, closed %s', async (how, verb, when) => {
      rounds += 1
      const taskQueue = `settlement-${rounds}`
      const barrier = barriers.get(verb)
      const held = serverOf(verb)
      await using free = rawWorker({ url: serverOf('plain').url, taskQueue, workerId: `worker-${rounds}` })
      await using stopped = rawWorker({ url: held.url, taskQueue, workerId: free.workerId })
      await free.register()
      const run = await startRun(free.client, taskQueue, how === 'timed out' ? { run_timeout_seconds: 1 } : {})
      const claim = await free.claimWorkflow()
      const body =
        verb === 'complete' ? { commands: [scheduleWork()] } : { failure: { message: 'another report', type: 'Wrong' } }

      let answer: Reply
      if (when === 'before the guard') {
        await close(run, how, free, claim)
        answer = await free.report(claim, verb, body)
      } else {
        await barrier?.hold()
        const pending = stopped.report(claim, verb, body)
        await barrier?.reached(held.pid)
        await close(run, how, free, claim)
        const closed = await database.history(run.runId)
        await barrier?.release()
        answer = await pending
        expect(await database.history(run.runId)).toEqual(closed)
      }
      const events = await database.history(run.runId)
      const row = await database.run(run.runId)
      const task = await database.workflowTask(claim.taskId)
      expectReceipt(answer, how, {
        taskId: claim.taskId,
        runId: run.runId,
        closedAt: Number(row.closed_at),
        taskStatus: String(task.status),
      })

      // A duplicate of the refused report is refused the same, and nothing grows.
      const again = await free.report(claim, verb, body)
      expect({ status: again.status, body: again.body }).toEqual({ status: answer.status, body: answer.body })
      expect(await database.history(run.runId)).toEqual(events)
      expect(await database.run(run.runId)).toEqual(row)
      expect(await database.workflowTask(claim.taskId)).toEqual(task)
    })

    function expectReceipt(
      answer: Reply,
      how: Terminal,
      facts: { taskId: string; runId: string; closedAt: number; taskStatus: string },
    ) {
      const closing = closings[how]
      expect(answer.status, answer.text).toBe(409)
      expect(answer.body).toMatchObject({
        task_id: facts.taskId,
        workflow_task_attempt: 1,
        run_id: facts.runId,
        recorded: false,
        reason: closing.reason,
        stop_reason: closing.stopReason,
        cancel_requested: closing.cancelRequested,
        can_continue: false,
        run_status: closing.status,
        run_closed_reason: closing.closedReason,
        task_status: facts.taskStatus,
      })
      expect(Date.parse(answer.stringAt('run_closed_at'))).toBe(facts.closedAt)
      expect(answer.stringAt('error').length).toBeGreaterThan(0)
      for (const key of ['lease_owner', 'lease_expires_at']) expect(answer.body).toHaveProperty(key)
    }

    test('R-01 a deadline that nobody noticed yet closes the run inside the report, and the receipt is the same', async () => {
      // Alone on its file: while the report stands at the door, no sweep gets past it.
      await using barrier = await createBarrier('gathered', 'completeWorkflowTask')
      await using alone = await startServer({ on, env: barrier.env })
      await using file = openReader(alone.databaseUrl)
      const taskQueue = 'settlement-deadline'
      await using worker = rawWorker({ url: alone.url, taskQueue })
      await worker.register()
      const run = await startRun(worker.client, taskQueue, { run_timeout_seconds: 1 })
      const claim = await worker.claimWorkflow()
      const report = worker.report(claim, 'complete', { commands: [finish('too late')] })
      await barrier.reached(alone.pid)
      await waitFor(
        'the deadline has passed',
        async () => Date.now() > Number((await file.run(run.runId)).run_deadline_at),
      )
      expect((await file.run(run.runId)).closed_at).toBeNull()
      await barrier.release()
      const answer = await report
      const taskStatus = String((await file.workflowTask(claim.taskId)).status)
      const closedAt = Number((await file.run(run.runId)).closed_at)
      expectReceipt(answer, 'timed out', { taskId: claim.taskId, runId: run.runId, closedAt, taskStatus })
      expect((await file.eventTypes(run.runId)).at(-1)).toBe('WorkflowTimedOut')
    })

    test('R-01 a heartbeat of a closed run answers the receipt, renewed false', async () => {
      const taskQueue = 'settlement-heartbeat'
      await using worker = rawWorker({ url: serverOf('plain').url, taskQueue })
      await worker.register()
      const run = await startRun(worker.client, taskQueue)
      const claim = await worker.claimWorkflow()
      await close(run, 'cancelled', worker, claim)
      const answer = await worker.report(claim, 'heartbeat')
      expect(answer).toMatchObject({
        status: 409,
        body: { renewed: false, reason: 'run_closed', stop_reason: 'run_cancelled', run_id: run.runId },
      })
    })

    test('R-10 an activity of a cancelled run: complete and fail refused with activity, attempt and task status', async () => {
      for (const [verb, body] of [
        ['complete', { result: encodeEnvelope(1) }],
        ['fail', { failure: { message: 'x', type: 'X' } }],
      ] as const) {
        const taskQueue = `settlement-activity-${verb}`
        await using worker = rawWorker({ url: serverOf('plain').url, taskQueue })
        await worker.register()
        const run = await startRun(worker.client, taskQueue)
        await worker.report(await worker.claimWorkflow(), 'complete', { commands: [scheduleWork()] })
        const work = await worker.claimActivity()
        await worker.client.control('POST', `/workflows/${run.workflowId}/cancel`, {})
        const events = await database.history(run.runId)
        const answer = await worker.report(work, verb, body)
        expect(answer).toMatchObject({
          status: 409,
          body: { recorded: false, reason: 'run_cancelled', task_id: work.taskId, activity_attempt_id: work.attemptId },
        })
        expect(answer.body).toMatchObject({
          activity_status: 'cancelled',
          attempt_status: 'cancelled',
          task_status: 'cancelled',
          cancel_requested: true,
          can_continue: false,
        })
        const beat = await worker.report(work, 'heartbeat')
        expect(beat).toMatchObject({
          status: 200,
          body: { can_continue: false, cancel_requested: true, heartbeat_recorded: false },
        })
        expect(await database.history(run.runId)).toEqual(events)
      }
    })
  })
})

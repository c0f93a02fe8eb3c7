// A worker of ours whose run was closed meanwhile drops its report and goes on working (part C of the requirements).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eachDatabase } from '../support/databases.ts'
import { type Exchange, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type JsonClient, jsonClient } from '../support/http.ts'
import { type JsonObject, parseJsonObject } from '../support/process.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { forbidden, gated, identity, immediate, throwing } from './contracts.ts'
import { openClient } from './open-client.ts'
import { startRewritingServer } from './rewriting-server.ts'
import { createWorkFolder, startSdkWorker, type WorkFolder } from './sdk-worker.ts'

eachDatabase((on) => {
  describe('our worker and the receipt', () => {
    let server: ServerProcess
    let proxy: FaultProxy
    let folder: WorkFolder
    let control: JsonClient
    beforeAll(async () => {
      server = await startServer({ on })
      proxy = await startFaultProxy(server.url)
      folder = await createWorkFolder()
      control = jsonClient({ url: server.url })
    }, 60_000)
    afterAll(async () => {
      await control?.close()
      await proxy?.close()
      await server?.remove()
      await folder?.[Symbol.asyncDispose]()
    })

    const reportsOf = (taskId: string): Exchange[] =>
      proxy.exchanges.filter(({ path }) => path.includes(taskId) && /\/(complete|fail)$/.test(path))

    const receiptOf = (exchange: Exchange | undefined): JsonObject => parseJsonObject(exchange?.replyText ?? '') ?? {}

    const taskOf = (path: string): string => path.split('/').at(-2) ?? ''

    async function closeRun(workflowId: string, how: 'cancel' | 'terminate' | 'time out'): Promise<void> {
      if (how !== 'time out') {
        expect((await control.control('POST', `/workflows/${workflowId}/${how}`, {})).status).toBe(200)
        return
      }
      await waitFor('the run has timed out', () => control.control('GET', `/workflows/${workflowId}`), {
        until: (reply) => reply.at('closed_reason') === 'timed_out',
        timeoutMs: 20_000,
      })
    }

    /** The report of a run is held on its way, the run is closed, the report goes on. */
    async function closedWhileReporting(
      start: (facts: { taskQueue: string; runTimeout?: '1s' }) => Promise<{ readonly workflowId: string }>,
      verb: 'complete' | 'fail',
      how: 'cancel' | 'terminate' | 'time out',
      taskQueue: string,
    ): Promise<Exchange> {
      const held = proxy.inject({
        method: 'POST',
        path: new RegExp(`/workflow-tasks/[^/]+/${verb}$`),
        fault: { kind: 'hold-request' },
      })
      const run = await start(how === 'time out' ? { taskQueue, runTimeout: '1s' } : { taskQueue })
      const exchange = await held.met
      await closeRun(run.workflowId, how)
      held.release()
      return waitFor('the report is answered', () => (exchange.status === undefined ? undefined : exchange))
    }

    const rounds = ['cancel', 'terminate', 'time out'] as const

    test.each(rounds)(
      'R-07 R-06 %s while the worker reports: three times settled, each time the same process completes the next run',
      async (how) => {
        const taskQueue = `r07-${how.replace(' ', '-')}`
        await using client = openClient(server.url)
        await using worker = await startSdkWorker({ url: proxy.url, taskQueue, folder: folder.path })
        for (let round = 1; round <= 3; round += 1) {
          const exchange = await closedWhileReporting(
            (facts) => client.start(immediate, facts),
            'complete',
            how,
            taskQueue,
          )
          expect(exchange.status).toBe(409)
          expect(receiptOf(exchange)).toMatchObject({
            recorded: false,
            reason: how === 'time out' ? 'run_timed_out' : 'run_closed',
          })
          const next = await client.execute(identity, { taskQueue, signal: AbortSignal.timeout(30_000) })
          expect(next).toEqual({ pid: worker.pid, startedAt: worker.startedAt })
          expect(reportsOf(taskOf(exchange.path)), 'one report, no second one').toHaveLength(1)
        }
        expect(worker.program.exit).toBeUndefined()
        expect(await worker.program.stop()).toEqual({ code: 0, signal: null })
        console.log(`R-07 ${how}: 3 rounds, pid ${worker.pid} throughout`)
      },
    )

    test('R-08 the authored code fails and the run is terminated before the report: settled, the error is not escalated', async () => {
      const taskQueue = 'r08'
      await using client = openClient(server.url)
      await using worker = await startSdkWorker({ url: proxy.url, taskQueue, folder: folder.path })
      for (const [contract, verb] of [
        [throwing, 'complete'],
        [forbidden, 'fail'],
      ] as const) {
        const exchange = await closedWhileReporting(
          (facts) => client.start(contract, facts),
          verb,
          'terminate',
          taskQueue,
        )
        expect(receiptOf(exchange)).toMatchObject({
          recorded: false,
          reason: 'run_closed',
          stop_reason: 'run_terminated',
        })
        expect(reportsOf(taskOf(exchange.path))).toHaveLength(1)
        expect(await client.execute(identity, { taskQueue, signal: AbortSignal.timeout(30_000) })).toMatchObject({
          pid: worker.pid,
        })
      }
      expect(worker.program.exit).toBeUndefined()
    })

    test('R-10 an activity whose run was cancelled while it ran: its report is settled, the same process completes the next', async () => {
      const taskQueue = 'r10'
      await using client = openClient(server.url)
      await using worker = await startSdkWorker({ url: proxy.url, taskQueue, folder: folder.path })
      const run = await client.start(gated, { taskQueue, input: { run: 'r10', gate: 'r10-opened' } })
      await waitFor('the activity runs', () => folder.effects().some((effect) => effect.run === 'r10'))
      await run.cancel('drill')
      await folder.openGate('r10-opened')
      const exchange = await proxy.waitForExchange('the refused report', {
        path: /activity-tasks\/[^/]+\/complete$/,
        status: 409,
      })
      expect(receiptOf(exchange)).toMatchObject({
        recorded: false,
        reason: 'run_cancelled',
        activity_status: 'cancelled',
        attempt_status: 'cancelled',
        task_status: 'cancelled',
      })
      expect(await client.execute(identity, { taskQueue, signal: AbortSignal.timeout(30_000) })).toMatchObject({
        pid: worker.pid,
      })
      expect(reportsOf(taskOf(exchange.path))).toHaveLength(1)
    })

    // the same worker before a server that answers less. The keys are those of the two incomplete bodies of R-02.
    const smaller: readonly (readonly [string, (body: JsonObject) => JsonObject])[] = [
      ['without recorded and run_id', ({ recorded: _recorded, run_id: _runId, ...rest }) => rest],
      [
        'with the guard’s five keys only',
        ({ task_id, workflow_task_attempt, error, reason, task_status }) => ({
          task_id,
          workflow_task_attempt,
          error,
          reason,
          task_status,
        }),
      ],
      ['with another run', (body) => ({ ...body, run_id: 'another' })],
    ]

    test.each(smaller)(
      'R-02 R-09 a server that answers %s: the worker exits with the original 409 and reports nothing more',
      async (what, rewrite) => {
        const taskQueue = `r09-${what.length}`
        await using older = await startRewritingServer(server.url, rewrite)
        await using seen = await startFaultProxy(older.url)
        await using client = openClient(server.url)
        await using worker = await startSdkWorker({ url: seen.url, taskQueue, folder: folder.path })
        const held = seen.inject({ path: /\/workflow-tasks\/[^/]+\/complete$/, fault: { kind: 'hold-request' } })
        const run = await client.start(immediate, { taskQueue })
        const exchange = await held.met
        await run.cancel('drill')
        held.release()
        const exit = await worker.program.waitForExit({ timeoutMs: 30_000 })
        expect(exit.code).not.toBe(0)
        expect(worker.program.tail(200)).toMatch(/run_closed/)
        expect(worker.program.tail(200)).toMatch(/409/)
        const reports = seen.exchanges.filter(
          ({ path }) => path.includes(taskOf(exchange.path)) && /\/(complete|fail)$/.test(path),
        )
        expect(reports).toHaveLength(1)
      },
    )

    test('R-10 the same activity receipt for another task is fatal', async () => {
      const taskQueue = 'r10-other'
      await using mixed = await startRewritingServer(server.url, (body) => ({ ...body, task_id: 'another' }))
      await using client = openClient(server.url)
      await using worker = await startSdkWorker({ url: mixed.url, taskQueue, folder: folder.path })
      const run = await client.start(gated, { taskQueue, input: { run: 'r10-other', gate: 'r10-other-opened' } })
      await waitFor('the activity runs', () => folder.effects().some((effect) => effect.run === 'r10-other'))
      await run.cancel('drill')
      await folder.openGate('r10-other-opened')
      const exit = await worker.program.waitForExit({ timeoutMs: 30_000 })
      expect(exit.code).not.toBe(0)
      expect(worker.program.tail(200)).toMatch(/run_cancelled/)
    })
  })
})

// What a worker is told when its run was closed meanwhile, and that it goes on working (part C of the requirements).
import { encodeEnvelope } from '@durable-workflow/codec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Exchange, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type JsonClient, jsonClient, type Reply } from '../support/http.ts'
import { type JsonObject, parseJsonObject } from '../support/process.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Barrier, createBarrier } from './barrier.ts'
import { forbidden, gated, identity, immediate, throwing } from './contracts.ts'
import { type DatabaseFile, openDatabaseFile } from './database-file.ts'
import { openClient } from './open-client.ts'
import { failRun, finish, type RawWorker, type RunIds, rawWorker, scheduleWork, startRun } from './raw-worker.ts'
import { startRewritingServer } from './rewriting-server.ts'
import { createWorkFolder, startSdkWorker, type WorkFolder } from './sdk-worker.ts'

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

describe('the server’s receipt (R-01)', () => {
  const verbs = ['complete', 'fail'] as const
  const barriers = new Map<string, Barrier>()
  const servers = new Map<string, ServerProcess>()
  let database: DatabaseFile
  let rounds = 0

  beforeAll(async () => {
    const plain = await startServer()
    servers.set('plain', plain)
    for (const verb of verbs) {
      const barrier = await createBarrier('gathered', `${verb}WorkflowTask`)
      barriers.set(verb, barrier)
      servers.set(verb, await startServer({ databaseUrl: plain.databaseUrl, env: barrier.env }))
    }
    database = openDatabaseFile(plain.databaseFile)
  }, 120_000)
  afterAll(async () => {
    database?.close()
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
      const closed = database.history(run.runId)
      await barrier?.release()
      answer = await pending
      expect(database.history(run.runId)).toEqual(closed)
    }
    const events = database.history(run.runId)
    const row = database.run(run.runId)
    const task = database.workflowTask(claim.taskId)
    expectReceipt(answer, how, {
      taskId: claim.taskId,
      runId: run.runId,
      closedAt: Number(row.closed_at),
      taskStatus: String(task.status),
    })

    // A duplicate of the refused report is refused the same, and nothing grows.
    const again = await free.report(claim, verb, body)
    expect({ status: again.status, body: again.body }).toEqual({ status: answer.status, body: answer.body })
    expect(database.history(run.runId)).toEqual(events)
    expect(database.run(run.runId)).toEqual(row)
    expect(database.workflowTask(claim.taskId)).toEqual(task)
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
    await using alone = await startServer({ env: barrier.env })
    using file = openDatabaseFile(alone.databaseFile)
    const taskQueue = 'settlement-deadline'
    await using worker = rawWorker({ url: alone.url, taskQueue })
    await worker.register()
    const run = await startRun(worker.client, taskQueue, { run_timeout_seconds: 1 })
    const claim = await worker.claimWorkflow()
    const report = worker.report(claim, 'complete', { commands: [finish('too late')] })
    await barrier.reached(alone.pid)
    await waitFor('the deadline has passed', () => Date.now() > Number(file.run(run.runId).run_deadline_at))
    expect(file.run(run.runId).closed_at).toBeNull()
    await barrier.release()
    const answer = await report
    const taskStatus = String(file.workflowTask(claim.taskId).status)
    const closedAt = Number(file.run(run.runId).closed_at)
    expectReceipt(answer, 'timed out', { taskId: claim.taskId, runId: run.runId, closedAt, taskStatus })
    expect(file.eventTypes(run.runId).at(-1)).toBe('WorkflowTimedOut')
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
      const events = database.history(run.runId)
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
      expect(database.history(run.runId)).toEqual(events)
    }
  })
})

describe('our worker and the receipt', () => {
  let server: ServerProcess
  let proxy: FaultProxy
  let folder: WorkFolder
  let control: JsonClient
  beforeAll(async () => {
    server = await startServer()
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

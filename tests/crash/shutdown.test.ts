// SIGTERM under load: what was answered 200 is recorded, what was refused is not, held polls are answered empty.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createBarrier } from '../drills/barrier.ts'
import { steps } from '../drills/contracts.ts'
import { openClient } from '../drills/open-client.ts'
import { finish, rawWorker, startRun, type WorkflowClaim } from '../drills/raw-worker.ts'
import { createWorkFolder, startSdkWorker } from '../drills/sdk-worker.ts'
import { type DatabaseReader, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { type Exchange, startFaultProxy } from '../support/fault-proxy.ts'
import { metric } from '../support/metrics.ts'
import { startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'

const taskCount = 200
const signalAfter = 40
const reportersCount = 16
const heldPolls = 8
/** A stop takes at most a second for stragglers; the rest is for a busy machine. */
const stopBoundMs = 10_000

eachDatabase((on) => {
  test('every report answered 200 is recorded, every refused one is not, held polls end empty, exit code 0', async () => {
    await using server = await startServer({ on })
    await using database = openReader(server.databaseUrl)
    await using worker = rawWorker({ url: server.url, taskQueue: 'load' })
    await using idle = rawWorker({ url: server.url, taskQueue: 'idle' })
    await worker.register()
    await idle.register()
    const claims: WorkflowClaim[] = []
    for (let at = 0; at < taskCount; at += 1) {
      await startRun(worker.client, 'load')
      claims.push(await worker.claimWorkflow())
    }
    const polls = Array.from({ length: heldPolls }, (_, at) =>
      at % 2 === 0 ? idle.pollWorkflow({ timeout_seconds: 60 }) : idle.pollActivity({ timeout_seconds: 60 }),
    )
    // A poll is held when another request of the same worker has been answered after it.
    await idle.register()

    const answered = new Map<string, { status: number; recorded: unknown } | undefined>()
    let recorded = 0
    const left = [...claims]
    const exit = Promise.withResolvers<Awaited<ReturnType<typeof server.stop>>>()
    let isSignalled = false
    const reporter = async (): Promise<void> => {
      for (let claim = left.shift(); claim !== undefined; claim = left.shift()) {
        const reply = await worker.report(claim, 'complete', { commands: [finish()] }).catch(() => undefined)
        answered.set(
          claim.taskId,
          reply === undefined ? undefined : { status: reply.status, recorded: reply.at('recorded') },
        )
        if (reply?.status === 200) recorded += 1
        if (recorded >= signalAfter && !isSignalled) {
          isSignalled = true
          server.stop().then(exit.resolve, exit.reject)
        }
      }
    }
    await Promise.all(Array.from({ length: reportersCount }, reporter))
    expect(isSignalled, 'the signal came in the middle of the load').toBe(true)
    expect(await exit.promise).toEqual({ code: 0, signal: null })

    for (const poll of polls) {
      const reply = await poll
      expect(reply.status, reply.text).toBe(200)
      expect(reply.at('task')).toBeNull()
    }
    const statuses = new Map<string, number>()
    for (const claim of claims) {
      const reply = answered.get(claim.taskId)
      const status = (await database.workflowTask(claim.taskId)).status
      const key = reply === undefined ? 'no answer' : `${reply.status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      if (reply?.status === 200) {
        expect(status, 'answered 200').toBe('completed')
        expect((await database.run(claim.runId)).status).toBe('completed')
      } else {
        if (reply !== undefined)
          expect(reply, 'what is not recorded says so').toMatchObject({ status: 503, recorded: false })
        // Whoever got no answer met a closed door: a stop that is not a crash answers whatever it commits.
        expect(status).toBe('leased')
      }
    }
    console.log(
      `shutdown under load: ${JSON.stringify(Object.fromEntries(statuses))}, ${heldPolls} held polls answered empty`,
    )
  })

  test('a report that is being written when SIGTERM comes is committed and answered before the end', async () => {
    await using barrier = await createBarrier('written', 'completeWorkflowTask')
    await using server = await startServer({ on, env: barrier.env })
    await using database = openReader(server.databaseUrl)
    await using worker = rawWorker({ url: server.url, taskQueue: 'written' })
    await worker.register()
    await startRun(worker.client, 'written')
    const claim = await worker.claimWorkflow()
    const poll = worker.pollActivity({ timeout_seconds: 60 })
    const report = worker.report(claim, 'complete', { commands: [finish()] })
    await barrier.reached(server.pid)
    const exit = server.stop()
    // The poll ends because the server drains: it has heard the signal, and the report is still in the middle.
    expect((await poll).body).toMatchObject({ task: null })
    expect((await database.workflowTask(claim.taskId)).status).toBe('leased')
    await barrier.release()
    expect(await report).toMatchObject({ status: 200, body: { recorded: true } })
    expect(await exit).toEqual({ code: 0, signal: null })
    expect((await database.run(claim.runId)).status).toBe('completed')
  })

  test('SIGTERM while 50 runs are at work: what was answered is recorded, what was not is repeated, nothing is lost', async () => {
    await using server = await startServer({ on })
    await using proxy = await startFaultProxy(server.url)
    await using folder = await createWorkFolder()
    await using client = openClient(server.url)
    await using database = openReader(server.databaseUrl)
    await using worker = await startSdkWorker({ url: proxy.url, taskQueue: 'fifty', folder: folder.path, pollers: 8 })
    const stepNames = Array.from({ length: 6 }, (_, at) => `step-${at}`)
    const runs = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        client.start(steps, { taskQueue: 'fifty', id: `fifty-${at}`, input: { run: `fifty-${at}`, steps: stepNames } }),
      ),
    )
    await waitFor('work is going on', () => folder.effects().length > 60)
    const from = performance.now()
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    expect(performance.now() - from).toBeLessThan(stopBoundMs)
    expect(folder.effects().length, 'stopped in the middle').toBeLessThan(50 * stepNames.length)
    const atStop = proxy.exchanges.filter(isReport).map((exchange) => ({ exchange, status: exchange.status }))
    const answered = atStop.filter(({ status }) => status === 200)
    for (const { exchange } of answered) expect(await isRecorded(database, exchange), exchange.path).toBe(true)

    await server.restart()
    for (const run of runs) expect(await run.result({ signal: AbortSignal.timeout(60_000) })).toEqual(stepNames)
    expect(folder.effects(), 'no step ran twice').toHaveLength(50 * stepNames.length)
    const completed = await database.rows(
      "select run_id, count(*) as times from history_events where type = 'WorkflowCompleted' group by run_id",
    )
    expect(completed.map(({ times }) => times)).toEqual(runs.map(() => 1))

    const unanswered = atStop.filter(({ status }) => status !== 200)
    const repeated = unanswered.filter(({ exchange }) =>
      proxy.exchanges.some((later) => later.path === exchange.path && later.status === 200),
    )
    expect(repeated, 'every report without a 200 was repeated').toHaveLength(unanswered.length)
    for (const { exchange } of unanswered) expect(await isRecorded(database, exchange), exchange.path).toBe(true)
    console.log(`SIGTERM at 50 runs: ${answered.length} reports answered, ${unanswered.length} repeated, none lost`)
    expect(worker.program.exit).toBeUndefined()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a second signal (%s) ends at once, and loses nothing that was answered',
    async (second) => {
      await using barrier = await createBarrier('written', 'completeWorkflowTask')
      await using server = await startServer({ on, env: barrier.env })
      await using database = openReader(server.databaseUrl)
      await using worker = rawWorker({ url: server.url, taskQueue: 'twice' })
      await worker.register()
      await startRun(worker.client, 'twice')
      const claim = await worker.claimWorkflow()
      const poll = worker.pollActivity({ timeout_seconds: 60 })
      const report = worker.report(claim, 'complete', { commands: [finish()] }).catch((error: unknown) => error)
      await barrier.reached(server.pid)
      server.signal('SIGTERM')
      expect((await poll).body).toMatchObject({ task: null })
      server.signal(second)
      expect(await server.ended()).toEqual({ code: null, signal: second })
      expect(await report).toBeInstanceOf(Error)
      await barrier.release()
      await server.restart()
      expect((await database.workflowTask(claim.taskId)).status).toBe('leased')
      expect(await worker.report(claim, 'complete', { commands: [finish()] })).toMatchObject({ status: 200 })
    },
  )
})

// Signals and sockets know no database; how a stop meets a PostgreSQL in trouble is in connected/postgres-in-trouble.
test('SIGINT stops as SIGTERM does', async () => {
  await using server = await startServer()
  await using worker = rawWorker({ url: server.url, taskQueue: 'interrupted' })
  await worker.register()
  const poll = worker.pollWorkflow({ timeout_seconds: 60 })
  await waitFor('the poll is held', () => metric(server.url, 'waiters'), { until: (waiters) => waiters === 1 })
  server.signal('SIGINT')
  expect(await poll).toMatchObject({ status: 200, body: { task: null, poll_status: 'empty' } })
  expect(await server.ended()).toEqual({ code: 0, signal: null })
})

test('a client that holds its connection open, or does not finish its request, does not keep the server', async () => {
  await using server = await startServer()
  const head = 'POST /api/workflows HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n'
  const silent = await openSocket(server.port)
  const inHead = await openSocket(server.port, head)
  const inBody = await openSocket(server.port, `${head}\r\n{"workflow_type`)
  const idle = await openSocket(server.port, 'GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n')
  await waitFor('the health request is answered', () => idle.bytesRead > 0)
  const from = performance.now()
  expect(await server.stop()).toEqual({ code: 0, signal: null })
  expect(performance.now() - from).toBeLessThan(stopBoundMs)
  for (const socket of [silent, inHead, inBody, idle]) {
    await waitFor('the connection is closed', () => socket.closed)
    socket.destroy()
  }
})

test('during an outage of the database a stop answers what is under way and ends with 0', async () => {
  await using server = await startServer({ env: { DW_DATABASE_LOCK_TIMEOUT: '2' } })
  await using worker = rawWorker({ url: server.url, taskQueue: 'outage' })
  await worker.register()
  await startRun(worker.client, 'outage')
  const claim = await worker.claimWorkflow()
  const holder = holdDatabase(server.databaseFile)
  const report = worker.report(claim, 'complete', { commands: [finish()] })
  await waitFor('the report is under way', () => metric(server.url, 'open_requests'), {
    until: (count) => count === 2,
  })
  const exit = server.stop()
  expect(await report).toMatchObject({
    status: 503,
    body: { reason: 'backend_unavailable', condition: 'locked', recorded: false, outcome: 'unknown', retryable: true },
  })
  expect(await exit).toEqual({ code: 0, signal: null })
  holder.close()
  await server.restart()
  expect(await worker.report(claim, 'complete', { commands: [finish()] })).toMatchObject({ status: 200 })
})

test('a stop that the database does not let end ends at its bound, with 1 and a sentence', async () => {
  await using server = await startServer({ env: { DW_DATABASE_LOCK_TIMEOUT: '60', DW_SHUTDOWN_TIMEOUT: '2' } })
  await using database = openReader(server.databaseUrl)
  await using worker = rawWorker({ url: server.url, taskQueue: 'bound' })
  await worker.register()
  await startRun(worker.client, 'bound')
  const claim = await worker.claimWorkflow()
  const holder = holdDatabase(server.databaseFile)
  const report = worker.report(claim, 'complete', { commands: [finish()] }).catch((error: unknown) => error)
  await waitFor('the report is under way', () => metric(server.url, 'open_requests'), {
    until: (count) => count === 2,
  })
  expect(await server.stop()).toEqual({ code: 1, signal: null })
  expect(await report).toBeInstanceOf(Error)
  expect(server.tail()).toContain(
    'did not stop within 2 s (DW_SHUTDOWN_TIMEOUT) and ends now; 1 requests have no answer',
  )
  holder.close()
  expect((await database.workflowTask(claim.taskId)).status).toBe('leased')
  await server.restart()
  expect(await worker.report(claim, 'complete', { commands: [finish()] })).toMatchObject({ status: 200 })
})

const isReport = ({ path }: Exchange): boolean => /-tasks\/[^/]+\/complete$/.test(path)

/** Whether the database has what a completion reports. */
async function isRecorded(database: DatabaseReader, { path }: Exchange): Promise<boolean> {
  const [, kind, taskId = ''] = /\/(workflow|activity)-tasks\/([^/]+)\//.exec(path) ?? []
  return kind === 'workflow'
    ? (await database.workflowTask(taskId)).status === 'completed'
    : (await database.activity(taskId)).status === 'completed'
}

/** Another process that writes, and does not come to an end: nobody else gets to. */
function holdDatabase(file: string | undefined): DatabaseSync {
  const holder = new DatabaseSync(file ?? '')
  holder.exec('begin immediate')
  return holder
}

/** A connection that says so much and then nothing. */
async function openSocket(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  // A reset is as good an end as any here.
  socket.on('error', () => socket.destroy())
  socket.resume()
  await once(socket, 'connect')
  if (text !== '') await new Promise((written) => socket.write(text, written))
  return socket
}

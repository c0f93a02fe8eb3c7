// SIGTERM under load: what was answered 200 is in the file, what was refused is not, held polls are answered empty.
import { expect, test } from 'vitest'
import { createBarrier } from '../drills/barrier.ts'
import { steps } from '../drills/contracts.ts'
import { openDatabaseFile } from '../drills/database-file.ts'
import { openClient } from '../drills/open-client.ts'
import { finish, rawWorker, startRun, type WorkflowClaim } from '../drills/raw-worker.ts'
import { createWorkFolder, startSdkWorker } from '../drills/sdk-worker.ts'
import { startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'

const taskCount = 200
const signalAfter = 40
const reportersCount = 16
const heldPolls = 8

test('every report answered 200 is in the file, every refused one is not, held polls end empty, exit code 0', async () => {
  await using server = await startServer()
  using database = openDatabaseFile(server.databaseFile)
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
    const status = database.workflowTask(claim.taskId).status
    const key = reply === undefined ? 'no answer' : `${reply.status}`
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
    if (reply?.status === 200) {
      expect(status, 'answered 200').toBe('completed')
      expect(database.run(claim.runId).status).toBe('completed')
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
  await using server = await startServer({ env: barrier.env })
  using database = openDatabaseFile(server.databaseFile)
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
  expect(database.workflowTask(claim.taskId).status).toBe('leased')
  await barrier.release()
  expect(await report).toMatchObject({ status: 200, body: { recorded: true } })
  expect(await exit).toEqual({ code: 0, signal: null })
  expect(database.run(claim.runId).status).toBe('completed')
})

test('SIGTERM while a worker of ours works: restarted, everything completes once', async () => {
  await using server = await startServer()
  await using folder = await createWorkFolder()
  await using client = openClient(server.url)
  using database = openDatabaseFile(server.databaseFile)
  await using worker = await startSdkWorker({ url: server.url, taskQueue: 'restarted', folder: folder.path })
  const stepNames = Array.from({ length: 30 }, (_, at) => `step-${at}`)
  const runs = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      client.start(steps, {
        taskQueue: 'restarted',
        id: `restarted-${at}`,
        input: { run: `restarted-${at}`, steps: stepNames },
      }),
    ),
  )
  await waitFor('work is going on', () => folder.effects().length > 20)
  expect(await server.stop()).toEqual({ code: 0, signal: null })
  expect(folder.effects().length, 'stopped in the middle').toBeLessThan(6 * stepNames.length)
  await server.restart()
  for (const run of runs) expect(await run.result({ signal: AbortSignal.timeout(60_000) })).toEqual(stepNames)
  expect(folder.effects()).toHaveLength(6 * stepNames.length)
  const completed = database.rows(
    "select run_id, count(*) as times from history_events where type = 'WorkflowCompleted' group by run_id",
  )
  expect(completed.map(({ times }) => times)).toEqual([1, 1, 1, 1, 1, 1])
  expect(worker.program.exit).toBeUndefined()
})

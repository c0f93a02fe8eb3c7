// The server is killed at every named point of a report and started again on the same database and port. The worker never
// stops; the run completes once, every step is recorded once, and the world has seen each step as often as history says.
import { describe, expect, test } from 'vitest'
import { createBarrier, type Point } from '../drills/barrier.ts'
import { eventful, steps } from '../drills/contracts.ts'
import { openClient } from '../drills/open-client.ts'
import { createWorkFolder, startSdkWorker } from '../drills/sdk-worker.ts'
import { countOf, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'

const points: readonly Point[] = ['gathered', 'locked', 'decided', 'written', 'committed']
const kinds = ['completeWorkflowTask', 'completeActivityTask'] as const
const stepNames = ['one', 'two']

eachDatabase((on) => {
  describe.each(kinds)('SIGKILL during %s', (kind) => {
    test.each(points)(
      'UW3 at "%s": restarted, the worker goes on, the run completes once, every step is recorded once',
      async (point) => {
        const run = `${kind}-${point}`
        await using barrier = await createBarrier(point, kind)
        await using server = await startServer({ on, env: barrier.env })
        await using folder = await createWorkFolder()
        await using client = openClient(server.url)
        const taskQueue = 'crash'
        await using worker = await startSdkWorker({ url: server.url, taskQueue, folder: folder.path })
        const handle = await client.start(steps, { taskQueue, id: run, input: { run, steps: stepNames } })
        await barrier.reached(server.pid)
        expect(await server.kill()).toEqual({ code: null, signal: 'SIGKILL' })

        const written = kind === 'completeWorkflowTask' ? 'ActivityScheduled' : 'ActivityCompleted'
        {
          await using left = openReader(server.databaseUrl)
          const count = countOf(await left.eventTypes(handle.runId), written)
          expect(count, `what is stored after a kill at "${point}"`).toBe(point === 'committed' ? 1 : 0)
        }
        await barrier.release()
        await server.restart()
        expect(await handle.result({ signal: AbortSignal.timeout(60_000) })).toEqual(stepNames)

        await using database = openReader(server.databaseUrl)
        const types = await database.eventTypes(handle.runId)
        expect(countOf(types, 'WorkflowStarted')).toBe(1)
        expect(countOf(types, 'ActivityScheduled')).toBe(stepNames.length)
        expect(countOf(types, 'ActivityCompleted')).toBe(stepNames.length)
        expect(countOf(types, 'WorkflowCompleted')).toBe(1)
        const sequences = (await database.history(handle.runId)).map(({ sequence }) => sequence)
        expect(sequences).toEqual(sequences.map((_, at) => at + 1))
        const effects = folder.effects()
        expect(effects).toHaveLength(countOf(types, 'ActivityStarted'))
        expect(effects.map(({ step }) => step)).toEqual(stepNames)
        expect(worker.program.exit).toBeUndefined()
        expect(await worker.program.stop()).toEqual({ code: 0, signal: null })
      },
    )
  })

  // One point before the write lock, one under it, one after the commit.
  test.each(['gathered', 'written', 'committed'] as const)(
    'a server killed at "%s" with the other one on the same database: the other one goes on and finishes its run',
    async (point) => {
      await using barrier = await createBarrier(point, 'completeWorkflowTask')
      const leases = { workflowTaskTimeoutSeconds: 2, activityTaskTimeoutSeconds: 2 }
      await using doomed = await startServer({ on, ...leases, env: barrier.env })
      await using other = await startServer({ ...leases, databaseUrl: doomed.databaseUrl })
      await using folder = await createWorkFolder()
      await using client = openClient(other.url)
      const place = { taskQueue: 'crash', folder: folder.path }
      await using lost = await startSdkWorker({ ...place, url: doomed.url, serves: 'workflows' })
      const handle = await client.start(steps, { taskQueue: 'crash', input: { run: point, steps: stepNames } })
      await barrier.reached(doomed.pid)
      // Where the dying server holds the write lock, this worker's registration waits for its death.
      const starting = startSdkWorker({ ...place, url: other.url })
      await doomed.kill()
      await using _worker = await starting
      expect(await handle.result({ signal: AbortSignal.timeout(60_000) })).toEqual(stepNames)
      await using database = openReader(other.databaseUrl)
      const types = await database.eventTypes(handle.runId)
      expect(countOf(types, 'ActivityScheduled')).toBe(stepNames.length)
      expect(countOf(types, 'ActivityCompleted')).toBe(stepNames.length)
      expect(countOf(types, 'WorkflowCompleted')).toBe(1)
      expect(folder.effects().map(({ step }) => step)).toEqual(stepNames)
      expect(lost.program.exit, 'its worker still looks for the server that died').toBeUndefined()
    },
  )

  const early = ['startWorkflow', 'registerWorker', 'claimWorkflowTask'] as const
  const later = ['claimActivityTask', 'failActivityTask', 'fireTimer'] as const
  const cases = [...early, ...later].flatMap((kind) =>
    (['written', 'committed'] as const).map((point) => [kind, point] as const),
  )

  test.each(cases)(
    'SIGKILL during %s at "%s": the run completes once, every step is recorded once',
    async (kind, point) => {
      const run = `${kind}-${point}`
      await using barrier = await createBarrier(point, kind)
      await using server = await startServer({ on, env: barrier.env })
      await using folder = await createWorkFolder()
      await using client = openClient(server.url)
      await using database = openReader(server.databaseUrl)
      const place = { url: server.url, taskQueue: 'crash', folder: folder.path }
      const starting = client.start(eventful, { taskQueue: 'crash', id: run, input: { run } })
      if (kind !== 'startWorkflow') await starting
      const workflows = startSdkWorker({ ...place, serves: 'workflows' })
      const isLate = later.some((one) => one === kind)
      if (isLate) {
        await workflows
        await waitFor(
          'the activity is ready',
          async () => (await database.rows('select * from activities')).length === 1,
        )
      }
      const activities = isLate ? startSdkWorker({ ...place, serves: 'activities' }) : undefined
      await barrier.reached(server.pid)
      await server.kill()
      await barrier.release()
      await server.restart()
      await using _workflows = await workflows
      await using _activities = await (activities ?? startSdkWorker({ ...place, serves: 'activities' }))
      const handle = await starting
      expect(await handle.result({ signal: AbortSignal.timeout(60_000) })).toEqual(['one', 'two'])

      expect(await database.rows('select run_id from runs')).toEqual([{ run_id: handle.runId }])
      const types = await database.eventTypes(handle.runId)
      for (const once of [
        'WorkflowStarted',
        'ActivityRetryScheduled',
        'TimerScheduled',
        'TimerFired',
        'WorkflowCompleted',
      ]) {
        expect(countOf(types, once), once).toBe(1)
      }
      expect(countOf(types, 'ActivityCompleted')).toBe(2)
      expect(countOf(types, 'ActivityStarted')).toBe(3)
      expect(folder.effects().map(({ step, attempt }) => `${step} ${attempt}`)).toEqual(['one 1', 'one 2', 'two 1'])
    },
  )
})

// Two servers on one PostgreSQL, the client at one, the worker at the other, with and without LISTEN/NOTIFY: the same
// results, later. SQLite has no notifications: its servers always find each other's work by looking.
import { describe, expect, test } from 'vitest'
import { go, immediate, signalled } from '../drills/contracts.ts'
import { openClient } from '../drills/open-client.ts'
import { createWorkFolder, startSdkWorker } from '../drills/sdk-worker.ts'
import { countOf, openReader } from '../support/database-reader.ts'
import { databases } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'

const rounds = 5
const leaseSeconds = 3
/** The settled interval of looks (engine limits); with every notification lost each thing is found within one (DI3). */
const scanMs = 1_000
const boundMs = scanMs + leaseSeconds * 1_000

const postgres = databases.find(({ name }) => name === 'postgres')

describe.skipIf(postgres?.isHere !== true)(`on ${postgres?.title}`, () => {
  const median = new Map<string, number>()

  test.each(['on', 'off'] as const)(
    'DI3 R-14 notifications %s: what is started or signalled at one server is done by the worker of the other',
    async (notifications) => {
      const settings = {
        workflowTaskTimeoutSeconds: leaseSeconds,
        activityTaskTimeoutSeconds: leaseSeconds,
        env: { DW_NOTIFICATIONS: notifications },
      }
      await using near = await startServer({ on: 'postgres', ...settings })
      await using far = await startServer({ databaseUrl: near.databaseUrl, ...settings })
      await using folder = await createWorkFolder()
      await using client = openClient(near.url)
      await using database = openReader(near.databaseUrl)
      const taskQueue = 'told'
      await using _worker = await startSdkWorker({ url: far.url, taskQueue, folder: folder.path })
      const times: number[] = []
      for (let round = 1; round <= rounds; round += 1) {
        const started = performance.now()
        expect(await client.execute(immediate, { taskQueue, signal: AbortSignal.timeout(30_000) })).toBe('done')
        const run = await client.start(signalled, { taskQueue })
        times.push(performance.now() - started)
        const sent = performance.now()
        await run.signal(go, `round ${round}`)
        expect(await run.result({ signal: AbortSignal.timeout(30_000) })).toBe(`round ${round}`)
        times.push(performance.now() - sent)
        const types = await database.eventTypes(run.runId)
        expect(countOf(types, 'SignalApplied')).toBe(1)
        expect(countOf(types, 'WorkflowCompleted')).toBe(1)
      }
      for (const ms of times) expect(ms).toBeLessThan(2 * boundMs)
      const sorted = times.toSorted((a, b) => a - b)
      median.set(notifications, sorted[Math.floor(sorted.length / 2)] ?? 0)
      const [least = 0, most = 0] = [sorted[0], sorted.at(-1)]
      console.log(
        `notifications ${notifications}: median ${median.get(notifications)?.toFixed(0)} ms, from ${least.toFixed(0)} to ${most.toFixed(0)} ms`,
      )
    },
  )

  test('they are worth having: with notifications the same takes less time', () => {
    expect(median.get('on')).toBeLessThan(median.get('off') ?? 0)
  })
})

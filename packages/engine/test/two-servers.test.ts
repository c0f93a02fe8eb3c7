// Two engines on one PostgreSQL, in real time: what one makes ready the other's pollers get, each thing once; by hints at
// once, without them within a scan interval.

import { openStore } from '@durable-workflow/store-sql'
import { freshDatabase, postgresUrl, type TestDatabase } from '@durable-workflow/tests/support/postgres'
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine, type Engine } from '../src/index.ts'
import type { Hint, Store } from '../src/ports.ts'
import { pollOf, registerOn, startOn, workflowClaim } from './support/engine.ts'
import { terminate } from './support/operations.ts'

interface Server {
  readonly store: Store
  readonly engine: Engine
  /** Time passes by itself. */
  settled<T>(promise: Promise<T>): Promise<T>
}

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: two engines', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  async function serve(scanIntervalMs: number, notifications: boolean): Promise<Server> {
    const store = await openStore(database.url, { notifications })
    const engine = createEngine({ store, settings: { scanIntervalMs } })
    await engine.start()
    return { store, engine, settled: (promise) => promise }
  }

  async function withTwo(
    { scanIntervalMs, notifications }: { readonly scanIntervalMs: number; readonly notifications: boolean },
    use: (a: Server, b: Server) => Promise<void>,
  ): Promise<void> {
    const servers = await Promise.all([serve(scanIntervalMs, notifications), serve(scanIntervalMs, notifications)])
    const [a, b] = servers
    try {
      if (notifications) await Promise.all([hears(a, b), hears(b, a)])
      await use(a, b)
    } finally {
      for (const { engine, store } of servers) {
        await engine.close()
        await store.close()
      }
    }
  }

  test('DI3 a poller of the other server gets a task by a hint, long before that server looks by itself', () =>
    withTwo({ scanIntervalMs: 3_600_000, notifications: true }, async (a, b) => {
      const worker = await workerAt(b, 'hinted')
      const polled = b.engine.poll(worker)
      await waitFor('the poll is held', () => b.engine.status.waiters === 1)
      const runId = await startOn(a, 'hinted', 'hinted')
      expect(workflowClaim(await polled).run.runId).toBe(runId)
    }))

  test('DI3 without hints it gets it at its next look', () =>
    withTwo({ scanIntervalMs: 100, notifications: false }, async (a, b) => {
      const worker = await workerAt(b, 'unhinted')
      const polled = b.engine.poll(worker)
      await waitFor('the poll is held', () => b.engine.status.waiters === 1)
      const runId = await startOn(a, 'unhinted', 'unhinted')
      expect(workflowClaim(await polled).run.runId).toBe(runId)
    }))

  test('an outcome that one server commits is heard by who waits for it at the other', () =>
    withTwo({ scanIntervalMs: 3_600_000, notifications: true }, async (a, b) => {
      const runId = await startOn(a, 'awaited', 'awaited')
      let looks = 0
      const closed = b.engine.awaitOutcome(`closed:${runId}`, Date.now() + 10_000, async () => {
        looks += 1
        const found = await b.store.load([{ of: 'run', runId }])
        return found.runs.find((one) => one.closedAt !== undefined)
      })
      await waitFor('it has looked once', () => looks === 1)
      await a.engine.execute(terminate({ workflowId: 'awaited', runId }))
      expect(await closed).toMatchObject({ status: 'terminated' })
    }))

  test('L-14 a worker that registers anew at one server ends the polls of its predecessor at the other', () =>
    withTwo({ scanIntervalMs: 3_600_000, notifications: true }, async (a, b) => {
      const worker = await workerAt(b, 'replaced')
      const polled = b.engine.poll(worker)
      await waitFor('the poll is held', () => b.engine.status.waiters === 1)
      const before = performance.now()
      await workerAt(a, 'replaced', 'another process')
      expect((await polled).kind).toBe('empty')
      expect(performance.now() - before).toBeLessThan(9_000)
    }))

  test('DI4 pollers of both servers share many tasks, each is delivered once', () =>
    withTwo({ scanIntervalMs: 1_000, notifications: true }, async (a, b) => {
      const count = 40
      const worker = await workerAt(b, 'shared')
      const claimed: string[] = []
      const poll = async ({ engine }: Server) => {
        while (claimed.length < count) {
          const result = await engine.poll({ ...worker, timeoutMs: 500 })
          if (result.kind === 'empty') continue
          const { task } = workflowClaim(result)
          expect(task.attempt).toBe(1)
          claimed.push(task.taskId)
        }
      }
      const pollers = [a, b, a, b, a, b].map(poll)
      await Promise.all(Array.from({ length: count }, (_, n) => startOn(n % 2 === 0 ? a : b, `shared-${n}`, 'shared')))
      await Promise.all(pollers)
      expect(new Set(claimed).size).toBe(count)
    }))
})

/** Registers a worker of a queue of its own name; what it polls with. */
async function workerAt(server: Server, name: string, processId = 'process') {
  const place = { workerId: name, taskQueue: name }
  await registerOn(server, { ...place, process: { host: 'h', processId, startedAt: 'a' } })
  return pollOf('workflow', { ...place, timeoutMs: 10_000 })
}

async function hears(teller: Server, hearer: Server): Promise<void> {
  const question: Hint = { kind: 'outcome', key: 'run:are you there' }
  let isHeard = false
  const end = hearer.store.wakes?.listen((hints) => {
    isHeard ||= hints.some((hint) => hint.kind === 'outcome' && hint.key === question.key)
  })
  await waitFor('one hears the other', () => {
    teller.store.wakes?.tell([question])
    return isHeard
  })
  end?.()
}

// Statements are counted at the driver while requests come in over HTTP: a group costs what it touches, not how many
// operations it holds. Which group a statement belongs to is known from the context in which it is executed.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Probe, Store } from '@durable-workflow/engine/ports'
import { eachDatabase, emptyDatabase } from '@durable-workflow/tests/support/databases'
import { expect, test } from 'vitest'
import { startTestServer } from './support/test-server.ts'
import { claim, claimActivity, complete, finish, register, resultOf, schedule, start } from './support/wire.ts'

/** One transaction of the engine. */
interface Group {
  operations: number
  statements: number
}

/** Wraps a store so that every group of the engine is counted. */
function createCount() {
  const groups: Group[] = []
  const current = new AsyncLocalStorage<Group>()
  const probe: Probe = {
    async reached(point, kinds) {
      const group = current.getStore()
      if (point === 'decided' && group !== undefined) group.operations = kinds.length
    },
  }
  return {
    groups,
    probe,
    onStatement() {
      const group = current.getStore()
      if (group !== undefined) group.statements += 1
    },
    wrap(store: Store): Store {
      return {
        description: store.description,
        concurrency: store.concurrency,
        wakes: store.wakes,
        find: store.find,
        list: store.list,
        load: (keys) => store.load(keys),
        ping: () => store.ping(),
        close: () => store.close(),
        transact(...transaction) {
          const group: Group = { operations: 0, statements: 0 }
          groups.push(group)
          return current.run(group, () => store.transact(...transaction))
        },
      }
    },
  }
}

/**
 * No group has more, whatever its size: about ten kinds of rows are loaded with one statement each, and about eight lists
 * are written in falling powers of two, four pieces at the sizes that are met here (2026-11-30: at most 32 on
 * SQLite, 39 on PostgreSQL).
 */
const statementsMax = 48
/** Fewer operations than this make a small group. */
const bigFrom = 16

eachDatabase((on) => {
  /** Runs of one activity each, so many of them at a time and in a row; the groups that they made. */
  async function groupsOf(lanes: number, runsInARow: number): Promise<readonly Group[]> {
    const database = await emptyDatabase(on)
    try {
      const count = createCount()
      const served = await startTestServer({ ...count, databaseUrl: database.url })
      try {
        const { client } = served
        const lane = async (number: number): Promise<void> => {
          const place = { worker_id: `worker-${number}`, task_queue: `lane-${number}` }
          const owner = { lease_owner: place.worker_id }
          await register(client, place)
          for (let run = 0; run < runsInARow; run += 1) {
            await start(client, { task_queue: place.task_queue })
            await complete(client, await claim(client, place), [schedule({ queue: place.task_queue })], owner)
            const { task_id, activity_attempt_id } = await claimActivity(client, place)
            const body = { ...owner, activity_attempt_id, result: resultOf(1) }
            expect((await client.call('completeActivityTask', { path: { task_id }, body })).status).toBe(200)
            expect((await complete(client, await claim(client, place), [finish()], owner)).status).toBe(200)
          }
        }
        await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
        return count.groups.filter(({ operations }) => operations > 0)
      } finally {
        await served.close()
      }
    } finally {
      await database.remove()
    }
  }

  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

  test('UW1 a group of many operations costs a few statements more than a group of one, and far fewer an operation', {
    timeout: 60_000,
  }, async () => {
    const [alone, crowded] = [await groupsOf(1, 20), await groupsOf(64, 5)]
    const big = crowded.filter(({ operations }) => operations >= bigFrom)
    const statements = (groups: readonly Group[]) => groups.map((group) => group.statements)
    const operations = (groups: readonly Group[]) => groups.map((group) => group.operations)
    const each = (groups: readonly Group[]) => sum(statements(groups)) / sum(operations(groups))
    console.log(
      `${on}: one at a time ${alone.length} groups, at most ${most(statements(alone))} statements, ${each(alone).toFixed(1)} an operation; ` +
        `64 at a time ${crowded.length} groups of up to ${most(operations(crowded))}, at most ${most(statements(crowded))} statements, ${each(crowded).toFixed(2)} an operation`,
    )
    expect(big.length, `groups of ${bigFrom} and more operations were met`).toBeGreaterThan(0)
    expect(most(statements([...alone, ...crowded]))).toBeLessThanOrEqual(statementsMax)
    expect(each(big)).toBeLessThan(each(alone) / 3)
  })
})

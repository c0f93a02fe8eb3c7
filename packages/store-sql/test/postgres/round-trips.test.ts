// What a group waits for is the network: its turns are counted there, and do not grow with what it holds.

import type { SliceKey, Store } from '@durable-workflow/engine/ports'
import { freshDatabase, postgresUrl } from '@durable-workflow/tests/support/postgres'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { changes } from '../support/make.ts'
import { write } from '../support/suite.ts'
import { relayTo, type TcpRelay } from '../support/tcp-relay.ts'
import { rowsOf } from '../support/work.ts'

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: round trips', () => {
  test('a group takes five, however many operations it holds: locks, workflows, all other rows, writes, commit', async () => {
    await withStore(async (store, relay) => {
      for (const size of [1, 2, 8]) {
        const ids = Array.from({ length: size }, (_, i) => `of-${size}-${i}`)
        await write(store, rowsOf(ids, 'inserted', 1))
        const group = () =>
          store.transact(ids, async (transaction) => {
            const { runs } = await transaction.load(ids.flatMap(keysOf))
            expect(runs).toHaveLength(size)
            await transaction.write(rowsOf(ids, 'updated'))
          })
        await group()
        relay.turns = 0
        await group()
        expect({ size, turns: relay.turns }).toStrictEqual({ size, turns: 5 })
      }
    })
  })

  test('without a workflow to look up it takes four; a group that reads nothing and writes nothing two', async () => {
    await withStore(async (store, relay) => {
      await write(store, rowsOf(['a'], 'inserted', 1))
      const turnsOf = async (work: Parameters<Store['transact']>[1]) => {
        await store.transact(['a'], work)
        relay.turns = 0
        await store.transact(['a'], work)
        return relay.turns
      }
      const read: SliceKey[] = [
        { of: 'run', runId: 'a' },
        { of: 'openActivities', runId: 'a' },
      ]
      const { runs, activities } = rowsOf(['a'], 'updated')
      expect(
        await turnsOf(async (transaction) => {
          await transaction.load(read)
          await transaction.write(changes({ runs, activities }))
        }),
      ).toBe(4)
      expect(await turnsOf(async () => undefined)).toBe(2)
    })
  })

  test('a look into a queue takes one, and a slice outside of a transaction two', async () => {
    await withStore(async (store, relay) => {
      const look = () =>
        store.find.readyTasks({
          kind: 'workflow',
          namespace: 'default',
          taskQueue: 'default',
          types: ['Order'],
          now: 0,
          limit: 10,
        })
      await look()
      relay.turns = 0
      await look()
      expect(relay.turns).toBe(1)
      await store.load(keysOf('a'))
      relay.turns = 0
      await store.load(keysOf('a'))
      expect(relay.turns).toBe(2)
    })
  })
})

async function withStore(use: (store: Store, relay: TcpRelay) => Promise<void>): Promise<void> {
  await using database = await freshDatabase()
  await using relay = await relayTo(database.url)
  const store = await openStore(relay.url, { notifications: false })
  await use(store, relay)
  await store.close()
}

function keysOf(id: string): SliceKey[] {
  return [
    { of: 'workflow', workflowId: `w-${id}` },
    { of: 'run', runId: id },
    { of: 'openWorkflowTask', runId: id },
    { of: 'openActivities', runId: id },
    { of: 'openTimers', runId: id },
    { of: 'liveWaits', runId: id },
    { of: 'liveness', namespace: 'default', workerId: id },
  ]
}

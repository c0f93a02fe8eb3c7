// Servers on one PostgreSQL: what they lock, what they skip, what one that is killed leaves behind.

import type { Store } from '@durable-workflow/engine/ports'
import { freshDatabase, postgresUrl, type TestDatabase } from '@durable-workflow/tests/support/postgres'
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockNumber, lockNumbers } from '../../src/dialects/pg-lock.ts'
import { openStore } from '../../src/index.ts'
import { changes, event, run } from '../support/make.ts'
import { OtherServer } from '../support/process.ts'
import { write } from '../support/suite.ts'

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: several servers', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  let store: Store
  let other: Store
  beforeEach(async () => {
    store = await openStore(database.url)
    other = await openStore(database.url)
    return async () => {
      await Promise.all([store.close(), other.close()])
    }
  })

  test('several processes that start on a new database together migrate it once', async () => {
    await using empty = await freshDatabase()
    const others = Array.from({ length: 3 }, () => new OtherServer('open', empty.url))
    expect(await Promise.all(others.map((one) => one.says()))).toStrictEqual(['opened', 'opened', 'opened'])
    await Promise.all(others.map((one) => one.ended()))
  })

  test('a lock serialises across processes: 200 increments by two of them, none lost', async () => {
    await write(store, changes({ runs: { inserted: [run()] } }))
    const others = [new OtherServer('increment', database.url), new OtherServer('increment', database.url)]
    expect(await Promise.all(others.map((one) => one.says()))).toStrictEqual(['incremented', 'incremented'])
    await Promise.all(others.map((one) => one.ended()))
    expect((await store.list.runs({ workflowId: 'w1' }))[0]?.lastId).toBe(200)
  })

  test('transactions that share no lock run beside each other, as many as the store says', async () => {
    expect(store.concurrency).toBeGreaterThan(1)
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    let inside = 0
    const all = Array.from({ length: store.concurrency }, (_, i) =>
      store.transact([`lock ${i}`], async () => {
        inside += 1
        await gate
      }),
    )
    await waitFor('all are inside', () => inside === store.concurrency)
    openGate()
    await Promise.all(all)
  })

  test('many locks in any order never wait for each other in a circle', async () => {
    const keys = Array.from({ length: 12 }, (_, i) => `key ${i}`)
    const some = (turn: number) => keys.filter((_, i) => (turn * 7919 + i * 31) % 3 === 0)
    const turns = Array.from({ length: 60 }, (_, turn) => turn)
    const done = turns.flatMap((turn) => [
      store.transact(some(turn), async () => turn),
      other.transact([...some(turn + 1)].reverse(), async () => turn),
    ])
    expect(await Promise.all(done)).toHaveLength(120)
  })

  test('a lock that is taken only where it is free is skipped while another server holds it, and nothing waits', async () => {
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const holding = other.transact(['held'], async () => {
      hold()
      await gate
    }, ['held too'])
    await isHeld
    const skippedNow = () =>
      store.transact(['mine'], async ({ skipped }) => [...skipped].sort(), ['free', 'held', 'held too', 'mine'])
    expect(await skippedNow()).toStrictEqual(['held', 'held too'])
    openGate()
    await holding
    expect(await skippedNow()).toStrictEqual([])
  })

  test('what was taken because it was free is held: another server skips it, or waits', async () => {
    const order: string[] = []
    await store.transact(
      [],
      async ({ skipped }) => {
        expect([...skipped]).toStrictEqual([])
        expect(await other.transact([], async (inner) => [...inner.skipped], ['one'])).toStrictEqual(['one'])
        void other.transact(['one'], async () => order.push('other'))
        await other.transact(['two'], async () => order.push('store'))
      },
      ['one'],
    )
    await waitFor('the other got it', () => order.length === 2)
    expect(order).toStrictEqual(['store', 'other'])
  })

  test('a server that is killed in the middle of a transaction leaves nothing, and its locks are free', async () => {
    const killed = new OtherServer('die in transaction', database.url)
    expect(await killed.says()).toBe('written')
    await killed.kill()
    await write(store, changes({ runs: { inserted: [run({ runId: 'r2', workflowId: 'w2' })] }, events: [event()] }))
    expect(await store.list.history({ runId: 'r1', after: 0, limit: 10 })).toStrictEqual([event()])
    await write(store, changes({ runs: { removed: [run({ runId: 'r2', workflowId: 'w2' })] } }))
  })

  test('a server that is killed after a commit has lost nothing', async () => {
    const killed = new OtherServer('die after commit', database.url)
    expect(await killed.says()).toBe('committed')
    await killed.kill()
    expect(await store.list.runs({ workflowId: 'w2' })).toHaveLength(1)
  })
})

describe('the numbers of locks', () => {
  test('a short key is its own number, any other key gets one; each once, in ascending order', () => {
    expect(lockNumber('0000000000000001')).toBe(1n)
    expect(lockNumber('ffffffffffffffff')).toBe(-1n)
    const keys = [
      'worker:a',
      'worker:b',
      '',
      'ffffffffffffffff',
      '0000000000000001',
      '00000000000000 1',
      'FFFFFFFFFFFFFFFF',
    ]
    const numbers = lockNumbers([...keys, ...keys])
    expect(numbers).toHaveLength(keys.length)
    expect(numbers).toStrictEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)))
    expect(numbers).toStrictEqual(lockNumbers([...keys].reverse()))
    for (const number of numbers) expect(BigInt.asIntN(64, number)).toBe(number)
  })
})

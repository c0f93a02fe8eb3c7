import type { Store } from '@durable-workflow/engine/ports'
import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import { describe, expect, test } from 'vitest'
import { fullChanges } from '../support/full.ts'
import { changes, namespace, run } from '../support/make.ts'
import { nothingLoaded, type OpenFresh, withStore, write } from '../support/suite.ts'

/** All or nothing, one after the other, and what closing means. */
export function transactContract(open: OpenFresh): void {
  describe('transact', () => {
    test('returns what work returns', () =>
      withStore(open, async (store) => expect(await store.transact(['a'], async () => 42)).toBe(42)))

    test('work sees what it has written; nobody else does before the commit', () =>
      withStore(open, async (store) => {
        await store.transact([], async (transaction) => {
          await transaction.write(changes({ runs: { inserted: [run()] } }))
          expect((await transaction.load([{ of: 'run', runId: 'r1' }])).runs).toStrictEqual([run()])
        })
        expect((await store.load([{ of: 'run', runId: 'r1' }])).runs).toStrictEqual([run()])
      }))

    test('when work throws, nothing of it stays, its error comes out, and the store goes on', () =>
      withStore(open, async (store) => {
        const error = new Error('refused by the test')
        const outcome = store.transact([], async (transaction) => {
          await transaction.write(fullChanges)
          throw error
        })
        await expect(outcome).rejects.toBe(error)
        expect(await store.load(allKeys)).toStrictEqual(nothingLoaded)
        expect(await store.list.history({ runId: 'r1', after: 0, limit: 10 })).toStrictEqual([])
        await write(store, fullChanges)
        expect((await store.load(allKeys)).runs).toHaveLength(1)
      }))

    test('a transaction starts when the one before has ended, in the order of the calls', () =>
      withStore(open, async (store) => {
        const order: string[] = []
        const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
        const transactions = ['a', 'b', 'c'].map((name) =>
          store.transact(['lock'], async () => {
            order.push(`${name} begins`)
            if (name === 'a') await gate
            order.push(`${name} ends`)
          }),
        )
        openGate()
        await Promise.all(transactions)
        expect(order).toStrictEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
      }))

    test('a failed transaction does not hold up the next', () =>
      withStore(open, async (store) => {
        const failing = store.transact([], () => Promise.reject(new Error('refused by the test')))
        const following = increment(store)
        await expect(failing).rejects.toThrow('refused by the test')
        await expect(following).rejects.toThrow('There is no run r1.')
        await write(store, changes({ runs: { inserted: [run({ lastId: 0 })] } }))
        await Promise.all(Array.from({ length: 50 }, () => increment(store)))
        expect((await store.load([{ of: 'run', runId: 'r1' }])).runs[0]?.lastId).toBe(50)
      }))
  })

  describe('a new database', () => {
    test('has the default namespace and nothing else', () =>
      withStore(open, async (store) => {
        const [only, ...others] = await store.list.namespaces()
        expect(only).toStrictEqual(namespace({ name: 'default', createdAt: only?.createdAt ?? 0 }))
        expect(others).toStrictEqual([])
      }))

    test('answers a ping', () => withStore(open, (store) => store.ping()))

    test('is named without more than its place', () =>
      withStore(open, async (store) => expect(store.description).toMatch(/^[a-z]+:./)))
  })

  describe('close', () => {
    test('waits for the transaction that is under way', async () => {
      const store = await open()
      const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
      const outcome = store.transact([], async (transaction) => {
        await gate
        await transaction.write(changes({ runs: { inserted: [run()] } }))
        return 'committed'
      })
      const closed = [store.close(), store.close()]
      openGate()
      await expect(outcome).resolves.toBe('committed')
      await Promise.all(closed)
    })

    test('afterwards every method says that the store cannot be reached; a second close is fine', async () => {
      const store = await open()
      await store.close()
      for (const call of calls(store)) await expect(call()).rejects.toThrow(StoreUnavailableError)
      await store.close()
    })
  })
}

async function increment(store: Store): Promise<void> {
  await store.transact(['w1'], async (transaction) => {
    const [found] = (await transaction.load([{ of: 'run', runId: 'r1' }])).runs
    if (found === undefined) throw new Error('There is no run r1.')
    await transaction.write(changes({ runs: { updated: [{ ...found, lastId: found.lastId + 1 }] } }))
  })
}

function calls(store: Store): readonly (() => Promise<unknown>)[] {
  return [
    () => store.transact([], async () => undefined),
    () => store.load([]),
    () => store.ping(),
    () => store.find.due({ now: 0, limit: 1 }),
    () => store.list.namespaces(),
  ]
}

const allKeys = [
  { of: 'namespace', name: 'full' },
  { of: 'workflow', workflowId: 'w1' },
  { of: 'run', runId: 'r1' },
  { of: 'openWorkflowTask', runId: 'r1' },
  { of: 'openActivities', runId: 'r1' },
  { of: 'openTimers', runId: 'r1' },
  { of: 'liveWaits', runId: 'r1' },
  { of: 'heldSignals', runId: 'r1' },
  { of: 'queryTask', queryTaskId: 'r1-q1' },
  { of: 'registration', namespace: 'full', workerId: 'worker-1' },
  { of: 'liveness', namespace: 'full', workerId: 'worker-1' },
] as const

// Several groups under way at once, on a store that lets them: which may, what waits, and that each ends by itself.

import { openStore } from '@durable-workflow/store-sql'
import { expect, test } from 'vitest'
import { defineOperation } from '../src/core/decision/operation.ts'
import { accept } from '../src/core/decision/outcome.ts'
import { StoreUnavailableError } from '../src/index.ts'
import type { Probe } from '../src/ports.ts'
import { UnitOfWork } from '../src/unit-of-work.ts'
import { GatedStore, type GatedTransaction } from './support/gated-store.ts'
import { t0 } from './support/make.ts'
import { VirtualClock } from './support/virtual-clock.ts'

interface Harness extends AsyncDisposable {
  readonly work: UnitOfWork
  readonly clock: VirtualClock
  readonly store: GatedStore
  /** Names of operations as they were decided. */
  readonly decided: string[]
  /** Names of operations as they were answered; what failed has an exclamation mark, what was skipped a question mark. */
  readonly answered: string[]
  /** Executes an operation of that name under a lock, and lets everything settle. */
  execute(name: string, lock: string): Promise<void>
  executeWhereFree(name: string, lock: string): Promise<void>
  at(transaction: number): GatedTransaction
}

async function harness(concurrency: number, probe?: Probe): Promise<Harness> {
  const clock = new VirtualClock(t0)
  const inner = await openStore('sqlite::memory:')
  const store = new GatedStore(concurrency, inner)
  const decided: string[] = []
  const answered: string[] = []
  const work = new UnitOfWork({
    store,
    clock,
    probe,
    afterDecide: () => [],
    afterCommit: () => {},
    onError: () => {},
  })
  const named = defineOperation({
    kind: 'named',
    locks: (input: { readonly name: string; readonly lock: string }) => [input.lock],
    slice: () => [],
    decide(_draft, { name }) {
      decided.push(name)
      return accept(name)
    },
  })
  const note = (name: string, answer: Promise<unknown>) =>
    answer.then(
      (outcome) => answered.push(outcome === undefined ? `${name}?` : name),
      () => answered.push(`${name}!`),
    )
  return {
    work,
    clock,
    store,
    decided,
    answered,
    async execute(name, lock) {
      void note(name, work.execute(named({ name, lock })))
      await clock.settle()
    },
    async executeWhereFree(name, lock) {
      void note(name, work.executeWhereFree(named({ name, lock })))
      await clock.settle()
    },
    at(transaction) {
      const found = store.transactions[transaction]
      if (found === undefined) throw new Error(`There is no transaction ${transaction}.`)
      return found
    },
    [Symbol.asyncDispose]: () => inner.close(),
  }
}

test('UW6 a group begins while the one before waits for its commit, and may be answered first', async () => {
  await using h = await harness(3)
  await h.execute('a', 'a')
  await h.execute('b', 'b')
  expect(h.decided).toEqual(['a', 'b'])
  h.at(1).commit()
  await h.clock.settle()
  expect(h.answered).toEqual(['b'])
  h.at(0).commit()
  await h.clock.settle()
  expect(h.answered).toEqual(['b', 'a'])
})

test('UW6 what shares a lock with a group under way waits for its end, in the order of arrival', async () => {
  await using h = await harness(3)
  await h.execute('a1', 'a')
  await h.execute('a2', 'a')
  await h.execute('b', 'b')
  await h.execute('a3', 'a')
  expect(h.decided).toEqual(['a1', 'b'])
  h.at(1).commit()
  await h.clock.settle()
  expect(h.decided).toEqual(['a1', 'b'])
  h.at(0).commit()
  await h.clock.settle()
  expect(h.decided).toEqual(['a1', 'b', 'a2', 'a3'])
  expect(h.store.transactions).toHaveLength(3)
})

test('UW6 what waits behind a lock keeps its own locks from those who came later', async () => {
  await using h = await harness(3)
  const both = defineOperation({
    kind: 'both',
    locks: (_: undefined) => ['a', 'b'],
    slice: () => [],
    decide() {
      h.decided.push('both')
      return accept('both')
    },
  })
  await h.execute('a', 'a')
  void h.work.execute(both(undefined))
  await h.execute('b', 'b')
  expect(h.decided).toEqual(['a'])
  h.at(0).commit()
  await h.clock.settle()
  expect(h.decided).toEqual(['a', 'both', 'b'])
})

test('as long as a group is at work everything gathers into the next one', async () => {
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
  let isFirst = true
  await using h = await harness(3, {
    async reached(point) {
      if (point !== 'decided' || !isFirst) return
      isFirst = false
      await gate
    },
  })
  await h.execute('a', 'a')
  for (const name of ['b', 'c', 'd']) await h.execute(name, name)
  expect(h.store.transactions).toHaveLength(1)
  openGate()
  await h.clock.settle()
  expect(h.store.transactions.map(({ locks }) => locks)).toEqual([['a'], ['b', 'c', 'd']])
})

test('no more groups are under way than the store takes', async () => {
  await using h = await harness(2)
  for (const name of ['a', 'b', 'c', 'd']) await h.execute(name, name)
  expect(h.store.transactions).toHaveLength(2)
  h.at(1).commit()
  await h.clock.settle()
  expect(h.store.transactions.map(({ locks }) => locks)).toEqual([['a'], ['b'], ['c', 'd']])
})

test('UW3 UW7 a group that fails tells its own callers only', async () => {
  await using h = await harness(3)
  await h.execute('a', 'a')
  await h.execute('b', 'b')
  await h.execute('a2', 'a')
  h.at(0).fail(new StoreUnavailableError('unreachable', { cause: 'as the test says' }))
  await h.clock.settle()
  expect(h.answered).toEqual(['a!'])
  h.at(1).commit()
  h.at(2).commit()
  await h.clock.settle()
  expect(h.answered.sort()).toEqual(['a!', 'a2', 'b'])
})

test('idle waits for every group, and for what waits behind one', async () => {
  await using h = await harness(3)
  await h.execute('a', 'a')
  await h.execute('b', 'b')
  await h.execute('a2', 'a')
  let isIdle = false
  void h.work.idle().then(() => {
    isIdle = true
  })
  h.at(1).commit()
  h.at(0).commit()
  await h.clock.settle()
  expect(isIdle).toBe(false)
  h.at(2).commit()
  await h.clock.settle()
  expect(isIdle).toBe(true)
  expect(h.clock.pending).toBe(0)
})

test('a group that waits for another server’s lock does not hold up the others for long', async () => {
  await using h = await harness(3)
  h.store.heldElsewhere.add('a')
  await h.execute('a', 'a')
  await h.execute('b', 'b')
  await h.clock.advance(19)
  expect(h.decided).toEqual([])
  await h.clock.advance(1)
  expect(h.decided).toEqual(['b'])
  h.store.release()
  await h.clock.settle()
  expect(h.decided).toEqual(['b', 'a'])
})

test('what is done only where nobody else is at it is answered as skipped; its neighbours are decided', async () => {
  await using h = await harness(3)
  h.store.heldElsewhere.add('held')
  h.clock.hold()
  void h.executeWhereFree('lost', 'held')
  void h.executeWhereFree('won', 'free')
  void h.execute('other', 'other')
  h.clock.release()
  await h.clock.settle()
  expect(h.at(0)).toMatchObject({ locks: ['other'], whereFree: ['free', 'held'] })
  expect(h.decided).toEqual(['won', 'other'])
  h.at(0).commit()
  await h.clock.settle()
  expect(h.answered.sort()).toEqual(['lost?', 'other', 'won'])
})

test('a lock that an operation of the group waits for is not skipped for another', async () => {
  await using h = await harness(3)
  h.clock.hold()
  void h.executeWhereFree('claim', 'one')
  void h.execute('report', 'one')
  h.clock.release()
  await h.clock.settle()
  expect(h.at(0)).toMatchObject({ locks: ['one'], whereFree: [] })
  expect(h.decided).toEqual(['claim', 'report'])
})

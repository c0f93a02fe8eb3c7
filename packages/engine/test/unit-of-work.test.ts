// The unit of work against a database in memory: order, bounds, failures, named points (UW1 – UW7).

import { openStore } from '@durable-workflow/store-sql'
import { expect, test } from 'vitest'
import { defineOperation } from '../src/core/decision/operation.ts'
import { accept, refuse, refuseAfterTime, widen } from '../src/core/decision/outcome.ts'
import { engineLimits } from '../src/core/state/limits.ts'
import { CommitUnknownError, InvariantError, StoreUnavailableError } from '../src/index.ts'
import type { NamedPoint } from '../src/ports.ts'
import { type Claim, UnitOfWork } from '../src/unit-of-work.ts'
import { namespace, t0 } from './support/make.ts'
import { VirtualClock } from './support/virtual-clock.ts'
import { WatchedStore } from './support/watched-store.ts'

/** Puts a namespace, or says that it is there; locks what it is told. */
const put = defineOperation({
  kind: 'put',
  locks: (input: { readonly name: string; readonly lock?: string }) => [input.lock ?? `l:${input.name}`],
  slice: (input) => [{ of: 'namespace', name: input.name }],
  decide(draft, input, now) {
    if (draft.namespace(input.name) !== undefined) return refuse('there', { name: input.name })
    draft.putNamespace(namespace({ name: input.name, createdAt: now }))
    return accept({ name: input.name })
  },
})

/** Writes and then throws, like a bug of ours. */
const broken = defineOperation({
  kind: 'broken',
  locks: () => ['l:broken'],
  slice: () => [],
  decide(draft, _input: undefined): ReturnType<typeof accept<string>> {
    draft.putNamespace(namespace({ name: 'half' }))
    throw new Error('as the test says')
  },
})

/** Asks for a namespace only when it decides; `seen` remembers the order of decisions. */
const wide = (name: string, seen: string[]) =>
  defineOperation({
    kind: 'wide',
    locks: () => ['l:run'],
    slice: () => [],
    decide(draft, _input: undefined) {
      const key = { of: 'namespace', name } as const
      if (!draft.knows(key)) return widen([key])
      seen.push(name)
      draft.putNamespace(namespace({ name }))
      return accept(name)
    },
  })(undefined)

interface Harness {
  readonly work: UnitOfWork
  readonly clock: VirtualClock
  readonly store: WatchedStore
  readonly points: [NamedPoint, readonly string[]][]
  readonly commits: number[]
  readonly errors: unknown[]
  names(): Promise<string[]>
}

async function harness(
  claims: readonly Claim[] = [],
  onPoint: (point: NamedPoint) => void = () => {},
): Promise<Harness & AsyncDisposable> {
  const clock = new VirtualClock(t0)
  const store = new WatchedStore(await openStore('sqlite::memory:'))
  clock.watch(store)
  const points: [NamedPoint, readonly string[]][] = []
  const commits: number[] = []
  const errors: unknown[] = []
  const work = new UnitOfWork({
    store,
    clock,
    probe: {
      reached: async (point, kinds) => {
        points.push([point, kinds])
        onPoint(point)
      },
    },
    afterDecide: () => claims,
    afterCommit: (changes) => void commits.push(changes.namespaces.inserted.length),
    onError: (error) => void errors.push(error),
  })
  // The database makes the default one itself.
  const names = async () => (await store.list.namespaces()).map((one) => one.name).filter((name) => name !== 'default')
  return { work, clock, store, points, commits, errors, names, [Symbol.asyncDispose]: () => store.close() }
}

/** What became of each promise, once everything has settled. */
async function ends(clock: VirtualClock, promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const all = Promise.allSettled(promises)
  await clock.settle()
  return (await all).map((one) => (one.status === 'fulfilled' ? one.value : one.reason))
}

test('UW1 an operation sees what those before it in its group decided', async () => {
  await using h = await harness()
  const found = await ends(h.clock, [h.work.execute(put({ name: 'a' })), h.work.execute(put({ name: 'a' }))])
  expect(found).toMatchObject([{ kind: 'accepted' }, { kind: 'refused', reason: 'there', recorded: false }])
  expect(h.commits).toEqual([1])
})

test('UW2 between the first decision and the last nothing is awaited', async () => {
  await using h = await harness()
  const seen: string[] = []
  const watched = (name: string) =>
    defineOperation({
      kind: 'watched',
      locks: () => [],
      slice: () => [],
      decide(_draft, _input: undefined) {
        seen.push(name)
        queueMicrotask(() => seen.push('a turn'))
        return accept(name)
      },
    })(undefined)
  await ends(
    h.clock,
    ['a', 'b', 'c'].map((name) => h.work.execute(watched(name))),
  )
  expect(seen.slice(0, 3)).toEqual(['a', 'b', 'c'])
})

test('UW3 the five named points are met in order, with the kinds of the group; answers come after the commit', async () => {
  await using h = await harness()
  const answered = h.work.execute(put({ name: 'a' })).then(() => h.points.map(([point]) => point))
  await h.clock.settle()
  expect(await answered).toEqual(['gathered', 'locked', 'decided', 'written', 'committed'])
  expect(h.points.every(([, kinds]) => kinds.join() === 'put')).toBe(true)
})

test('UW3 each operation of a group is answered, in one commit', async () => {
  await using h = await harness()
  const found = await ends(
    h.clock,
    Array.from({ length: 50 }, (_, n) => h.work.execute(put({ name: `n${n}` }))),
  )
  expect(found).toEqual(Array.from({ length: 50 }, (_, n) => ({ kind: 'accepted', reply: { name: `n${n}` } })))
  expect(h.commits).toEqual([50])
})

test('UW4 a decision that throws loses its own draft only', async () => {
  await using h = await harness()
  const found = await ends(h.clock, [
    h.work.execute(put({ name: 'a' })),
    h.work.execute(broken(undefined)),
    h.work.execute(put({ name: 'b' })),
  ])
  expect(found).toMatchObject([{ kind: 'accepted' }, { message: 'as the test says' }, { kind: 'accepted' }])
  expect(await h.names()).toEqual(['a', 'b'])
})

test('UW4 a read outside of the slice is such a throw, and named', async () => {
  await using h = await harness()
  const guess = defineOperation({
    kind: 'guess',
    locks: () => [],
    slice: () => [],
    decide: (draft, _input: undefined) => accept(draft.namespace('other')),
  })
  const [error, fine] = await ends(h.clock, [h.work.execute(guess(undefined)), h.work.execute(put({ name: 'a' }))])
  expect(error).toBeInstanceOf(InvariantError)
  expect(error).toHaveProperty('message', 'UW1: a decision read namespace:other, which is not in its slice.')
  expect(fine).toMatchObject({ kind: 'accepted' })
})

test('UW5 locks are taken once a group, each once, in ascending order', async () => {
  await using h = await harness()
  await ends(h.clock, [
    h.work.execute(put({ name: 'c', lock: 'z' })),
    h.work.execute(put({ name: 'a', lock: 'b' })),
    h.work.execute(put({ name: 'b', lock: 'z' })),
  ])
  expect(h.store.locks).toEqual([['b', 'z']])
})

test('UW6 a group is bounded; order is kept across groups', async () => {
  await using h = await harness()
  const max = engineLimits.groupOperationsMax
  const found = await ends(
    h.clock,
    Array.from({ length: max * 2 + 1 }, (_, n) => h.work.execute(put({ name: `n${n % max}`, lock: 'one' }))),
  )
  expect(found.map((one) => (one === undefined ? '' : JSON.stringify(one).includes('accepted')))).toEqual([
    ...Array.from({ length: max }, () => true),
    ...Array.from({ length: max + 1 }, () => false),
  ])
  expect(h.commits).toEqual([max, 0, 0])
})

test('UW6 operations that widen come again in the order in which they came', async () => {
  await using h = await harness()
  const seen: string[] = []
  const found = await ends(
    h.clock,
    ['a', 'b', 'c'].map((name) => h.work.execute(wide(name, seen))),
  )
  expect(found).toMatchObject([{ reply: 'a' }, { reply: 'b' }, { reply: 'c' }])
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('UW6 what arrived after an operation that widens, with its lock, does not overtake it', async () => {
  await using h = await harness()
  const seen: string[] = []
  const late = defineOperation({
    kind: 'late',
    locks: () => ['l:run'],
    slice: () => [],
    decide(_draft, _input: undefined) {
      seen.push('late')
      return accept('late')
    },
  })
  await ends(h.clock, [h.work.execute(wide('a', seen)), h.work.execute(late(undefined))])
  expect(seen).toEqual(['a', 'late'])
})

test('UW6 what widened comes before what arrived while its group was under way', async () => {
  const seen: string[] = []
  const arrivals: (() => void)[] = []
  await using h = await harness([], () => {
    for (const arrive of arrivals.splice(0)) arrive()
  })
  const late = defineOperation({
    kind: 'late',
    locks: () => ['l:run'],
    slice: () => [],
    decide(_draft, _input: undefined) {
      seen.push('late')
      return accept('late')
    },
  })
  arrivals.push(() => void h.work.execute(late(undefined)))
  await ends(h.clock, [h.work.execute(wide('a', seen))])
  expect(seen).toEqual(['a', 'late'])
})

test('a refusal leaves nothing of its draft, unless time acted while it refused', async () => {
  await using h = await harness()
  const refusing = (name: string, say: typeof refuse) =>
    defineOperation({
      kind: 'refusing',
      locks: () => [],
      slice: () => [],
      decide(draft, _input: undefined) {
        draft.putNamespace(namespace({ name }))
        return say('no', { name })
      },
    })(undefined)
  const found = await ends(h.clock, [
    h.work.execute(refusing('dropped', refuse)),
    h.work.execute(refusing('kept', refuseAfterTime)),
  ])
  expect(found).toMatchObject([
    { reason: 'no', recorded: false, facts: { name: 'dropped' } },
    { reason: 'no', recorded: false, facts: { name: 'kept' } },
  ])
  expect(await h.names()).toEqual(['kept'])
})

test('UW7 a commit that fails: every caller hears it, nothing is there, the next group works', async () => {
  await using h = await harness()
  h.store.trouble('commit fails')
  const found = await ends(h.clock, [h.work.execute(put({ name: 'a' })), h.work.execute(put({ name: 'b' }))])
  for (const error of found) expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(await h.names()).toEqual([])
  expect(await ends(h.clock, [h.work.execute(put({ name: 'a' }))])).toMatchObject([{ kind: 'accepted' }])
  expect(h.commits).toEqual([1])
})

test('UW7 a commit whose fate is unknown says so, for refusals too', async () => {
  await using h = await harness()
  await ends(h.clock, [h.work.execute(put({ name: 'there' }))])
  h.store.trouble('commit is unknown')
  const found = await ends(h.clock, [h.work.execute(put({ name: 'a' })), h.work.execute(put({ name: 'there' }))])
  for (const error of found) expect(error).toBeInstanceOf(CommitUnknownError)
})

test('UW7 an operation that widened is not told that it failed and then decided all the same', async () => {
  await using h = await harness()
  const seen: string[] = []
  h.store.trouble('commit fails')
  const [told] = await ends(h.clock, [h.work.execute(wide('a', seen)), h.work.execute(put({ name: 'b' }))])
  const wasRecorded = (await h.names()).includes('a')
  expect({ wasTold: !(told instanceof Error), wasRecorded }).toEqual({ wasTold: wasRecorded, wasRecorded })
})

/** A claim that stands, and writes down what becomes of it. */
function loggedClaim(log: string[], given: Partial<Claim> = {}): Claim {
  return {
    decide: () => true,
    settle: () => log.push('settled'),
    putBack: () => log.push('put back'),
    fail: () => log.push('failed'),
    ...given,
  }
}

test('UW7 a claim is settled after the commit, put back after a failed one, and fails when nobody knows', async () => {
  const log: string[] = []
  await using h = await harness([loggedClaim(log)])
  await ends(h.clock, [h.work.execute(put({ name: 'a' }))])
  h.store.trouble('commit fails')
  await ends(h.clock, [h.work.execute(put({ name: 'b' }))])
  h.store.trouble('commit is unknown')
  await ends(h.clock, [h.work.execute(put({ name: 'c' }))])
  expect(log).toEqual(['settled', 'put back', 'failed'])
})

test('UW4 a claim that throws is put back; the decision before it stands and is answered', async () => {
  const log: string[] = []
  const claim = loggedClaim(log, {
    decide: () => {
      throw new Error('as the test says')
    },
  })
  await using h = await harness([claim])
  expect(await ends(h.clock, [h.work.execute(put({ name: 'a' }))])).toMatchObject([{ kind: 'accepted' }])
  expect(log).toEqual(['put back'])
  expect(h.errors).toMatchObject([{ message: 'as the test says' }])
  expect(await h.names()).toEqual(['a'])
})

test('a claim that does not stand is put back and leaves nothing', async () => {
  const log: string[] = []
  const claim = loggedClaim(log, {
    decide: (draft) => {
      draft.putNamespace(namespace({ name: 'ghost' }))
      return false
    },
  })
  await using h = await harness([claim])
  await ends(h.clock, [h.work.execute(put({ name: 'a' }))])
  expect(log).toEqual(['put back'])
  expect(await h.names()).toEqual(['a'])
})

test('idle waits for the last group', async () => {
  await using h = await harness()
  const done: string[] = []
  const first = h.work.execute(put({ name: 'a' })).then(() => done.push('answered'))
  const idle = h.work.idle().then(() => done.push('idle'))
  await h.clock.settle()
  await Promise.all([first, idle, h.work.idle()])
  expect(done).toEqual(['answered', 'idle'])
})

// Dispatch alone: what it remembers of its queues, and what it must not forget (DI1 – DI4).

import { openStore } from '@durable-workflow/store-sql'
import { expect, test } from 'vitest'
import { Draft } from '../src/core/decision/draft.ts'
import { Group } from '../src/core/decision/group.ts'
import { Dispatch } from '../src/dispatch.ts'
import { CommitUnknownError, type ReadyTasks, type Store } from '../src/ports.ts'
import type { Claimed, Waiter } from '../src/waiter.ts'
import { proof, readyTask, run, t0, taskId } from './support/make.ts'
import { VirtualClock } from './support/virtual-clock.ts'

interface Harness extends AsyncDisposable {
  readonly dispatch: Dispatch
  readonly clock: VirtualClock
  /** What a look into the store finds now. */
  found: ReadyTasks
  /** How many looks there were. */
  looks: number
  /** How the claims through the door end, in order; then refused. */
  readonly claims: ('accepted' | 'refused' | 'held' | 'throws')[]
  readonly errors: unknown[]
}

const nothing: ReadyTasks = { tasks: [], nextAvailableAt: undefined }
const place = { kind: 'workflow', namespace: 'default', taskQueue: 'orders' } as const
const one: ReadyTasks = {
  tasks: [{ kind: 'workflow', id: taskId, runId: run().runId, type: 'Order', availableAt: t0 }],
  nextAvailableAt: undefined,
}

async function harness(): Promise<Harness> {
  const clock = new VirtualClock(t0)
  const inner = await openStore('sqlite::memory:')
  const made: Pick<Harness, 'found' | 'looks' | 'claims' | 'errors'> = {
    found: nothing,
    looks: 0,
    claims: [],
    errors: [],
  }
  const store: Store = {
    description: inner.description,
    concurrency: 1,
    wakes: undefined,
    transact: (locks, work) => inner.transact(locks, work),
    load: (keys) => inner.load(keys),
    list: inner.list,
    ping: () => inner.ping(),
    close: () => inner.close(),
    find: {
      due: (query) => inner.find.due(query),
      leasedBy: (query) => inner.find.leasedBy(query),
      blockedRuns: (query) => inner.find.blockedRuns(query),
      readyTasks: async () => {
        made.looks += 1
        return made.found
      },
    },
  }
  const dispatch = new Dispatch({
    store,
    clock,
    scanIntervalMs: 1_000,
    onError: (error) => made.errors.push(error),
    execute: async (operation) => {
      const end = made.claims.shift() ?? 'refused'
      if (end === 'throws') throw new Error('as the test says')
      if (end === 'held') return undefined
      const group = new Group()
      if (end === 'accepted')
        group.add({
          ...(await inner.load([])),
          runs: [run({ openTask: { taskId, leased: false } })],
          workflowTasks: [readyTask()],
        })
      group.unasked(operation.slice)
      const decision = operation.decide(new Draft(group), clock.now())
      if (decision.kind === 'widen') throw new Error('a claim never widens')
      return decision
    },
  })
  return Object.assign(made, { dispatch, clock, [Symbol.asyncDispose]: () => inner.close() })
}

function waiter(answers: (Claimed | undefined)[], given: Partial<Waiter> = {}): Waiter {
  return {
    ...place,
    types: new Set(['Order']),
    proof: proof(),
    leaseMs: 60_000,
    isOver: () => false,
    settle: (claim) => answers.push(claim),
    fail: (error) => {
      throw error
    },
    ...given,
  }
}

test('DI1 DI4 a claim that is lost puts the poller back, at its queue’s next look it is answered, once', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.found = one
  h.claims.push('refused')
  h.dispatch.wait(waiter(answers))
  await h.clock.settle()
  expect(answers).toEqual([])
  expect(h.dispatch.waiterCount).toBe(1)
  h.claims.push('accepted')
  h.dispatch.scan()
  h.dispatch.scan()
  h.dispatch.noteReady(place, t0)
  await h.clock.settle()
  expect(answers).toHaveLength(1)
  expect(answers[0]).toMatchObject({ kind: 'workflow' })
})

test.each(['held', 'refused'] as const)(
  'DI4 after a race that was lost (%s) the queue is looked at again soon: not at once, not at the next scan',
  async (end) => {
    await using h = await harness()
    const answers: (Claimed | undefined)[] = []
    h.found = one
    h.claims.push(end, 'accepted')
    h.dispatch.wait(waiter(answers))
    await h.clock.settle()
    expect(h.looks).toBe(1)
    await h.clock.advance(24)
    expect(h.looks).toBe(1)
    await h.clock.advance(1)
    expect(h.looks).toBe(2)
    expect(answers).toHaveLength(1)
  },
)

test('DI4 a claim that fails with an error puts the poller back, and tells', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.found = one
  h.claims.push('throws')
  h.dispatch.wait(waiter(answers))
  await h.clock.settle()
  expect(h.errors).toMatchObject([{ message: 'as the test says' }])
  h.claims.push('accepted')
  h.dispatch.scan()
  await h.clock.settle()
  expect(answers).toHaveLength(1)
})

test('a poller whose time is up when its claim is lost is answered empty', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.found = one
  h.dispatch.wait(waiter(answers, { isOver: () => true }))
  await h.clock.settle()
  expect(answers).toEqual([undefined])
})

test('DI3 a scan looks again where somebody waits, and forgets where nobody does', async () => {
  await using h = await harness()
  const leave = h.dispatch.wait(waiter([]))
  await h.clock.settle()
  const before = h.looks
  h.dispatch.scan()
  await h.clock.settle()
  expect(h.looks).toBe(before + 1)
  expect(leave()).toBe(true)
  expect(leave()).toBe(false)
  h.dispatch.scan()
  await h.clock.settle()
  expect(h.looks).toBe(before + 1)
})

test('where a look found more tasks than pollers, the next poller looks at once', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.found = { ...one, tasks: [...one.tasks, ...one.tasks] }
  h.claims.push('accepted', 'accepted')
  h.dispatch.wait(waiter(answers))
  await h.clock.settle()
  expect(answers).toHaveLength(1)
  h.found = one
  h.dispatch.wait(waiter(answers))
  await h.clock.settle()
  expect(answers).toHaveLength(2)
})

test('a task that becomes available later is looked for at that instant, not before', async () => {
  await using h = await harness()
  h.found = { tasks: [], nextAvailableAt: t0 + 700 }
  h.dispatch.wait(waiter([]))
  await h.clock.settle()
  h.found = nothing
  const before = h.looks
  await h.clock.advance(699)
  expect(h.looks).toBe(before)
  await h.clock.advance(1)
  expect(h.looks).toBe(before + 1)
})

test('a task that becomes available later does not put off the look at an earlier one', async () => {
  await using h = await harness()
  h.dispatch.wait(waiter([]))
  await h.clock.settle()
  h.dispatch.noteReady(place, t0 + 200)
  h.dispatch.noteReady(place, t0 + 900)
  const before = h.looks
  await h.clock.advance(200)
  expect(h.looks).toBe(before + 1)
})

/** A group that made the task ready while one poller waited, before its commit. */
function claimsOf(h: Harness) {
  const group = new Group()
  const draft = new Draft(group)
  draft.putNewRun(run({ openTask: { taskId, leased: false } }))
  draft.putWorkflowTask(readyTask())
  draft.commit()
  return { claims: h.dispatch.claimsFor(draft, t0), group }
}

test('DI2 a poller that a group has reserved is not given to another task', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.dispatch.wait(waiter(answers))
  await h.clock.settle()
  const { claims, group } = claimsOf(h)
  expect(claims).toHaveLength(1)
  expect(claimsOf(h).claims).toHaveLength(0)
  expect(claims[0]?.decide(new Draft(group), t0)).toBe(true)
  claims[0]?.settle()
  expect(answers).toHaveLength(1)
})

test('DI3 DI4 a poller whose group failed while a scan went by is found again', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.dispatch.wait(waiter(answers))
  await h.clock.settle()
  const { claims } = claimsOf(h)
  h.dispatch.scan()
  claims[0]?.putBack()
  expect(h.dispatch.waiterCount).toBe(1)
  h.found = one
  h.claims.push('accepted')
  h.dispatch.noteReady(place, t0)
  h.dispatch.scan()
  await h.clock.settle()
  expect(answers).toHaveLength(1)
})

test('UW7 a poller whose claim nobody knows the fate of is told so, and waits no more', async () => {
  await using h = await harness()
  const told: unknown[] = []
  h.dispatch.wait(waiter([], { fail: (error) => told.push(error) }))
  await h.clock.settle()
  const unknown = new CommitUnknownError({ cause: 'as the test says' })
  claimsOf(h).claims[0]?.fail(unknown)
  expect(told).toEqual([unknown])
  expect(h.dispatch.waiterCount).toBe(0)
})

test('a poller whose group failed while the engine drained is answered empty', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.dispatch.wait(waiter(answers))
  await h.clock.settle()
  const { claims } = claimsOf(h)
  h.dispatch.drain()
  claims[0]?.putBack()
  expect(answers).toEqual([undefined])
})

test('a drain answers everybody empty, once', async () => {
  await using h = await harness()
  const answers: (Claimed | undefined)[] = []
  h.dispatch.wait(waiter(answers))
  h.dispatch.wait(waiter(answers, { taskQueue: 'other' }))
  await h.clock.settle()
  h.dispatch.drain()
  h.dispatch.drain()
  expect(answers).toEqual([undefined, undefined])
  expect(h.dispatch.waiterCount).toBe(0)
})

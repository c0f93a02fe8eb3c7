// Random sequences of operations on the real shell and a database in memory, time in hand.
//
// 1. Between any two operations the world is sound: rows stand behind every reason to move, positions and steps are
//    dense, a run has at most one open task, no event follows the end, counters equal rows.
// 2. Every signal that was accepted is in history exactly once in the end.
// 3. The same operations give the same answers and histories in three modes: one operation a group, random groups,
//    everything between two movements of time in one group.

import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Operation } from '../src/core/decision/operation.ts'
import { isOpen } from '../src/core/state/run.ts'
import { startEngine, type TestEngine } from './support/engine.ts'
import { expectWorld } from './support/histories.ts'
import { type Authored, dueOperation, operationOf, runIdOfWorkflow, type Step, workflowCount } from './support/model.ts'
import { onEachDatabase, openSqlite } from './support/stores.ts'
import { apply, emptyWorld, type World } from './support/world.ts'

const seed = Number(process.env.DW_TEST_SEED ?? Date.now() % 2 ** 31)
const seen = new Map<string, number>()
afterAll(() =>
  console.log(`engine.property: seed ${seed} (DW_TEST_SEED repeats it); ${JSON.stringify(Object.fromEntries(seen))}`),
)

interface Recorded {
  /** How far time moved before it, in ms. */
  readonly afterMs: number
  readonly operation: Operation
}

const workflow = fc.nat(workflowCount * 4)
const pick = fc.nat(11)
const authored = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom<Authored>(
      'activity',
      'retried',
      'timer',
      'condition',
      'timedCondition',
      'ownCondition',
      'signalWait',
      'timedSignalWait',
      'sideEffect',
      'marker',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<Authored>('completeRun', 'failRun') },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const), workflow, pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('signal' as const), workflow, pick }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('claim' as const), workflow, pick }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('complete' as const),
      workflow,
      pick,
      commands: fc.array(authored, { minLength: 1, maxLength: 4 }),
      group: fc.constantFrom(
        'none' as const,
        'none' as const,
        'none' as const,
        'activities' as const,
        'all' as const,
        'nested' as const,
        'again' as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      workflow,
      pick,
      how: fc.constantFrom(
        'waiting' as const,
        'waiting' as const,
        'waiting' as const,
        'failed' as const,
        'failed' as const,
        'blocked' as const,
      ),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('claimActivity' as const), workflow, pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('endActivity' as const),
      workflow,
      pick,
      how: fc.constantFrom('complete' as const, 'fail' as const, 'failForGood' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'heartbeat' as const,
        'heartbeatActivity' as const,
        'release' as const,
        'releaseActivity' as const,
        'repair' as const,
        'resume' as const,
        'repeat' as const,
      ),
      workflow,
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'terminate' as const), workflow, pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(0, 1, 1, 999, 1_000, 3_000, 6_000, 12_000),
    }),
  },
)
const steps = fc
  .array(step, { minLength: 60, maxLength: 160, size: 'max' })
  .map((list): Step[] => [{ do: 'start', workflow: 0, pick: 1 }, { do: 'claim', workflow: 0, pick: 0 }, ...list])

/** Carries steps out one operation a group, checking after each; returns what it did and what came of it. */
async function explore(
  made: TestEngine,
  list: readonly Step[],
): Promise<{ recorded: Recorded[]; answers: string[]; world: World }> {
  const { engine, clock, store } = made
  const recorded: Recorded[] = []
  const answers: string[] = []
  let world = emptyWorld
  let committed = 0
  let afterMs = 0
  const execute = async (operation: Operation) => {
    recorded.push({ afterMs, operation })
    afterMs = 0
    answers.push(answerText(await made.settled(engine.execute(operation))))
    for (; committed < store.commits.length; committed++)
      world = apply(world, store.commits[committed] ?? emptyChanges())
    expectWorld(world)
    expect((await made.settled(engine.views.checkProgress({ after: undefined, limit: 100 }))).problems).toEqual([])
  }
  for (const one of list) {
    if (one.do === 'advance') {
      afterMs += one.ms
      await clock.advance(one.ms)
      const { things } = await made.settled(store.find.due({ now: clock.now(), limit: 100 }))
      for (const thing of things) await execute(dueOperation(thing.kind, thing.id))
      // SW3: what was handed over is not due any more.
      expect((await made.settled(store.find.due({ now: clock.now(), limit: 100 }))).things).toEqual([])
    } else if (one.do === 'repeat') {
      const again = recorded[recorded.length - 1 - (one.pick % recorded.length)]
      if (again !== undefined) await execute(again.operation)
    } else {
      const target = { ...one, workflow: targetOf(one, world) }
      const operation = operationOf(target, rowsOf(world, target.workflow), clock.now())
      if (operation !== undefined) await execute(operation)
    }
  }
  for (let n = 0; n < workflowCount; n++) {
    const end = operationOf({ do: 'terminate', workflow: n, pick: 0 }, rowsOf(world, n), clock.now())
    if (end !== undefined) await execute(end)
  }
  return { recorded, answers, world }
}

/** Mostly a workflow that is open, for a start mostly one that is not there; any other now and then. */
function targetOf(one: Exclude<Step, { readonly do: 'advance' }>, world: World): number {
  const all = Array.from({ length: workflowCount }, (_, n) => n)
  const open = all.filter((n) => world.runs.some((run) => run.runId === runIdOfWorkflow(n) && isOpen(run)))
  const absent = all.filter((n) => !world.runs.some((run) => run.runId === runIdOfWorkflow(n)))
  const fitting = one.do === 'start' ? absent : open.slice(-3)
  const among = fitting.length === 0 || one.pick === 11 ? all : fitting
  return among[one.workflow % among.length] ?? 0
}

function rowsOf(world: World, n: number) {
  const runId = runIdOfWorkflow(n)
  const run = world.runs.find((row) => row.runId === runId)
  return {
    lastStep: run?.lastStep ?? 0,
    group: run?.parallelGroups[0],
    workflowTasks: world.workflowTasks.filter((task) => task.runId === runId),
    activities: world.activities.filter((activity) => activity.runId === runId),
    conditionStep: world.waits.findLast((wait) => wait.runId === runId && wait.kind === 'condition')?.step,
  }
}

/** Does the same again, in groups of the sizes given; time stands still within a group. */
async function repeat(
  made: TestEngine,
  recorded: readonly Recorded[],
  sizes: readonly number[],
): Promise<{ answers: string[]; world: World }> {
  const { engine, clock, store } = made
  const answers: string[] = []
  let waiting: Promise<unknown>[] = []
  let group = 0
  const flush = async () => {
    await clock.settle()
    for (const outcome of await Promise.all(waiting)) answers.push(answerText(outcome))
    waiting = []
    group += 1
  }
  for (const { afterMs, operation } of recorded) {
    const isFull = waiting.length >= (sizes[group % sizes.length] ?? 1)
    if (waiting.length > 0 && (afterMs > 0 || isFull)) await flush()
    await clock.advance(afterMs)
    waiting.push(engine.execute(operation))
  }
  await flush()
  return { answers, world: store.commits.reduce(apply, emptyWorld) }
}

/** An answer without what only says when it was looked at. */
function answerText(outcome: unknown): string {
  return JSON.stringify(outcome)
}

function emptyChanges(): never {
  throw new Error('A commit was counted that is not there.')
}

function sorted(world: World) {
  const byText = <Row>(rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort()
  return {
    events: byText(world.events),
    runs: byText(world.runs),
    workflowTasks: byText(world.workflowTasks),
    activities: byText(world.activities),
    timers: byText(world.timers),
    waits: byText(world.waits),
    signals: byText(world.signals),
  }
}

onEachDatabase((open) => {
  // A database of one's own costs PostgreSQL 100 times what it costs memory.
  const runs = open === openSqlite ? 80 : 4
  test('UW1 UW6 random operations: sound after every step, and the same in three modes of grouping', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
        async (list, sizes) => {
          await using alone = await startEngine({ isStarted: false, open })
          const one = await explore(alone, list)
          await using grouped = await startEngine({ isStarted: false, open })
          const random = await repeat(grouped, one.recorded, sizes)
          expect(random.answers).toEqual(one.answers)
          expect(sorted(random.world)).toEqual(sorted(one.world))
          await using together = await startEngine({ isStarted: false, open })
          const all = await repeat(together, one.recorded, [200])
          expect(all.answers).toEqual(one.answers)
          expect(sorted(all.world)).toEqual(sorted(one.world))
          expectWorld(all.world)
          for (const event of all.world.events) {
            const name = event.payload.includes('parallel_group_id') ? `${event.type} in a group` : event.type
            seen.set(name, (seen.get(name) ?? 0) + 1)
          }
        },
      ),
      { seed, numRuns: Number(process.env.DW_TEST_RUNS ?? runs), endOnFailure: true },
    )
  })
})

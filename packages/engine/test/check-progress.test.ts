// The checker on a real store: sound runs pass; a row broken behind the engine's back is named, run by run.

import { expect, test } from 'vitest'
import type { Loaded } from '../src/core/decision/changes.ts'
import { Group } from '../src/core/decision/group.ts'
import type { Changes } from '../src/ports.ts'
import {
  completeClaim,
  pollOf,
  replyOf,
  startEngine,
  startOn,
  startWithWorker,
  type TestEngine,
  workflowClaim,
} from './support/engine.ts'
import { activityCommand, conditionCommand, inGroup, signalCommand, timerCommand } from './support/operations.ts'

/** A run with one of each kind of open work. */
async function busy(): Promise<TestEngine & { readonly runId: string; readonly rows: Loaded }> {
  const made = await startWithWorker()
  const runId = await startOn(made)
  const claim = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  const commands = [
    activityCommand({ schedule_to_close_timeout: 60 }),
    timerCommand(),
    signalCommand(),
    conditionCommand({ timeout_seconds: 9 }),
    timerCommand({ delay_seconds: 0 }),
    ...inGroup([timerCommand(), timerCommand()], 'timer', 6),
  ]
  replyOf(await completeClaim(made, claim, commands))
  await made.clock.advance(1_000)
  workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  const rows = await made.settled(
    made.store.load([
      { of: 'run', runId },
      { of: 'openWorkflowTask', runId },
      { of: 'openActivities', runId },
      { of: 'openTimers', runId },
      { of: 'liveWaits', runId },
    ]),
  )
  return Object.assign(made, { runId, rows })
}

const problemsOf = async (made: TestEngine) =>
  (await made.settled(made.engine.views.checkProgress({ after: undefined, limit: 10 }))).problems

function updates(change: Partial<{ [Table in keyof Loaded]: Loaded[Table] }>): Changes {
  const none = new Group().changes()
  const updated = <Row>(rows: readonly Row[] | undefined) => ({ inserted: [], updated: rows ?? [], removed: [] })
  return {
    ...none,
    runs: updated(change.runs),
    workflowTasks: updated(change.workflowTasks),
    activities: updated(change.activities),
    timers: updated(change.timers),
    waits: updated(change.waits),
  }
}

const first = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows
  if (row === undefined) throw new Error('The run has such a row.')
  return row
}

const broken: [string, (rows: Loaded) => Changes, RegExp][] = [
  [
    'another reason',
    ({ runs }) => updates({ runs: [{ ...first(runs), progress: 'message' }] }),
    /states message but its fields say workflow_task_leased/,
  ],
  [
    'a task that is closed behind the run’s back',
    ({ workflowTasks }) => updates({ workflowTasks: [{ ...first(workflowTasks), status: 'completed' }] }),
    /names workflow task \w+, which is not open/,
  ],
  [
    'a task that is ready behind the run’s back',
    ({ workflowTasks }) => updates({ workflowTasks: [{ ...first(workflowTasks), status: 'ready', dueAt: undefined }] }),
    /says that workflow task \w+ is leased, but it is ready/,
  ],
  [
    'a lease whose end is not due',
    ({ workflowTasks }) => updates({ workflowTasks: [{ ...first(workflowTasks), dueAt: undefined }] }),
    /is not due at the end of its lease/,
  ],
  [
    'activities miscounted',
    ({ runs }) => updates({ runs: [{ ...first(runs), openActivities: 5 }] }),
    /counts 5 open activities, but 1 are there/,
  ],
  [
    'timers miscounted',
    ({ runs }) => updates({ runs: [{ ...first(runs), openTimers: 0 }] }),
    /counts 0 open timers, but 4 are there/,
  ],
  [
    'signal waits miscounted',
    ({ runs }) => updates({ runs: [{ ...first(runs), openSignalWaits: 0 }] }),
    /counts 0 open signal waits, but 1 are there/,
  ],
  [
    'condition waits miscounted',
    ({ runs }) => updates({ runs: [{ ...first(runs), openConditionWaits: 2 }] }),
    /counts 2 open condition waits, but 1 are there/,
  ],
  [
    'members of a group miscounted',
    ({ runs }) =>
      updates({ runs: [{ ...first(runs), parallelGroups: [{ ...first(first(runs).parallelGroups), open: 1 }] }] }),
    /counts 1 open members of group parallel-timers:6:2, but 2 are there/,
  ],
  [
    'a group that the run forgot',
    ({ runs }) => updates({ runs: [{ ...first(runs), parallelGroups: [] }] }),
    /2 open members belong to a group at step 6, which the run does not name/,
  ],
  [
    'a member that is gone',
    ({ timers }) =>
      updates({
        timers: timers
          .filter((timer) => timer.step === 7)
          .map((timer) => ({ ...timer, status: 'fired' as const, dueAt: undefined })),
      }),
    /counts 2 open members of group parallel-timers:6:2, but 1 are there/,
  ],
  [
    'an activity that is not due',
    ({ activities }) => updates({ activities: [{ ...first(activities), dueAt: undefined }] }),
    /is not due at its earliest deadline/,
  ],
  [
    'a timer that is not due',
    ({ timers }) => updates({ timers: [{ ...first(timers), dueAt: first(timers).fireAt + 1 }] }),
    /is not due at its instant/,
  ],
  [
    'a run deadline that is not due',
    ({ runs }) => updates({ runs: [{ ...first(runs), dueAt: 9e12 }] }),
    /its own deadline is not due at its instant/,
  ],
  [
    'a wait whose timer is gone',
    ({ timers }) =>
      updates({
        timers: timers
          .filter((timer) => timer.waitId !== undefined)
          .map((timer) => ({ ...timer, status: 'cancelled' as const, dueAt: undefined })),
      }),
    /wait \w+ has a deadline but no pending timer/,
  ],
]

test('a sound run passes', async () => {
  await using made = await busy()
  expect(await made.settled(made.engine.views.checkProgress({ after: undefined, limit: 10 }))).toEqual({
    checked: 1,
    problems: [],
    next: undefined,
  })
})

test.each(broken)('%s is named', async (_name, change, problem) => {
  await using made = await busy()
  await made.settled(made.store.transact([], (transaction) => transaction.write(change(made.rows))))
  const problems = await problemsOf(made)
  expect(problems.map((one) => one.problem)).toContainEqual(expect.stringMatching(problem))
  expect(problems.every((one) => one.runId === made.runId && one.workflowId === 'order-1')).toBe(true)
})

test('pages of open runs, each checked once', async () => {
  await using made = await startEngine()
  await Promise.all(Array.from({ length: 5 }, (_, n) => startOn(made, `order-${n}`)))
  const one = await made.settled(made.engine.views.checkProgress({ after: undefined, limit: 3 }))
  const two = await made.settled(made.engine.views.checkProgress({ after: one.next, limit: 3 }))
  expect([one.checked, two.checked, two.next]).toEqual([3, 2, undefined])
})

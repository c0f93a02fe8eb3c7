// Why a run waits, in words.

import { describe, expect, test } from 'vitest'
import {
  conditionWait,
  groupMember,
  lease,
  leasedTask,
  parallelGroup,
  pendingActivity,
  readyTask,
  run,
  runId,
  runningActivity,
  signalWait,
  t0,
  taskId,
  timer,
  timerId,
} from '../../../test/support/make.ts'
import type { OpenWork } from '../rules/progress.ts'
import type { Run } from '../state/run.ts'
import { explain } from './explain.ts'

const nothing: OpenWork = { workflowTask: undefined, activities: [], timers: [], waits: [] }
const past = '2025-06-15T15:06:40.000000Z'

const cases: [name: string, run: Partial<Run>, work: Partial<OpenWork>, sentences: string[], codes: string[]][] = [
  ['nothing open', {}, {}, ['Nothing is scheduled: only a signal or a deadline of the run moves it.'], []],
  [
    'a ready task',
    {},
    { workflowTask: readyTask() },
    [`Workflow task ${taskId} waits on queue 'orders' for a worker that serves 'Order'.`],
    [],
  ],
  [
    'a task that waits for its back-off',
    {},
    { workflowTask: readyTask({ availableAt: t0 + 1, failureCount: 2 }) },
    [
      `Workflow task ${taskId} waits on queue 'orders' from 2025-06-15T15:06:40.001000Z on for a worker that serves 'Order'. It failed 2 times in a row.`,
    ],
    ['task_problem'],
  ],
  [
    'a task that replaces a failed one: what its worker said',
    {},
    {
      workflowTask: readyTask({
        failureCount: 1,
        failure: {
          message: "no handler for 'status'",
          type: 'MissingHandlerError',
          reason: undefined,
          step: undefined,
        },
      }),
    },
    [
      `Workflow task ${taskId} waits on queue 'orders' for a worker that serves 'Order'. It failed once; the last time: MissingHandlerError: no handler for 'status'`,
    ],
    ['task_problem'],
  ],
  [
    'a parallel group, its open members after it',
    { parallelGroups: [parallelGroup({ open: 1 }), parallelGroup({ base: 3, open: 0, closedSequence: 9 })] },
    { timers: [timer({ group: groupMember() })] },
    [
      'Waits for parallel group parallel-calls:1:2: 1 of 2 members have ended.',
      `Sleeps until 2025-06-15T15:07:10.000000Z (timer ${timerId()}).`,
    ],
    [],
  ],
  [
    'a leased task',
    {},
    { workflowTask: leasedTask() },
    [`Worker worker-1 has workflow task ${taskId} (attempt 1) until 2025-06-15T15:07:40.000000Z.`],
    [],
  ],
  [
    'L-19 an expired lease beside a leased activity comes first',
    {},
    { workflowTask: leasedTask({ lease: lease({ expiresAt: t0 }) }), activities: [runningActivity()] },
    [
      `Workflow task ${taskId} (attempt 1) was leased by worker-1; its lease expired at ${past} and it is about to be redelivered.`,
      "Activity 'charge' (step 1) runs on worker worker-1, attempt 1, lease until 2025-06-15T15:07:40.000000Z.",
    ],
    ['expired_leases'],
  ],
  [
    'replay blocked',
    { replayBlockedReason: 'workflow_nondeterministic' },
    {},
    [
      'Replay is blocked: workflow_nondeterministic',
      "What happens is recorded; the run goes on when a worker registers another definition of 'Order', or when somebody repairs it.",
    ],
    ['workflow_replay_blocked'],
  ],
  [
    'a pending activity',
    {},
    { activities: [pendingActivity()] },
    ["Activity 'charge' (step 1) waits on queue 'orders'."],
    [],
  ],
  [
    'an activity in its back-off',
    {},
    { activities: [pendingActivity({ attempt: 1, availableAt: t0 + 1 })] },
    ["Activity 'charge' (step 1) waits on queue 'orders': attempt 2 may start at 2025-06-15T15:06:40.001000Z."],
    [],
  ],
  [
    'an activity in its back-off: what went wrong',
    {},
    {
      activities: [
        pendingActivity({
          attempt: 2,
          availableAt: t0 + 1,
          closedAttempts: [
            { attempt: 1, status: 'failed', owner: 'w', closedAt: t0, report: undefined, problem: 'Error: no answer' },
            {
              attempt: 2,
              status: 'failed',
              owner: 'w',
              closedAt: t0,
              report: undefined,
              problem: 'CardError: no funds',
            },
          ],
        }),
      ],
    },
    [
      "Activity 'charge' (step 1) waits on queue 'orders': attempt 3 may start at 2025-06-15T15:06:40.001000Z; attempt 2 failed: CardError: no funds",
    ],
    [],
  ],
  [
    'an activity whose lease has run out',
    {},
    { activities: [runningActivity({ lease: lease({ expiresAt: t0 }) })] },
    [
      "Activity 'charge' (step 1), attempt 1, was leased by worker-1; its lease has run out and it is about to be acted on.",
    ],
    ['expired_leases'],
  ],
  [
    'an activity whose heartbeat is overdue',
    {},
    { activities: [runningActivity({ heartbeatDeadlineAt: t0 })] },
    [
      "Activity 'charge' (step 1), attempt 1, was leased by worker-1; its heartbeat has run out and it is about to be acted on.",
    ],
    ['expired_leases'],
  ],
  ['a timer', {}, { timers: [timer()] }, [`Sleeps until 2025-06-15T15:07:10.000000Z (timer ${timerId()}).`], []],
  [
    'waits; the timer of a wait is told with it',
    {},
    {
      timers: [timer({ kind: 'signal_timeout' })],
      waits: [
        signalWait({ deadlineAt: t0 }),
        conditionWait({}, 2),
        conditionWait({ conditionKey: undefined }, 3),
        signalWait({ status: 'expired' }, 4),
      ],
    },
    [`Waits for signal 'approve' until ${past}.`, "Waits for condition 'paid'.", `Waits for condition '${runId}w3'.`],
    [],
  ],
  [
    'a deadline of the run',
    { dueAt: t0 },
    { timers: [timer()] },
    [`Sleeps until 2025-06-15T15:07:10.000000Z (timer ${timerId()}).`, `The run itself times out at ${past}.`],
    [],
  ],
  [
    'closed',
    { status: 'failed', closedReason: 'timed_out', closedAt: t0 },
    {},
    [`The run is closed (timed_out) at ${past}.`],
    [],
  ],
]

describe('explains', () => {
  test.each(cases)('%s', (_name, of, work, sentences, codes) => {
    const explained = explain(run(of), { ...nothing, ...work }, 1, t0)
    expect(explained.sentences).toEqual(sentences)
    expect(explained.findings.map((finding) => finding.code)).toEqual(codes)
  })
})

test('a ready task that no worker serves is an error', () => {
  expect(explain(run(), { ...nothing, workflowTask: readyTask() }, 0, t0).findings).toMatchObject([
    { severity: 'error', code: 'no_active_pollers' },
  ])
})

test('a closed run tells its failure', () => {
  const failure = {
    failureId: 'f',
    category: 'application',
    message: 'broken',
    exceptionType: undefined,
    exceptionClass: undefined,
    nonRetryable: false,
    exception: undefined,
  }
  expect(explain(run({ status: 'failed', closedReason: 'failed', failure }), nothing, 1, t0).sentences).toEqual([
    'The run is closed (failed): broken.',
  ])
})

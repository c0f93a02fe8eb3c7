// A timer that is due: its event, the wait that it ends, the task that it makes.

import { describe, expect } from 'vitest'
import { check } from '../../../../test/support/check.ts'
import {
  conditionWait,
  leasedTask,
  readyTask,
  runId,
  signalWait,
  t0,
  taskId,
  timer,
  timerId,
  waitId,
} from '../../../../test/support/make.ts'
import { given } from '../../../../test/support/world.ts'
import { fireTimer } from './fire-timer.ts'

const fire = (n = 1) => fireTimer({ timerId: timerId(n) })
const due = t0 + 30_000
const fired = { status: 'fired', dueAt: undefined }
const deadline = { timeoutSeconds: 30, deadlineAt: due, timerId: timerId(2) }

describe('fires', () => {
  check([
    {
      name: 'L-09 at exactly its instant: TimerFired and a task that says so',
      given: given({ timers: [timer()] }),
      at: due,
      operation: fire(),
      accepted: { taskId: `${runId}t101` },
      events: [
        [
          'TimerFired',
          {
            sequence: 1,
            timer_id: timerId(),
            delay_seconds: 30,
            fire_at: '2025-06-15T15:07:10.000000Z',
            fired_at: '2025-06-15T15:07:10.000000Z',
          },
        ],
      ],
      rows: {
        runs: [{ openTimers: 0, progress: 'workflow_task_ready' }],
        timers: [fired],
        workflowTasks: [
          {
            resume: {
              waitKind: 'timer',
              openWaitId: `timer:${timerId()}`,
              sourceKind: 'timer',
              sourceId: timerId(),
              step: 1,
              eventType: 'TimerFired',
            },
          },
        ],
      },
    },
    {
      name: 'while a task is ready it makes none',
      given: given({ timers: [timer()], task: readyTask() }),
      at: due,
      operation: fire(),
      accepted: { taskId: undefined },
      events: ['TimerFired'],
      rows: { runs: [{}], timers: [fired] },
    },
    {
      name: 'while a task is leased it leaves a mark',
      given: given({ timers: [timer()], task: leasedTask() }),
      at: due,
      operation: fire(),
      events: ['TimerFired'],
      rows: {
        runs: [{}],
        timers: [fired],
        workflowTasks: [{ taskId, pendingResume: expect.objectContaining({ waitKind: 'timer' }) }],
      },
    },
    {
      name: 'a second mark does not replace the first',
      given: given({
        timers: [timer()],
        task: leasedTask({
          pendingResume: {
            waitKind: 'signal',
            openWaitId: 'x',
            sourceKind: 'workflow_signal',
            sourceId: 'x',
            step: 1,
            eventType: 'SignalApplied',
          },
        }),
      }),
      at: due,
      operation: fire(),
      events: ['TimerFired'],
      rows: { runs: [{}], timers: [fired] },
    },
    {
      name: 'the timeout of a condition wait names its latest opening; no second row tells it again',
      given: given({
        timers: [timer({ kind: 'condition_timeout', waitId: waitId(2), step: 2 }, 2)],
        waits: [conditionWait({ status: 'reopened' }, 1), conditionWait(deadline, 2)],
      }),
      at: due,
      operation: fire(2),
      events: [
        [
          'TimerFired',
          {
            sequence: 2,
            timer_id: timerId(2),
            timer_kind: 'condition_timeout',
            condition_wait_id: waitId(2),
            condition_key: 'paid',
            condition_definition_fingerprint: 'f1',
          },
        ],
      ],
      rows: {
        runs: [{ openTimers: 0, openConditionWaits: 0 }],
        timers: [fired],
        waits: [{ waitId: waitId(2), status: 'expired', closedSequence: 11 }],
        workflowTasks: [
          {
            resume: {
              waitKind: 'condition',
              openWaitId: waitId(2),
              sourceKind: 'timer',
              sourceId: timerId(2),
              step: 2,
              eventType: 'TimerFired',
            },
          },
        ],
      },
    },
    {
      name: 'the timeout of a signal wait',
      given: given({
        timers: [timer({ kind: 'signal_timeout', waitId: waitId(2) }, 2)],
        waits: [signalWait(deadline, 2)],
      }),
      at: due,
      operation: fire(2),
      events: [['TimerFired', { timer_kind: 'signal_timeout', signal_wait_id: waitId(2), signal_name: 'approve' }]],
      rows: {
        runs: [{ openSignalWaits: 0 }],
        timers: [fired],
        waits: [{ status: 'expired' }],
        workflowTasks: [{ status: 'ready' }],
      },
    },
    ...(['condition', 'signal'] as const).map((kind) => ({
      name: `the timeout of a ${kind} wait is held while a task is leased: no event, and no sweep finds it again`,
      given: given({
        task: leasedTask(),
        timers: [timer({ kind: kind === 'signal' ? 'signal_timeout' : 'condition_timeout', waitId: waitId(2) }, 2)],
        waits: [kind === 'signal' ? signalWait(deadline, 2) : conditionWait(deadline, 2)],
      }),
      at: due,
      operation: fire(2),
      accepted: { taskId: undefined },
      rows: { timers: [{ status: 'pending', dueAt: undefined }] },
    })),
    {
      name: 'a replay-blocked run hears of it, and gets no task',
      given: given({ timers: [timer()], run: { replayBlockedReason: 'x' } }),
      at: due,
      operation: fire(),
      accepted: { taskId: undefined },
      events: ['TimerFired'],
      rows: { runs: [{ progress: 'replay_blocked' }], timers: [fired] },
    },
  ])
})

describe('SW2 what is not due any more', () => {
  check([
    { name: 'unknown timer', given: given(), operation: fire(), refused: 'not_due' },
    {
      name: 'one millisecond early',
      given: given({ timers: [timer()] }),
      at: due - 1,
      operation: fire(),
      refused: 'not_due',
    },
    {
      name: 'held by another server',
      given: given({
        task: leasedTask(),
        timers: [timer({ kind: 'signal_timeout', waitId: waitId(2), dueAt: undefined }, 2)],
        waits: [signalWait(deadline, 2)],
      }),
      at: due,
      operation: fire(2),
      refused: 'not_due',
    },
    {
      name: 'fired by another server',
      given: given({ timers: [timer({ status: 'fired', dueAt: undefined })] }),
      at: due,
      operation: fire(),
      refused: 'not_due',
    },
    {
      name: 'cancelled meanwhile',
      given: given({ timers: [timer({ status: 'cancelled', dueAt: undefined })] }),
      at: due,
      operation: fire(),
      refused: 'not_due',
    },
    {
      name: 'of a closed run',
      given: given({
        timers: [timer({ status: 'cancelled' })],
        run: { status: 'completed', closedReason: 'completed' },
      }),
      at: due,
      operation: fire(),
      refused: 'not_due',
    },
  ])
})

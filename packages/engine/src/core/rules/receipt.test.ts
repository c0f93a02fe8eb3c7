// Receipts, verdicts, failure classes: what a worker is told, and in which words.

import { describe, expect, test } from 'vitest'
import {
  leasedTask,
  pendingActivity,
  readyTask,
  run,
  runId,
  runningActivity,
  t0,
  taskId,
} from '../../../test/support/make.ts'
import type { Activity } from '../state/activity.ts'
import type { Run } from '../state/run.ts'
import { openRunFacts, refuseClosedRun, stopReason } from './receipt.ts'
import { classify } from './task-failure.ts'
import { verdict } from './verdict.ts'

const closed = (status: Run['status'], closedReason: Run['closedReason']) =>
  run({ status, closedReason, closedAt: t0 + 5 })

const endings: [Run['status'], Run['closedReason'], reason: string, stop: string, cancelRequested: boolean][] = [
  ['completed', 'completed', 'run_closed', 'run_completed', false],
  ['failed', 'failed', 'run_closed', 'run_failed', false],
  ['failed', 'timed_out', 'run_timed_out', 'run_failed', false],
  ['cancelled', 'cancelled', 'run_closed', 'run_cancelled', true],
  ['terminated', 'terminated', 'run_closed', 'run_terminated', true],
]
test.each(endings)(
  'R-01 a run that is %s (%s): %s, every field',
  (status, closedReason, reason, stop, cancelRequested) => {
    expect(refuseClosedRun(closed(status, closedReason), leasedTask({ status: 'cancelled' }), 3)).toEqual({
      kind: 'refused',
      reason,
      recorded: false,
      keepsDraft: false,
      facts: {
        taskId,
        workflowTaskAttempt: 3,
        runId,
        stopReason: stop,
        cancelRequested,
        canContinue: false,
        runStatus: status,
        runClosedReason: closedReason,
        runClosedAt: t0 + 5,
        taskStatus: 'cancelled',
        leaseOwner: 'worker-1',
        leaseExpiresAt: t0 + 60_000,
      },
    })
  },
)

test('a receipt of an open run says who holds the task', () => {
  expect(openRunFacts(run(), leasedTask(), 2)).toEqual({
    taskId,
    workflowTaskAttempt: 2,
    runId,
    runStatus: 'waiting',
    canContinue: true,
    taskStatus: 'leased',
    leaseOwner: 'worker-1',
    leaseExpiresAt: t0 + 60_000,
  })
  expect(openRunFacts(run(), readyTask(), 2)).toMatchObject({
    taskStatus: 'ready',
    leaseOwner: null,
    leaseExpiresAt: null,
  })
  expect(stopReason(run())).toBe('run_closed')
})

describe('verdict', () => {
  const may = { mayContinue: true }
  const stop = (reason: string, cancelRequested = false) => ({ mayContinue: false, reason, cancelRequested })
  const open = run()
  const running = runningActivity()
  const cases: [string, Run, Activity, attempt: number, owner: string, now: number, unknown][] = [
    ['holds its lease', open, running, 1, 'worker-1', t0 + 59_999, may],
    ['L-09 L-16 lease ends now', open, running, 1, 'worker-1', t0 + 60_000, stop('stale_attempt')],
    ['another owner', open, running, 1, 'worker-2', t0, stop('stale_attempt')],
    ['an earlier attempt', open, runningActivity({ attempt: 2 }), 1, 'worker-1', t0, stop('attempt_closed')],
    [
      'an earlier attempt of a closed run',
      closed('cancelled', 'cancelled'),
      runningActivity({ attempt: 2 }),
      1,
      'worker-1',
      t0,
      stop('attempt_closed'),
    ],
    ['run cancelled', closed('cancelled', 'cancelled'), running, 1, 'worker-1', t0, stop('run_cancelled', true)],
    ['run terminated', closed('terminated', 'terminated'), running, 1, 'worker-1', t0, stop('run_terminated', true)],
    ['run completed', closed('completed', 'completed'), running, 1, 'worker-1', t0, stop('run_closed')],
    ['run timed out', closed('failed', 'timed_out'), running, 1, 'worker-1', t0, stop('run_closed')],
    [
      'activity cancelled',
      open,
      runningActivity({ status: 'cancelled', attemptStatus: 'cancelled' }),
      1,
      'worker-1',
      t0,
      stop('activity_cancelled', true),
    ],
    [
      'set free',
      open,
      pendingActivity({ attempt: 1, attemptStatus: 'expired' }),
      1,
      'worker-1',
      t0,
      stop('attempt_closed'),
    ],
    [
      'completed',
      open,
      runningActivity({ status: 'completed', attemptStatus: 'completed' }),
      1,
      'worker-1',
      t0,
      stop('attempt_closed'),
    ],
    [
      'L-16 heartbeat deadline now',
      open,
      runningActivity({ heartbeatDeadlineAt: t0 + 1 }),
      1,
      'worker-1',
      t0 + 1,
      stop('stale_attempt'),
    ],
    [
      'L-16 start-to-close deadline now',
      open,
      runningActivity({ closeDeadlineAt: t0 + 1 }),
      1,
      'worker-1',
      t0 + 1,
      stop('stale_attempt'),
    ],
    [
      'L-16 schedule-to-close deadline now',
      open,
      runningActivity({ scheduleToCloseDeadlineAt: t0 + 1 }),
      1,
      'worker-1',
      t0 + 1,
      stop('stale_attempt'),
    ],
  ]
  test.each(cases)('%s', (_name, ofRun, activity, attempt, owner, now, expected) => {
    expect(verdict(ofRun, activity, attempt, owner, now)).toEqual(expected)
  })
})

describe('classes of workflow-task failures', () => {
  const cases: [message: string, type: string | undefined, reason: string | undefined, expected: string][] = [
    ['x', 'WorkflowTaskWaitingForHistory', undefined, 'waiting_for_history'],
    ['x', 'WORKFLOWTASKWAITINGFORHISTORY', undefined, 'waiting_for_history'],
    ['Workflow task waiting for scheduled history.', undefined, undefined, 'waiting_for_history'],
    ['x', undefined, 'recorded_command_mismatch', 'replay_blocked'],
    ['x', undefined, 'workflow_nondeterministic', 'replay_blocked'],
    ['x', undefined, 'timer_delay_mismatch', 'replay_blocked'],
    ['x', undefined, 'unsupported_payload_codec', 'replay_blocked'],
    ['x', undefined, 'condition_key_changed', 'replay_blocked'],
    ['x', undefined, 'duplicate_version_marker', 'replay_blocked'],
    ['x', undefined, 'side_effect_type_mismatch', 'replay_blocked'],
    ['x', undefined, 'parallel_group_shape_mismatch', 'replay_blocked'],
    ['x', undefined, 'workflow_entry_arguments_mismatch', 'replay_blocked'],
    ['Nondeterministic workflow', undefined, undefined, 'replay_blocked'],
    ['non-deterministic', undefined, undefined, 'replay_blocked'],
    ['broke determinism', undefined, undefined, 'replay_blocked'],
    ['x', 'History mismatch', undefined, 'replay_blocked'],
    ['Replay error at step 3', undefined, undefined, 'replay_blocked'],
    ['Unexpected history event', undefined, undefined, 'replay_blocked'],
    ['no workflow registered for Order', undefined, undefined, 'replay_blocked'],
    ['cannot decode workflow start input', undefined, undefined, 'replay_blocked'],
    ['database is down', 'OperationalError', undefined, 'failed'],
    ['x', undefined, 'some_other_reason', 'failed'],
    ['', undefined, undefined, 'failed'],
  ]
  test.each(cases)('%j %j %j is %s', (message, type, reason, expected) => {
    expect(classify({ message, type, reason, step: undefined })).toBe(expected)
  })
})

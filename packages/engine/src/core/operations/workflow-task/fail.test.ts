// Failure of a workflow task: it waits, replay is blocked, or it failed and comes again.

import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  conditionWait,
  leasedTask,
  readyTask,
  registration,
  runId,
  runningActivity,
  signal,
  signalWait,
  t0,
  taskId,
  timer,
  timerId,
} from '../../../../test/support/make.ts'
import { fail, sendSignal } from '../../../../test/support/operations.ts'
import { decide, given } from '../../../../test/support/world.ts'
import { failureBackoffMs } from './fail.ts'

const leased = given({ task: leasedTask() })
const pendingResume = {
  waitKind: 'timer',
  openWaitId: 'timer:x',
  sourceKind: 'timer',
  sourceId: 'x',
  step: 1,
  eventType: 'TimerFired',
} as const

describe('outcomes', () => {
  check([
    {
      name: 'waiting: the task is closed as completed, no replacement, no event',
      given: given({ task: leasedTask(), activities: [runningActivity()] }),
      operation: fail({ type: 'WorkflowTaskWaitingForHistory' }),
      accepted: { outcome: 'waiting_for_history', runStatus: 'waiting', nextTaskId: undefined, repeated: false },
      rows: {
        runs: [{ progress: 'activity', openTask: undefined }],
        workflowTasks: [{ status: 'completed', reportDigest: 'digest-1' }],
      },
    },
    {
      name: 'waiting while something was resolved meanwhile: the successor comes at once',
      given: given({ task: leasedTask({ pendingResume }) }),
      operation: fail({ type: 'workflowtaskwaitingforhistory' }),
      accepted: { outcome: 'waiting_for_history', nextTaskId: `${runId}t101` },
      rows: {
        runs: [{}],
        workflowTasks: [
          { taskId, status: 'completed' },
          { status: 'ready', resume: pendingResume, failureCount: 0 },
        ],
      },
    },
    {
      name: 'waiting with a held signal: it is recorded, applied, and wakes the run',
      given: given({ task: leasedTask(), waits: [signalWait()], signals: [signal({ status: 'held' })] }),
      operation: fail({ message: 'Workflow task waiting for scheduled history.' }),
      accepted: { outcome: 'waiting_for_history' },
      events: ['SignalReceived', 'SignalApplied'],
      rows: {
        runs: [{}],
        workflowTasks: [{ status: 'completed' }, { status: 'ready' }],
        waits: [{ status: 'satisfied' }],
        signals: [{ status: 'applied' }],
      },
    },
    {
      name: 'replay blocked: no task until the code is corrected; the reason is kept',
      given: leased,
      operation: fail({ reason: 'workflow_nondeterministic', step: 4 }),
      accepted: { outcome: 'replay_blocked', nextTaskId: undefined },
      rows: {
        runs: [
          {
            replayBlockedReason: 'workflow_nondeterministic: cannot go on',
            replayBlockedFingerprint: undefined,
            progress: 'replay_blocked',
            openTask: undefined,
          },
        ],
        workflowTasks: [
          {
            status: 'failed',
            failure: { message: 'cannot go on', type: undefined, reason: 'workflow_nondeterministic', step: 4 },
          },
        ],
      },
    },
    ...[
      ['the definition of its claimer is kept', registration({ definitionFingerprints: { Order: 'f1' } }), 'f1'],
      [
        'a registration that took the place of the claimer’s is not asked',
        registration({ registrationId: 'registration-9', definitionFingerprints: { Order: 'f2' } }),
        undefined,
      ],
      [
        'a definition of another type says nothing',
        registration({ definitionFingerprints: { Refund: 'f1' } }),
        undefined,
      ],
    ].map(([name, row, fingerprint]) => ({
      name: `replay blocked: ${String(name)}`,
      given: given({ task: leasedTask(), registrations: [registration(Object(row))] }),
      operation: fail({ message: 'history mismatch at step 4' }),
      accepted: { outcome: 'replay_blocked' },
      rows: {
        runs: [{ replayBlockedReason: 'history mismatch at step 4', replayBlockedFingerprint: fingerprint }],
        workflowTasks: [{}],
      },
    })),
    {
      name: 'replay blocked: of a long report as much is kept as an operator reads',
      given: leased,
      operation: fail({ reason: 'workflow_nondeterministic', message: 'x'.repeat(9_000) }),
      rows: {
        runs: [{ replayBlockedReason: `workflow_nondeterministic: ${'x'.repeat(2_000 - 27)}` }],
        workflowTasks: [{ failure: expect.objectContaining({ message: 'x'.repeat(9_000) }) }],
      },
    },
    {
      name: 'replay blocked: held signals are recorded, but wake nobody',
      given: given({ task: leasedTask(), signals: [signal({ status: 'held' })] }),
      operation: fail({ reason: 'workflow_nondeterministic' }),
      events: ['SignalReceived'],
      rows: {
        runs: [{ progress: 'replay_blocked' }],
        workflowTasks: [{ status: 'failed' }],
        signals: [{ status: 'received' }],
      },
    },
    {
      name: 'failed: a replacement after the back-off, attempts and failures go on',
      given: given({ task: leasedTask({ attempt: 1, failureCount: 2 }) }),
      operation: fail(),
      accepted: { outcome: 'failed', nextTaskId: `${runId}t101` },
      rows: {
        runs: [{ progress: 'workflow_task_ready', openTask: { taskId: `${runId}t101`, leased: false } }],
        workflowTasks: [
          { taskId, status: 'failed' },
          {
            taskId: `${runId}t101`,
            status: 'ready',
            attempt: 1,
            failureCount: 3,
            failure: expect.objectContaining({ message: 'cannot go on' }),
            availableAt: at + failureBackoffMs(taskId, 3),
          },
        ],
      },
    },
    {
      name: 'failed with a held signal: recorded, the replacement keeps its back-off',
      given: given({ task: leasedTask(), signals: [signal({ status: 'held' })] }),
      operation: fail(),
      events: ['SignalReceived'],
      rows: {
        runs: [{}],
        workflowTasks: [{ status: 'failed' }, { status: 'ready', availableAt: at + failureBackoffMs(taskId, 1) }],
        signals: [{ status: 'received' }],
      },
    },
  ])
})

describe('refusals', () => {
  check([
    { name: 'unknown task', given: given(), operation: fail(), refused: 'task_not_found' },
    { name: 'L-09 equality is expired', given: leased, at: t0 + 60_000, operation: fail(), refused: 'lease_expired' },
    {
      name: 'set free',
      given: given({ task: readyTask({ attempt: 1 }) }),
      operation: fail(),
      refused: 'task_not_leased',
    },
    {
      name: 'L-04 another owner',
      given: leased,
      operation: fail({}, { leaseOwner: 'worker-2' }),
      refused: 'lease_owner_mismatch',
    },
    {
      name: 'L-04 another attempt',
      given: leased,
      operation: fail({}, { attempt: 2 }),
      refused: 'workflow_task_attempt_mismatch',
    },
    {
      name: 'R-01 R-08 a run that was cancelled',
      given: given({
        task: leasedTask({ status: 'cancelled' }),
        run: { status: 'cancelled', closedReason: 'cancelled', closedAt: t0 },
      }),
      operation: fail(),
      refused: 'run_closed',
      facts: {
        stopReason: 'run_cancelled',
        cancelRequested: true,
        canContinue: false,
        runStatus: 'cancelled',
        runClosedAt: t0,
      },
    },
    {
      name: 'R-01 R-08 the run deadline: closes the run, the receipt is whole',
      given: given({
        task: leasedTask(),
        run: { executionDeadlineAt: at },
        timers: [timer()],
        waits: [conditionWait({}, 2)],
      }),
      operation: fail(),
      refused: 'run_timed_out',
      facts: { runStatus: 'failed', runClosedReason: 'timed_out', runClosedAt: at, taskStatus: 'cancelled' },
      events: ['TimerCancelled', ['WorkflowTimedOut', { timeout_kind: 'execution_timeout' }]],
      rows: {
        runs: [{ status: 'failed', closedReason: 'timed_out' }],
        workflowTasks: [{ status: 'cancelled' }],
        timers: [{ timerId: timerId(), status: 'cancelled' }],
        waits: [{ status: 'cancelled' }],
      },
    },
  ])
})

test('an exact repeat gets the recorded reply, nothing is written', () => {
  const first = decide(leased, fail(), at)
  const again = decide(first.world, fail(), at + 5)
  expect(again.outcome).toMatchObject({
    kind: 'accepted',
    reply: { outcome: 'failed', nextTaskId: `${runId}t101`, repeated: true },
  })
  expect(again.world).toEqual(first.world)
  expect(decide(first.world, fail({}, { reportDigest: 'digest-2' }), at + 5).outcome).toMatchObject({
    kind: 'refused',
    reason: 'task_not_leased',
  })
})

test('a repeat of a waiting acknowledgement answers the same, whatever became of the run meanwhile', () => {
  const waiting = { type: 'WorkflowTaskWaitingForHistory' }
  const first = decide(leased, fail(waiting), at)
  const signalled = decide(first.world, sendSignal(), at + 1)
  expect(decide(signalled.world, fail(waiting), at + 5).outcome).toMatchObject({
    reply: { outcome: 'waiting_for_history', nextTaskId: undefined, repeated: true },
  })
})

describe('back-off', () => {
  const cases: [failures: number, fullMs: number][] = [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [6, 32_000],
    [7, 60_000],
    [60, 60_000],
  ]
  test.each(cases)('%i failures in a row: %i ms less at most a tenth', (failures, fullMs) => {
    for (let n = 0; n < 200; n++) {
      const backoff = failureBackoffMs(`${runId}t${n}`, failures)
      expect(backoff).toBeLessThanOrEqual(fullMs)
      expect(backoff).toBeGreaterThanOrEqual(fullMs * 0.9)
    }
  })

  test('many tasks do not come back at once', () => {
    const instants = new Set(Array.from({ length: 100 }, (_, n) => failureBackoffMs(`${runId}t${n}`, 3)))
    expect(instants.size).toBeGreaterThan(50)
  })
})

// Condition waits in three dialects: by key and fingerprint, by occurrence, and our own, which opens once.

import { describe, expect, test } from 'vitest'
import { at, check } from '../../../test/support/check.ts'
import { conditionWait, leasedTask, runId, t0, timer, timerId, waitId } from '../../../test/support/make.ts'
import { activityCommand, complete, conditionCommand } from '../../../test/support/operations.ts'
import { given, play } from '../../../test/support/world.ts'
import { fireTimer } from '../operations/due/fire-timer.ts'

const leased = given({ task: leasedTask() })
const own = { condition_key: '1', condition_definition_fingerprint: null }
const ownWait = { conditionKey: '1', fingerprint: undefined }
const deadlineAt = t0 + 20_000
const timed = conditionWait({ timeoutSeconds: 20, deadlineAt, timerId: timerId(1) }, 1)
const timeout = timer(
  { kind: 'condition_timeout', waitId: waitId(1), fireAt: deadlineAt, delaySeconds: 20, delayMs: 20_000 },
  1,
)
const done = { runs: [{}], workflowTasks: [{}] }

describe('opens', () => {
  check([
    {
      name: 'without a timeout',
      given: leased,
      operation: complete([conditionCommand()]),
      events: [
        [
          'ConditionWaitOpened',
          {
            sequence: 1,
            condition_wait_id: waitId(101),
            condition_key: 'paid',
            condition_definition_fingerprint: 'f1',
          },
        ],
      ],
      rows: {
        runs: [{ openConditionWaits: 1, progress: 'condition_wait' }],
        workflowTasks: [{}],
        waits: [{ waitId: waitId(101), status: 'open', deadlineAt: undefined, timerId: undefined }],
      },
    },
    {
      name: 'with a timeout: a timer of its own, under the id of the opening',
      given: leased,
      operation: complete([conditionCommand({ timeout_seconds: 20 })]),
      events: [
        ['ConditionWaitOpened', { timeout_seconds: 20 }],
        [
          'TimerScheduled',
          {
            sequence: 1,
            delay_seconds: 20,
            timer_kind: 'condition_timeout',
            condition_wait_id: waitId(101),
            condition_key: 'paid',
          },
        ],
      ],
      rows: {
        runs: [{ openConditionWaits: 1, openTimers: 1 }],
        workflowTasks: [{}],
        waits: [{ deadlineAt: at + 20_000, timerId: timerId(102) }],
        timers: [{ waitId: waitId(101), fireAt: at + 20_000 }],
      },
    },
    {
      name: 'two of different keys are two waits',
      given: leased,
      operation: complete([conditionCommand(), conditionCommand({ condition_key: 'sent' })]),
      events: ['ConditionWaitOpened', 'ConditionWaitOpened'],
      rows: { ...done, waits: [{ status: 'open' }, { status: 'open' }] },
    },
  ])
})

describe('re-opens', () => {
  check([
    {
      name: 'a new opening with its own step and id, no Satisfied for the earlier one',
      given: given({ task: leasedTask(), waits: [conditionWait()] }),
      operation: complete([conditionCommand()]),
      events: [['ConditionWaitOpened', { sequence: 2, condition_wait_id: waitId(101) }]],
      rows: {
        runs: [{ openConditionWaits: 1, lastStep: 2 }],
        workflowTasks: [{}],
        waits: [
          { waitId: waitId(1), status: 'reopened' },
          { waitId: waitId(101), step: 2, status: 'open' },
        ],
      },
    },
    {
      name: 'the first deadline is kept, the authored delay told; the earlier timer goes silently',
      given: given({ task: leasedTask(), waits: [timed], timers: [timeout] }),
      operation: complete([conditionCommand({ timeout_seconds: 20 })]),
      events: [
        'ConditionWaitOpened',
        [
          'TimerScheduled',
          { delay_seconds: 20, fire_at: '2025-06-15T15:07:00.000000Z', condition_wait_id: waitId(101) },
        ],
      ],
      rows: {
        runs: [{ openConditionWaits: 1, openTimers: 1 }],
        workflowTasks: [{}],
        waits: [{ status: 'reopened' }, { status: 'open', deadlineAt, timerId: timerId(102) }],
        timers: [
          { timerId: timerId(1), status: 'cancelled' },
          { timerId: timerId(102), fireAt: deadlineAt, delayMs: deadlineAt - at, delaySeconds: 20 },
        ],
      },
    },
    {
      name: 'by occurrence, whatever its key says',
      given: given({
        task: leasedTask(),
        waits: [
          conditionWait({ occurrenceId: 'o1', conditionKey: 'old' }, 1),
          conditionWait({ occurrenceId: 'o2' }, 2),
        ],
      }),
      operation: complete([conditionCommand({ condition_wait_occurrence_id: 'o1' })]),
      events: [
        ['ConditionWaitSatisfied', { condition_wait_id: waitId(2) }],
        ['ConditionWaitOpened', { condition_wait_occurrence_id: 'o1' }],
      ],
      rows: {
        ...done,
        waits: [
          { waitId: waitId(1), status: 'reopened' },
          { waitId: waitId(2), status: 'satisfied' },
          { status: 'open', occurrenceId: 'o1' },
        ],
      },
    },
    {
      name: 'its timeout is held: the re-opening is recorded, then the timeout names it, and the run is woken',
      given: given({
        task: leasedTask(),
        waits: [timed],
        timers: [{ ...timeout, dueAt: undefined }],
      }),
      at: deadlineAt,
      operation: complete([conditionCommand({ timeout_seconds: 20 })]),
      events: [
        ['ConditionWaitOpened', { sequence: 2 }],
        ['TimerScheduled', { sequence: 2 }],
        ['TimerFired', { sequence: 2, condition_wait_id: `${runId}w101` }],
      ],
      rows: {
        runs: [{ openConditionWaits: 0, openTimers: 0, progress: 'workflow_task_ready' }],
        workflowTasks: [{ status: 'completed' }, { status: 'ready' }],
        waits: [{ status: 'reopened' }, { status: 'expired', deadlineAt }],
        timers: [{ status: 'cancelled' }, { status: 'fired' }],
      },
    },
    {
      name: 'its timeout was seen: the same key opens a new wait with a deadline of its own',
      given: given({
        task: leasedTask({ claimedSequence: 9 }),
        waits: [conditionWait({ ...timed, status: 'expired', closedSequence: 9 })],
      }),
      operation: complete([conditionCommand({ timeout_seconds: 20 })]),
      events: ['ConditionWaitOpened', 'TimerScheduled'],
      rows: {
        ...done,
        waits: [{ status: 'timed_out' }, { status: 'open', deadlineAt: at + 20_000 }],
        timers: [{ fireAt: at + 20_000 }],
      },
    },
  ])

  test('a timeout that falls due during the lease is told after the re-opening, and wakes the run', () => {
    const { world } = play(
      given({ task: leasedTask(), waits: [timed], timers: [timeout] }),
      [fireTimer({ timerId: timerId(1) }), complete([conditionCommand({ timeout_seconds: 20 })])],
      deadlineAt,
    )
    expect(world.events.map((event) => event.type)).toEqual(['ConditionWaitOpened', 'TimerScheduled', 'TimerFired'])
    expect(world.workflowTasks).toMatchObject([
      { status: 'completed' },
      { status: 'ready', resume: { waitKind: 'condition', openWaitId: `${runId}w101`, eventType: 'TimerFired' } },
    ])
  })
})

describe('is moved past', () => {
  check([
    {
      name: 'not repeated by the completion: Satisfied comes before the completion’s other rows, its timer goes silently',
      given: given({ task: leasedTask(), waits: [timed], timers: [timeout] }),
      operation: complete([activityCommand()]),
      events: [
        ['ConditionWaitSatisfied', { sequence: 1, condition_wait_id: waitId(1), condition_key: 'paid' }],
        'ActivityScheduled',
      ],
      rows: {
        runs: [{ openConditionWaits: 0, openTimers: 0 }],
        workflowTasks: [{}],
        waits: [{ status: 'satisfied', closedSequence: 11 }],
        timers: [{ status: 'cancelled' }],
        activities: [{}],
      },
    },
    {
      name: 'its timeout fell due during the lease: it is gone with the wait, nobody reads it as timed out',
      given: given({ task: leasedTask(), waits: [timed], timers: [{ ...timeout, dueAt: undefined }] }),
      at: deadlineAt,
      operation: complete([activityCommand()]),
      events: ['ConditionWaitSatisfied', 'ActivityScheduled'],
      rows: {
        runs: [{ openConditionWaits: 0, openTimers: 0, progress: 'activity' }],
        workflowTasks: [{}],
        waits: [{ status: 'satisfied' }],
        timers: [{ status: 'cancelled' }],
        activities: [{}],
      },
    },
    {
      name: 'our own form stays open when it is not named',
      given: given({ task: leasedTask(), waits: [conditionWait(ownWait)] }),
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled'],
      rows: { runs: [{ openConditionWaits: 1 }], workflowTasks: [{}], activities: [{}] },
    },
    {
      name: 'our own form is satisfied when resolved_waits names its step, and only that one',
      given: given({
        task: leasedTask(),
        waits: [conditionWait(ownWait, 1), conditionWait({ ...ownWait, conditionKey: '2' }, 2)],
      }),
      operation: complete([activityCommand()], { resolvedWaits: [2, 99] }),
      events: [['ConditionWaitSatisfied', { sequence: 2, condition_wait_id: waitId(2) }], 'ActivityScheduled'],
      rows: {
        runs: [{ openConditionWaits: 1 }],
        workflowTasks: [{}],
        waits: [{ waitId: waitId(2), status: 'satisfied' }],
        activities: [{}],
      },
    },
    {
      name: 'our own form: another call is another wait',
      given: given({ task: leasedTask(), waits: [conditionWait(ownWait, 1)] }),
      operation: complete([conditionCommand({ ...own, condition_key: '2' })]),
      events: ['ConditionWaitOpened'],
      rows: { runs: [{ openConditionWaits: 2 }], workflowTasks: [{}], waits: [{ status: 'open', step: 2 }] },
    },
  ])
})

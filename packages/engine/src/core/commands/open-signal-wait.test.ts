import { describe } from 'vitest'
import { at, check } from '../../../test/support/check.ts'
import { leasedTask, runId, signal, signalId, signalWait, timerId, waitId } from '../../../test/support/make.ts'
import { complete, signalCommand } from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask() })

describe('opens', () => {
  check([
    {
      name: 'without a timeout: only a message moves the run',
      given: leased,
      operation: complete([signalCommand()]),
      accepted: { createdTaskIds: [] },
      events: [['SignalWaitOpened', { sequence: 1, signal_wait_id: waitId(101), signal_name: 'approve' }]],
      rows: {
        runs: [{ openSignalWaits: 1, progress: 'signal_wait' }],
        workflowTasks: [{}],
        waits: [{ status: 'open', signalName: 'approve', timerId: undefined }],
      },
    },
    {
      name: 'with a timeout: a timer under its id',
      given: leased,
      operation: complete([signalCommand({ timeout_seconds: 5 })]),
      events: [
        ['SignalWaitOpened', { timeout_seconds: 5 }],
        [
          'TimerScheduled',
          { timer_kind: 'signal_timeout', signal_wait_id: waitId(101), signal_name: 'approve', delay_seconds: 5 },
        ],
      ],
      rows: {
        runs: [{ openSignalWaits: 1, openTimers: 1, progress: 'timer' }],
        workflowTasks: [{}],
        waits: [{ deadlineAt: at + 5_000, timerId: timerId(102) }],
        timers: [{ kind: 'signal_timeout', waitId: waitId(101), fireAt: at + 5_000 }],
      },
    },
    {
      name: 'an exact timeout without seconds is told rounded up',
      given: leased,
      operation: complete([signalCommand({ timeout_ms: 1500 })]),
      events: ['SignalWaitOpened', ['TimerScheduled', { delay_seconds: 2 }]],
      rows: { runs: [{}], workflowTasks: [{}], waits: [{}], timers: [{ fireAt: at + 1_500, delayMs: 1_500 }] },
    },
  ])
})

describe('a signal came earlier', () => {
  check([
    {
      name: 'the oldest unread one of its name is applied in the same commit; no timer; the run gets its next task',
      given: given({ task: leasedTask(), signals: [signal({}, 2), signal({}, 1), signal({ name: 'other' }, 3)] }),
      operation: complete([signalCommand({ timeout_seconds: 5 })]),
      accepted: { createdTaskIds: [`${runId}t102`] },
      events: [
        'SignalWaitOpened',
        ['SignalApplied', { signal_id: signalId(1), signal_wait_id: waitId(101), sequence: 1 }],
      ],
      rows: {
        runs: [{ openSignalWaits: 0, openTimers: 0, progress: 'workflow_task_ready' }],
        workflowTasks: [
          { status: 'completed' },
          {
            status: 'ready',
            resume: {
              waitKind: 'signal',
              openWaitId: `signal-application:${signalId(1)}`,
              sourceKind: 'workflow_signal',
              sourceId: signalId(1),
              step: 1,
              eventType: 'SignalApplied',
            },
          },
        ],
        waits: [{ status: 'satisfied', closedSequence: 12 }],
        signals: [{ signalId: signalId(1), status: 'applied' }],
      },
    },
    {
      name: 'one that was applied is not applied again',
      given: given({ task: leasedTask(), signals: [signal({ status: 'applied' })] }),
      operation: complete([signalCommand()]),
      events: ['SignalWaitOpened'],
      rows: { runs: [{}], workflowTasks: [{}], waits: [{ status: 'open' }] },
    },
    {
      name: 'two waits of one name are two waits',
      given: given({ task: leasedTask(), waits: [signalWait()] }),
      operation: complete([signalCommand()]),
      events: ['SignalWaitOpened'],
      rows: { runs: [{ openSignalWaits: 2 }], workflowTasks: [{}], waits: [{ status: 'open', step: 2 }] },
    },
  ])
})

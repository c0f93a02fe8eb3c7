import { limits } from '@durable-workflow/protocol'
import { at, check } from '../../../test/support/check.ts'
import { leasedTask, runId, timerId } from '../../../test/support/make.ts'
import { complete, signalCommand, timerCommand } from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask() })

check([
  {
    name: 'whole seconds',
    given: leased,
    operation: complete([timerCommand()]),
    events: [
      [
        'TimerScheduled',
        { sequence: 1, timer_id: timerId(101), delay_seconds: 30, fire_at: '2025-06-15T15:07:11.000000Z' },
      ],
    ],
    rows: {
      runs: [{ openTimers: 1, progress: 'timer' }],
      workflowTasks: [{}],
      timers: [
        {
          timerId: timerId(101),
          kind: 'user',
          step: 1,
          waitId: undefined,
          delaySeconds: 30,
          delayMs: 30_000,
          fireAt: at + 30_000,
          dueAt: at + 30_000,
          status: 'pending',
        },
      ],
    },
  },
  {
    name: 'the exact form fires, the seconds are what replay compares',
    given: leased,
    operation: complete([timerCommand({ delay_seconds: 1, delay_ms: 250 })]),
    events: [['TimerScheduled', { delay_seconds: 1 }]],
    rows: { runs: [{}], workflowTasks: [{}], timers: [{ delaySeconds: 1, delayMs: 250, fireAt: at + 250 }] },
  },
  {
    name: 'no delay is due at once',
    given: leased,
    operation: complete([timerCommand({ delay_seconds: 0 })]),
    events: ['TimerScheduled'],
    rows: { runs: [{}], workflowTasks: [{}], timers: [{ fireAt: at, dueAt: at }] },
  },
  {
    name: 'one more than 2,000 pending ones',
    given: given({ task: leasedTask(), run: { openTimers: limits.pendingTimersMax } }),
    operation: complete([timerCommand()]),
    refused: 'structural_limit_exceeded',
    facts: { runId, limitKind: 'pending_timer_count', currentValue: 2000, configuredLimit: 2000 },
  },
  {
    name: 'the timeout of a wait counts as one',
    given: given({ task: leasedTask(), run: { openTimers: limits.pendingTimersMax } }),
    operation: complete([signalCommand({ timeout_seconds: 5 })]),
    refused: 'structural_limit_exceeded',
    facts: { limitKind: 'pending_timer_count' },
  },
])

import { limits } from '@durable-workflow/protocol'
import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  conditionWait,
  leasedTask,
  namespace,
  readyTask,
  runId,
  signal,
  signalWait,
  t0,
  timer,
  timerId,
  waitId,
  workflowId,
} from '../../../../test/support/make.ts'
import { complete, sendSignal, signalCommand, timerCommand } from '../../../../test/support/operations.ts'
import { decide, given, play } from '../../../../test/support/world.ts'

describe('accepted', () => {
  check([
    {
      name: 'nothing is leased: recorded at once, the run is woken',
      given: given(),
      operation: sendSignal({ requestId: 'request-1' }),
      accepted: { signalId: `${runId}s101`, commandId: `${runId}c102`, commandSequence: 2 },
      events: [
        [
          'SignalReceived',
          {
            signal_name: 'approve',
            signal_id: `${runId}s101`,
            workflow_command_id: `${runId}c102`,
            arguments: { codec: 'avro', blob: 'AA==' },
            payload_codec: 'avro',
          },
        ],
      ],
      rows: {
        runs: [{ signalCount: 1, commandSequence: 2, progress: 'workflow_task_ready' }],
        signals: [{ status: 'received', requestId: 'request-1', receivedAt: at }],
        workflowTasks: [
          {
            status: 'ready',
            resume: {
              waitKind: 'signal',
              openWaitId: `signal-application:${runId}s101`,
              sourceKind: 'workflow_signal',
              sourceId: `${runId}s101`,
              step: undefined,
              eventType: 'SignalReceived',
            },
          },
        ],
      },
    },
    {
      name: 'a wait of its name takes it; its timeout goes silently',
      given: given({
        waits: [signalWait({ timerId: timerId(1), deadlineAt: t0 + 30_000 }, 2)],
        timers: [timer({ kind: 'signal_timeout', waitId: waitId(2) })],
      }),
      operation: sendSignal(),
      events: ['SignalReceived', ['SignalApplied', { signal_wait_id: waitId(2), sequence: 2, signal_name: 'approve' }]],
      rows: {
        runs: [{ openSignalWaits: 0, openTimers: 0 }],
        signals: [{ status: 'applied' }],
        waits: [{ status: 'satisfied', closedSequence: 12 }],
        timers: [{ status: 'cancelled', dueAt: undefined }],
        workflowTasks: [{ resume: expect.objectContaining({ step: 2, eventType: 'SignalApplied' }) }],
      },
    },
    {
      name: 'the wait that was opened first takes it',
      given: given({ waits: [signalWait({}, 3), signalWait({}, 1)] }),
      operation: sendSignal(),
      events: ['SignalReceived', ['SignalApplied', { signal_wait_id: waitId(1) }]],
      rows: {
        runs: [{ openSignalWaits: 1 }],
        signals: [{}],
        waits: [{ waitId: waitId(1), status: 'satisfied' }],
        workflowTasks: [{}],
      },
    },
    {
      name: 'a wait of another name stays open',
      given: given({ waits: [signalWait({ signalName: 'reject' })] }),
      operation: sendSignal(),
      events: ['SignalReceived'],
      rows: { runs: [{ openSignalWaits: 1 }], signals: [{ status: 'received' }], workflowTasks: [{}] },
    },
    {
      name: 'a wait whose timeout is recorded does not take it',
      given: given({ waits: [signalWait({ status: 'expired', closedSequence: 9 })], task: readyTask() }),
      operation: sendSignal(),
      events: ['SignalReceived'],
      rows: { runs: [{}], signals: [{ status: 'received' }] },
    },
    {
      name: 'a task is ready: recorded, no second task',
      given: given({ task: readyTask(), waits: [conditionWait()] }),
      operation: sendSignal(),
      events: ['SignalReceived'],
      rows: { runs: [{}], signals: [{ status: 'received' }] },
    },
    {
      name: 'a task is leased: held, nothing in history yet',
      given: given({ task: leasedTask(), waits: [signalWait()] }),
      operation: sendSignal(),
      accepted: { commandSequence: 2 },
      rows: { runs: [{ signalCount: 1 }], signals: [{ status: 'held' }] },
    },
    {
      name: 'a replay-blocked run records it and gets no task',
      given: given({ run: { replayBlockedReason: 'x' } }),
      operation: sendSignal(),
      events: ['SignalReceived'],
      rows: { runs: [{ progress: 'replay_blocked' }], signals: [{}] },
    },
    {
      name: 'the run may be named, if it is the current one',
      given: given(),
      operation: sendSignal({ runId }),
      events: ['SignalReceived'],
      rows: { runs: [{}], signals: [{}], workflowTasks: [{}] },
    },
  ])

  test('signals held and then recorded keep the order in which they were accepted', () => {
    const { world } = play(
      given({ task: leasedTask() }),
      [
        sendSignal({ signalName: 'a' }),
        sendSignal({ signalName: 'b' }),
        sendSignal({ signalName: 'a' }),
        complete([timerCommand()]),
      ],
      at,
    )
    expect(world.events.map((event) => [event.type, JSON.parse(event.payload).signal_name])).toEqual([
      ['TimerScheduled', undefined],
      ['SignalReceived', 'a'],
      ['SignalReceived', 'b'],
      ['SignalReceived', 'a'],
    ])
  })

  test('a wait opened by the completion takes the signal that was held meanwhile', () => {
    const { world } = play(
      given({ task: leasedTask() }),
      [sendSignal(), complete([signalCommand({ timeout_seconds: 9 })])],
      at,
    )
    expect(world.events.map((event) => event.type)).toEqual([
      'SignalWaitOpened',
      'TimerScheduled',
      'SignalReceived',
      'SignalApplied',
    ])
    expect(world.timers).toMatchObject([{ status: 'cancelled' }])
  })

  test('each signal is applied once: two waits take two signals in order', () => {
    const world = given({ task: leasedTask(), signals: [signal({}, 1), signal({}, 2), signal({}, 3)] })
    const done = decide(world, complete([signalCommand(), signalCommand()]), at)
    expect(done.world.signals.map((one) => one.status)).toEqual(['applied', 'applied', 'received'])
    expect(done.world.events.map((event) => event.type)).toEqual([
      'SignalWaitOpened',
      'SignalApplied',
      'SignalWaitOpened',
      'SignalApplied',
    ])
  })
})

describe('refused', () => {
  check([
    {
      name: 'unknown workflow',
      given: given(),
      operation: sendSignal({ workflowId: 'other' }),
      refused: 'instance_not_found',
      facts: { workflowId: 'other' },
    },
    {
      name: 'a workflow of another namespace',
      given: { ...given(), namespaces: [namespace({ name: 'other' })] },
      operation: sendSignal({ namespace: 'other' }),
      refused: 'instance_not_found',
    },
    {
      name: 'unknown run',
      given: given(),
      operation: sendSignal({ runId: 'f'.repeat(32) }),
      refused: 'run_not_found',
      facts: { workflowId },
    },
    {
      name: 'a closed run',
      given: given({ run: { status: 'failed', closedReason: 'timed_out' } }),
      operation: sendSignal(),
      refused: 'run_not_active',
      facts: { runStatus: 'failed', closedReason: 'timed_out', isTerminal: true },
    },
    {
      name: 'the limit of signals',
      given: given({ run: { signalCount: limits.pendingSignalsMax } }),
      operation: sendSignal(),
      refused: 'structural_limit_exceeded',
      facts: { limitKind: 'pending_signal_count', currentValue: 5000, configuredLimit: 5000 },
    },
  ])
})

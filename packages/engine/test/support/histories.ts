// What must be true of every history, however it came about.

import { expect } from 'vitest'
import { isOpen } from '../../src/core/state/run.ts'
import type { HistoryEvent } from '../../src/ports.ts'
import { expectSound } from './check.ts'
import type { World } from './world.ts'

const terminal: ReadonlySet<string> = new Set([
  'WorkflowCompleted',
  'WorkflowFailed',
  'WorkflowCancelled',
  'WorkflowTerminated',
  'WorkflowTimedOut',
])
const takesStep: ReadonlySet<string> = new Set([
  'ActivityScheduled',
  'ConditionWaitOpened',
  'SignalWaitOpened',
  'SideEffectRecorded',
  'VersionMarkerRecorded',
])
/** What may still be recorded of a closed run: the answer to a duplicate start. */
const afterTheEnd: ReadonlySet<string> = new Set(['StartAccepted', 'StartRejected'])

interface Payload {
  readonly sequence?: number
  readonly timer_kind?: string
  readonly signal_id?: string
  readonly activity_execution_id?: string
  readonly condition_wait_id?: string
}

function payloadOf(event: HistoryEvent): Payload {
  return JSON.parse(event.payload)
}

/** Positions and steps are dense, the end is the end, everything that is told once is told once. */
export function expectHistory(events: readonly HistoryEvent[]): void {
  expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1))
  const steps: number[] = []
  const signals: string[] = []
  const applied: string[] = []
  const ended: string[] = []
  let isOver = false
  for (const event of events) {
    if (isOver && !afterTheEnd.has(event.type)) throw new Error(`${event.type} stands after the end of ${event.runId}.`)
    isOver ||= terminal.has(event.type)
    const payload = payloadOf(event)
    const isStep = takesStep.has(event.type) || (event.type === 'TimerScheduled' && payload.timer_kind === undefined)
    if (isStep && payload.sequence !== undefined) steps.push(payload.sequence)
    if (event.type === 'SignalReceived') signals.push(payload.signal_id ?? '')
    if (event.type === 'SignalApplied') applied.push(payload.signal_id ?? '')
    if (/^Activity(Completed|Failed|TimedOut|Cancelled)$/.test(event.type))
      ended.push(payload.activity_execution_id ?? '')
  }
  expect(steps).toEqual(steps.map((_, index) => index + 1))
  expect(new Set(signals).size, 'a signal is received once').toBe(signals.length)
  expect(new Set(applied).size, 'a signal is applied once').toBe(applied.length)
  expect(new Set(ended).size, 'an activity ends once').toBe(ended.length)
}

/** Everything that holds between two operations. */
export function expectWorld(world: World): void {
  expectSound(world)
  for (const run of world.runs) {
    const events = world.events.filter((event) => event.runId === run.runId)
    expect(run.lastSequence).toBe(events.length)
    expectHistory(events)
    const isClosed = events.some((event) => terminal.has(event.type))
    expect(isOpen(run)).toBe(!isClosed)
    const received = new Set(
      events.filter((event) => event.type === 'SignalReceived').map((event) => payloadOf(event).signal_id),
    )
    const signals = world.signals.filter((signal) => signal.runId === run.runId)
    expect(signals.length).toBe(run.signalCount)
    for (const signal of signals)
      expect(received.has(signal.signalId), `${signal.status} ${signal.signalId} in history`).toBe(
        signal.status !== 'held',
      )
    expectOneEndPerWait(events)
    for (const task of world.workflowTasks) if (task.runId === run.runId) expectNoTimeoutBefore(task, events)
    if (isClosed) expectNothingDue(world, run.runId)
    if (isClosed) expect(signals.filter((signal) => signal.status === 'held')).toEqual([])
  }
}

/** A condition wait times out or is satisfied: a published worker reads a history that says both as an error, or as the wrong one. */
function expectOneEndPerWait(events: readonly HistoryEvent[]): void {
  const ended = events
    .filter((event) => event.type === 'TimerFired' || event.type === 'ConditionWaitSatisfied')
    .map((event) => payloadOf(event).condition_wait_id)
    .filter((waitId) => waitId !== undefined)
  expect(new Set(ended).size, 'a condition wait ends once').toBe(ended.length)
}

/** Between what a task has seen and its own rows stands no timeout of a wait. */
function expectNoTimeoutBefore(task: World['workflowTasks'][number], events: readonly HistoryEvent[]): void {
  const own = events.findLast((event) => event.workflowTaskId === task.taskId)
  if (own === undefined) return
  const between = events.filter((event) => event.sequence > task.claimedSequence && event.sequence < own.sequence)
  expect(between.filter((event) => event.type === 'TimerFired' && payloadOf(event).timer_kind !== undefined)).toEqual(
    [],
  )
}

/** A closed run leaves nothing for the sweep to find again and again. */
function expectNothingDue(world: World, runId: string): void {
  const rows = [...world.workflowTasks, ...world.activities, ...world.timers].filter((row) => row.runId === runId)
  expect(rows.filter((row) => row.dueAt !== undefined)).toEqual([])
}

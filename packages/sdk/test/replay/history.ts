// Histories for tests: events as a server writes them, and a replay with everything a worker hands in.
import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import { commandValidator } from '@durable-workflow/protocol/validators'
import type { WorkflowImplementation } from '../../src/authoring/workflow.ts'
import {
  createReplay,
  type Replay,
  type ReplayOptions,
  type ReplayStep,
  type ReplayTask,
} from '../../src/replay/replay.ts'

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly facts: Record<string, unknown>
}

export type TestEvent = Omit<Partial<HistoryEvent>, 'payload'> & {
  event_type: string
  payload: Record<string, unknown>
}

export const startedAt = Date.UTC(2026, 10, 30, 8)

export function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const run = {
  workflowId: 'order-1',
  runId: 'run-1',
  namespace: 'default',
  taskQueue: 'orders',
  attempt: 1,
  startedAt,
  historyBytes: 0,
  continueAsNewSuggested: false,
}

export type Overrides = Partial<Omit<ReplayOptions, 'workflow'>> & { readonly input?: readonly unknown[] }

/** A replay of `workflow` in the hands of a test; what it logs stands in `lines`. */
export function openReplay(
  workflow: WorkflowImplementation,
  overrides: Overrides = {},
): { replay: Replay; lines: LogLine[] } {
  const lines: LogLine[] = []
  const { input, ...options } = overrides
  const replay = createReplay({
    workflow,
    run: { ...run, workflowType: workflow.name },
    arguments: plain(input ?? []),
    capabilities: { millisecondDurations: false },
    drain,
    enter: (fn) => fn(),
    log: (level, message, facts) => lines.push({ level, message, facts }),
    ...options,
  })
  return { replay, lines }
}

type Plain = ReplayOptions['arguments']

function plain(values: readonly unknown[]): Plain {
  return values.filter((value): value is Plain[number] => value !== undefined)
}

/** Numbers the events and gives them instants one second apart, as one server would have written them. */
export function history(...events: readonly TestEvent[]): HistoryEvent[] {
  return numbered([event('WorkflowStarted', { workflow_type: 'test' }), ...events], 1)
}

export function numbered(events: readonly TestEvent[], first: number): HistoryEvent[] {
  return events.map((one, index) => ({
    id: `event-${first + index}`,
    sequence: first + index,
    recorded_at: new Date(startedAt + (first + index - 1) * 1_000).toISOString().replace('Z', '000Z'),
    workflow_task_id: null,
    workflow_command_id: null,
    ...one,
  }))
}

export function event(event_type: string, payload: Record<string, unknown>): TestEvent {
  return { event_type, payload }
}

export const scheduled = (sequence: number, activity_type: string) =>
  event('ActivityScheduled', { sequence, activity_type })
export const completed = (sequence: number, result: unknown) =>
  event('ActivityCompleted', { sequence, result: encodeEnvelope(result), payload_codec: 'avro' })
export const failed = (sequence: number, message: string, more: Record<string, unknown> = {}) =>
  event('ActivityFailed', { sequence, message, activity_type: 'charge', ...more })
export const timerScheduled = (sequence: number, delay_seconds: number) =>
  event('TimerScheduled', { sequence, timer_id: `timer-${sequence}`, delay_seconds })
export const timerFired = (sequence: number, delay_seconds: number) =>
  event('TimerFired', { sequence, timer_id: `timer-${sequence}`, delay_seconds })
export const signalOpened = (sequence: number, signal_name: string) =>
  event('SignalWaitOpened', { sequence, signal_name, signal_wait_id: `wait-${sequence}` })
export const received = (signal_id: string, signal_name: string, ...args: readonly unknown[]) =>
  event('SignalReceived', { signal_id, signal_name, arguments: encodeArguments(args), payload_codec: 'avro' })
export const applied = (sequence: number, signal_id: string, signal_name: string, value: unknown) =>
  event('SignalApplied', {
    sequence,
    signal_id,
    signal_name,
    signal_wait_id: `wait-${sequence}`,
    value: encodeEnvelope(value),
  })
export const conditionOpened = (sequence: number, timeout_seconds?: number) =>
  event('ConditionWaitOpened', {
    sequence,
    condition_wait_id: `condition-${sequence}`,
    condition_key: String(sequence),
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
  })
export const conditionTimedOut = (sequence: number) =>
  event('TimerFired', {
    sequence,
    timer_id: `timer-${sequence}`,
    delay_seconds: 1,
    timer_kind: 'condition_timeout',
    condition_wait_id: `condition-${sequence}`,
  })
export const signalTimedOut = (sequence: number, signal_name: string) =>
  event('TimerFired', {
    sequence,
    timer_id: `timer-${sequence}`,
    timer_kind: 'signal_timeout',
    signal_name,
    signal_wait_id: `wait-${sequence}`,
  })

/** History in, one step out, cold. */
export async function cold(
  workflow: WorkflowImplementation,
  events: readonly HistoryEvent[],
  overrides: Overrides & { readonly task?: ReplayTask } = {},
): Promise<ReplayStep> {
  const { task, ...options } = overrides
  const { replay } = openReplay(workflow, options)
  const step = await replay.step(events, task ?? {})
  replay.dispose()
  for (const command of step.commands) commandValidator.parse(command)
  return step
}

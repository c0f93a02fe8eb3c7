// History as a story, told while it happens.
import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedEvent, WorkflowHandle } from '@durable-workflow/sdk/client'

const lookEveryMs = 150

const name = (event: RecordedEvent, key: string) => String(event.payload[key] ?? '')

// The timeout of a wait is a timer too, but not one that somebody set.
const isTimeout = ({ payload }: RecordedEvent) => String(payload.timer_kind ?? '').endsWith('timeout')

const sentences: Readonly<Record<string, (event: RecordedEvent) => string | undefined>> = {
  WorkflowStarted: (event) => `run of "${name(event, 'workflow_type')}" started`,
  VersionMarkerRecorded: (event) => `pinned to version ${name(event, 'version')} of "${name(event, 'change_id')}"`,
  ActivityScheduled: (event) => `activity "${name(event, 'activity_type')}" scheduled`,
  ActivityStarted: (event) => `activity "${name(event, 'activity_type')}" started`,
  ActivityRetryScheduled: (event) =>
    `activity "${name(event, 'activity_type')}" failed (${name(event, 'message')}); it will be tried again`,
  ActivityCompleted: (event) => `activity "${name(event, 'activity_type')}" completed`,
  ActivityFailed: (event) => `activity "${name(event, 'activity_type')}" failed for good: ${name(event, 'message')}`,
  TimerScheduled: (event) => (isTimeout(event) ? undefined : `timer of ${name(event, 'delay_seconds')} s set`),
  TimerFired: (event) => (isTimeout(event) ? 'the wait timed out' : 'timer fired'),
  SignalWaitOpened: (event) => `waits for signal "${name(event, 'signal_name')}"`,
  SignalReceived: (event) => `signal "${name(event, 'signal_name')}" received`,
  WorkflowCompleted: () => 'run completed',
  WorkflowFailed: (event) => `run failed: ${name(event, 'message')}`,
  WorkflowCancelled: () => 'run cancelled',
  WorkflowTerminated: () => 'run terminated',
  WorkflowTimedOut: () => 'run timed out',
}

const endings: ReadonlySet<string> = new Set([
  'WorkflowCompleted',
  'WorkflowFailed',
  'WorkflowCancelled',
  'WorkflowTerminated',
  'WorkflowTimedOut',
])

/** What an event says, for people; undefined for events that only machines care about. */
export function sentenceOf(event: RecordedEvent): string | undefined {
  return sentences[event.type]?.(event)
}

/**
 * Tells every event of a run until one of type `until` is recorded or the run is closed.
 *
 * @param after  events up to this position were told before
 * @returns the position of the last event told
 */
export async function narrate(
  handle: WorkflowHandle,
  until: string,
  say: (line: string) => void,
  after = 0,
): Promise<number> {
  let told = after
  while (true) {
    for await (const event of handle.history()) {
      if (event.sequence <= told) continue
      told = event.sequence
      const sentence = sentenceOf(event)
      if (sentence !== undefined) say(`  ${handle.workflowId}: ${sentence}`)
      if (event.type === until || endings.has(event.type)) return told
    }
    await pause(lookEveryMs)
  }
}

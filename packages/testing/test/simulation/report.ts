// The simulation's report, and what a run must have met at least to have said anything.

import type { Counts, Tally } from './tally.ts'

/** One thing that has to occur in a whole run: a way that no world went is a way that nobody looked at. */
export interface Floor {
  readonly part: 'operations' | 'answers' | 'faults' | 'events'
  readonly name: string
}

const floors = (part: Floor['part'], names: readonly string[]): Floor[] => names.map((name) => ({ part, name }))

export const coverage: readonly Floor[] = [
  ...floors('faults', [
    'crash gathered',
    'crash locked',
    'crash decided',
    'crash written',
    'crash committed',
    'crash now',
    'commit fails',
    'unknown, committed',
    'unknown, not committed',
    'read fails',
    'worker vanished',
    'lost reply',
    'sent twice',
    'repeat',
    'jump',
    'clock set back',
    'clock set forward',
  ]),
  ...floors('events', [
    'StartAccepted',
    'StartRejected',
    'WorkflowStarted',
    'SignalReceived',
    'SignalApplied',
    'SignalWaitOpened',
    'ConditionWaitOpened',
    'ConditionWaitSatisfied',
    'TimerScheduled',
    'TimerFired',
    'TimerCancelled',
    'ActivityScheduled',
    'ActivityStarted',
    'ActivityHeartbeatRecorded',
    'ActivityCompleted',
    'ActivityFailed',
    'ActivityRetryScheduled',
    'ActivityTimedOut',
    'ActivityCancelled',
    'SideEffectRecorded',
    'VersionMarkerRecorded',
    'RepairRequested',
    'CancelRequested',
    'TerminateRequested',
    'WorkflowCompleted',
    'WorkflowFailed',
    'WorkflowCancelled',
    'WorkflowTerminated',
    'WorkflowTimedOut',
  ]),
]

/** What a run that is large enough lacks. */
export function uncovered(tally: Tally): Floor[] {
  return coverage.filter(({ part, name }) => (tally[part][name] ?? 0) === 0)
}

/** The report, for people. */
export function reportText(tally: Tally, seconds: number): string {
  const { seeds, steps, commits } = tally
  return [
    `simulation: ${seeds} worlds, ${steps} steps, ${commits} commits in ${seconds.toFixed(0)} s`,
    ...part('invariants', tally.checks),
    ...part('operations', tally.operations),
    ...part('answers', tally.answers),
    ...part('faults', tally.faults),
    ...part('events', tally.events),
  ].join('\n')
}

function part(title: string, counts: Counts): string[] {
  const entries = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))
  return [`  ${title}`, ...entries.map(([name, times]) => `    ${String(times).padStart(9)}  ${name}`)]
}

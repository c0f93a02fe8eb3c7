import type { Activity, TimeoutKind } from '../state/activity.ts'
import { instantAfter } from '../state/instant.ts'

/** The earliest instant at which time must act on an activity: a deadline that counts in its state, or its lease's end. */
export function activityDueAt(activity: Activity): number | undefined {
  const instants = deadlinesOf(activity).map(([, at]) => at)
  if (activity.status === 'running' && activity.lease !== undefined) instants.push(activity.lease.expiresAt)
  return instants.length === 0 ? undefined : Math.min(...instants)
}

/**
 * The timeout that has passed, the gravest first: schedule-to-close, schedule-to-start (pending only), heartbeat,
 * start-to-close (running only) (history-replay §2.4).
 */
export function passedTimeout(activity: Activity, now: number): TimeoutKind | undefined {
  return deadlinesOf(activity).find(([, at]) => at <= now)?.[0]
}

function deadlinesOf(activity: Activity): [TimeoutKind, number][] {
  const all: [TimeoutKind, number | undefined][] = [['schedule_to_close', activity.scheduleToCloseDeadlineAt]]
  if (activity.status === 'pending') all.push(['schedule_to_start', activity.scheduleDeadlineAt])
  if (activity.status === 'running') {
    all.push(['heartbeat', activity.heartbeatDeadlineAt], ['start_to_close', activity.closeDeadlineAt])
  }
  const counted: [TimeoutKind, number][] = []
  if (activity.status !== 'pending' && activity.status !== 'running') return counted
  for (const [kind, at] of all) if (at !== undefined) counted.push([kind, at])
  return counted
}

/** Adds a duration to an instant, if there is one. */
export function after(instant: number, durationMs: number | undefined): number | undefined {
  return durationMs === undefined ? undefined : instantAfter(instant, durationMs)
}

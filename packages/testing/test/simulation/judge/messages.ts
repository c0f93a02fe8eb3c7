// No lost signal: each that was accepted is in history once, each that was refused never; waits and timers end once.

import type { Signal, Timer, Wait } from '@durable-workflow/engine/ports'
import { payloadOf } from '../program.ts'
import { type Commit, memberOf, type Say } from './commit.ts'

const signalWays: Readonly<Record<string, readonly string[]>> = {
  none: ['held', 'received', 'applied'],
  held: ['held', 'received', 'applied'],
  received: ['received', 'applied'],
  applied: ['applied'],
}
const waitWays: Readonly<Record<string, readonly string[]>> = {
  none: ['open', 'satisfied', 'reopened', 'expired', 'cancelled'],
  open: ['open', 'satisfied', 'expired', 'reopened', 'cancelled'],
  expired: ['expired', 'timed_out', 'cancelled'],
}
const timerWays: Readonly<Record<string, readonly string[]>> = {
  none: ['pending', 'fired', 'cancelled'],
  pending: ['pending', 'fired', 'cancelled'],
}

/** Signals that history has received, kept by the judge. */
export function judgeMessages(commit: Commit, received: Set<string>, say: Say): void {
  const { signals, waits, timers } = commit.changes
  for (const event of commit.changes.events) {
    if (event.type !== 'SignalReceived') continue
    const id = payloadOf(event).signal_id ?? ''
    if (received.has(id)) say('no lost signal', `${id} is received twice`)
    received.add(id)
  }
  judgeAccepted(commit, say)
  for (const after of [...signals.inserted, ...signals.updated]) {
    const before = commit.rows.signals.get(after.signalId)
    if (!allowed(signalWays, before, after))
      say('no lost signal', `${after.signalId} was ${before?.status}, is ${after.status}`)
    if (received.has(after.signalId) !== (after.status !== 'held'))
      say('no lost signal', `${after.signalId} is ${after.status}, in history ${received.has(after.signalId)}`)
  }
  for (const after of [...waits.inserted, ...waits.updated]) {
    const before = commit.rows.waits.get(after.waitId)
    if (!allowed(waitWays, before, after))
      say('one order', `wait ${after.waitId} was ${before?.status}, is ${after.status}`)
    const problem = waitProblem(commit, before, after)
    if (problem !== undefined) say('one door', `wait ${after.waitId} ${problem}`)
  }
  for (const after of [...timers.inserted, ...timers.updated]) {
    const before = commit.rows.timers.get(after.timerId)
    if (!allowed(timerWays, before, after))
      say('one order', `timer ${after.timerId} was ${before?.status}, is ${after.status}`)
    const problem = timerProblem(commit, before, after)
    if (problem !== undefined) say('one door', `timer ${after.timerId} ${problem}`)
  }
}

function allowed(
  ways: Readonly<Record<string, readonly string[]>>,
  before: { readonly status: string } | undefined,
  after: { readonly status: string },
): boolean {
  return ways[before?.status ?? 'none']?.includes(after.status) ?? false
}

/** Each signal that was decided as accepted has one row with its own words, and there are no other rows. */
function judgeAccepted(commit: Commit, say: Say): void {
  const made = new Map(commit.changes.signals.inserted.map((signal) => [signal.signalId, signal]))
  for (const { request, reply } of commit.recorded('signal', () => true)) {
    const id = memberOf(reply, 'signalId')
    const signal: Signal | undefined = typeof id === 'string' ? made.get(id) : undefined
    if (signal?.arguments.blob !== request.input.arguments?.blob || signal?.name !== request.input.signalName)
      say('no lost signal', `signal ${request.token} is accepted as ${id}, which is ${signal?.status ?? 'not there'}`)
    if (signal !== undefined) made.delete(signal.signalId)
  }
  for (const id of made.keys()) say('one door', `signal ${id} was sent by nobody`)
}

function waitProblem(commit: Commit, before: Wait | undefined, after: Wait): string | undefined {
  if (after.status === before?.status) return undefined
  const named = (type: string) =>
    commit.events(after.runId, type).some((event) => event.payload.includes(`"${after.waitId}"`))
  switch (after.status) {
    case 'satisfied':
      return named(after.kind === 'signal' ? 'SignalApplied' : 'ConditionWaitSatisfied')
        ? undefined
        : 'is satisfied without its event'
    case 'expired':
      return named('TimerFired') ? undefined : 'is expired and no timer of it fired'
    case 'reopened':
      return commit.events(after.runId, 'ConditionWaitOpened').length > 0 ? undefined : 'is taken over by no other'
    case 'cancelled':
      return commit.closes(after.runId) ? undefined : 'is cancelled though its run goes on'
    default:
      return undefined
  }
}

function timerProblem(commit: Commit, before: Timer | undefined, after: Timer): string | undefined {
  if (after.status === 'fired' && before?.status !== 'fired') {
    const fired = commit
      .events(after.runId, 'TimerFired')
      .filter((event) => event.payload.includes(`"${after.timerId}"`))
    return fired.length === 1 ? undefined : `fired with ${fired.length} events`
  }
  const isHeld = after.status === 'pending' && after.dueAt === undefined
  if (isHeld && (after.waitId === undefined || after.fireAt > commit.now)) return 'is held though nothing holds it'
  return undefined
}

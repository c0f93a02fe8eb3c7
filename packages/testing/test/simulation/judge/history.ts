// One order for each run, and one door: every event stands in its place and is explained by an operation that ran.

import type { HistoryEvent, Run } from '@durable-workflow/engine/ports'
import { type AnyCommand, type Payload, payloadOf } from '../program.ts'
import { type Commit, memberOf, runOf, type Say } from './commit.ts'

const terminal: ReadonlySet<string> = new Set([
  'WorkflowCompleted',
  'WorkflowFailed',
  'WorkflowCancelled',
  'WorkflowTerminated',
  'WorkflowTimedOut',
])
/** What is still told of a closed run: the answers to further starts. */
const afterTheEnd: ReadonlySet<string> = new Set(['StartAccepted', 'StartRejected'])
const eventOfCommand: Readonly<Record<string, string>> = {
  schedule_activity: 'ActivityScheduled',
  start_timer: 'TimerScheduled',
  open_condition_wait: 'ConditionWaitOpened',
  open_signal_wait: 'SignalWaitOpened',
  record_side_effect: 'SideEffectRecorded',
  record_version_marker: 'VersionMarkerRecorded',
  complete_workflow: 'WorkflowCompleted',
  fail_workflow: 'WorkflowFailed',
}
const commandEvents: ReadonlySet<string> = new Set(Object.values(eventOfCommand))

export function judgeHistory(commit: Commit, say: Say): void {
  for (const [runId, events] of commit.eventsByRun) {
    judgeOrder(commit, runId, events, say)
    judgeCommands(commit, runId, events, say)
    for (const event of events) {
      const problem = unexplained(commit, event)
      if (problem !== undefined) say('one door', `${event.type} at ${event.sequence} of ${runId}: ${problem}`)
    }
  }
  for (const run of [...commit.changes.runs.inserted, ...commit.changes.runs.updated]) judgeRun(commit, run, say)
}

function judgeOrder(commit: Commit, runId: string, events: readonly HistoryEvent[], say: Say): void {
  const earlier = commit.rows.history(runId)
  let last = earlier.length
  let step = commit.rows.runs.get(runId)?.lastStep ?? 0
  let isOver = earlier.some((event) => terminal.has(event.type))
  for (const event of events) {
    last += 1
    if (event.sequence !== last)
      say('one order', `${event.type} stands at ${event.sequence} of ${runId}, not at ${last}`)
    if (event.recordedAt !== commit.now) say('one order', `${event.type} of ${runId} is recorded at another instant`)
    if (isOver && !afterTheEnd.has(event.type)) say('one order', `${event.type} stands after the end of ${runId}`)
    isOver ||= terminal.has(event.type)
    const payload = payloadOf(event)
    if (!isStep(event, payload)) continue
    step += 1
    if (payload.sequence !== step)
      say('one order', `${event.type} of ${runId} has step ${payload.sequence}, not ${step}`)
  }
  const run = commit.run(runId)
  if (run === undefined) {
    say('one order', `events of run ${runId}, which is not there`)
    return
  }
  if (run.lastSequence !== last) say('one order', `run ${runId} counts ${run.lastSequence} events and has ${last}`)
  if (run.lastStep !== step) say('one order', `run ${runId} counts ${run.lastStep} steps and has ${step}`)
  if (isOver !== commit.closes(runId) && commit.closes(runId))
    say('one order', `run ${runId} closes without a last event`)
}

function isStep({ type }: HistoryEvent, payload: Payload): boolean {
  if (terminal.has(type)) return false
  return commandEvents.has(type) && (type !== 'TimerScheduled' || payload.timer_kind === undefined)
}

function judgeRun(commit: Commit, run: Run, say: Say): void {
  const before = commit.rows.runs.get(run.runId)
  if (before === undefined) {
    const starts = commit
      .recorded('start', ({ input }) => input.runId === run.runId)
      .filter(({ reply }) => memberOf(reply, 'outcome') === 'started_new')
    if (starts.length !== 1) say('one door', `run ${run.runId} is made by ${starts.length} starts`)
    for (const other of commit.rows.runs.values())
      if (other.workflowId === run.workflowId) say('one order', `workflow ${run.workflowId} has a second run`)
    return
  }
  if (before.closedAt !== undefined && run.status !== before.status)
    say('one order', `run ${run.runId} was ${before.status} and is ${run.status}`)
  if (before.lastSequence > run.lastSequence) say('one order', `run ${run.runId} has lost events`)
  const written = commit.events(run.runId).length
  if (run.lastSequence !== before.lastSequence + written)
    say('one order', `run ${run.runId} went from ${before.lastSequence} to ${run.lastSequence} with ${written} events`)
}

/** The commands of a completion, in their order, are what it recorded: all of them, once. */
function judgeCommands(commit: Commit, runId: string, events: readonly HistoryEvent[], say: Say): void {
  const completions = commit.recorded('completeWorkflowTask', ({ input }) => runOf(input.taskId) === runId)
  const lastStep = commit.rows.runs.get(runId)?.lastStep ?? 0
  const commands: AnyCommand[] = completions.flatMap(({ request }) => request.input.commands.map((one) => ({ ...one })))
  const terminals = commands.filter((one) => isTerminal(one))
  const ordinary = commands.filter((one) => !isTerminal(one) && !isSentAgain(one, lastStep))
  const expected = [...ordinary, ...terminals].map((one) => eventOfCommand[one.type] ?? one.type)
  const recorded = events
    .filter((event) => commandEvents.has(event.type) && !isTimeout(event))
    .map((event) => event.type)
  if (expected.join(' ') !== recorded.join(' '))
    say(
      'recorded is recorded',
      `commands of ${runId} became [${recorded.join(' ')}] instead of [${expected.join(' ')}]`,
    )
}

function isTerminal({ type }: AnyCommand): boolean {
  return type === 'complete_workflow' || type === 'fail_workflow'
}

/** A group is known by the step of its first member. */
function isSentAgain(command: AnyCommand, lastStep: number): boolean {
  const path = command.parallel_group_path
  const base = Array.isArray(path) ? memberOf(path[0], 'parallel_group_base_sequence') : undefined
  return typeof base === 'number' && base <= lastStep
}

function isTimeout(event: HistoryEvent): boolean {
  return event.type === 'TimerScheduled' && payloadOf(event).timer_kind !== undefined
}

/** Why nothing that ran explains an event; undefined when something does. */
function unexplained(commit: Commit, event: HistoryEvent): string | undefined {
  const { runId } = event
  const run = commit.run(runId)
  const payload = payloadOf(event)
  const by = (is: boolean, problem: string) => (is ? undefined : problem)
  const completed = commit.recorded('completeWorkflowTask', ({ input }) => runOf(input.taskId) === runId)
  switch (event.type) {
    case 'StartAccepted':
    case 'StartRejected':
    case 'WorkflowStarted': {
      const starts = commit.recorded('start', ({ input }) => input.workflowId === run?.workflowId)
      return by(
        starts.some(({ reply }) => memberOf(reply, 'commandId') === event.commandId),
        'no start has this command',
      )
    }
    case 'SignalReceived': {
      const before = commit.rows.signals.get(payload.signal_id ?? '')
      const isNew = commit.changes.signals.inserted.some((signal) => signal.signalId === payload.signal_id)
      return by(before?.status === 'held' || (before === undefined && isNew), 'no accepted signal waits for it')
    }
    case 'SignalApplied': {
      const wait = commit.wait(payload.signal_wait_id ?? '')
      const isItsName = wait?.kind === 'signal' && wait.signalName === payload.signal_name
      return by(isItsName && wait.status === 'satisfied', 'no wait of its name took it')
    }
    case 'CancelRequested':
    case 'WorkflowCancelled':
      return by(
        commit.recorded('cancel', ({ input }) => input.workflowId === run?.workflowId).length > 0,
        'nobody cancelled',
      )
    case 'TerminateRequested':
    case 'WorkflowTerminated':
      return by(
        commit.recorded('terminate', ({ input }) => input.workflowId === run?.workflowId).length > 0,
        'nobody terminated',
      )
    case 'RepairRequested':
      return by(
        commit.recorded('repair', ({ input }) => input.workflowId === run?.workflowId).length > 0,
        'nobody repaired',
      )
    case 'TimerScheduled':
    case 'ActivityScheduled':
    case 'ConditionWaitOpened':
    case 'ConditionWaitSatisfied':
    case 'SignalWaitOpened':
    case 'SideEffectRecorded':
    case 'VersionMarkerRecorded':
    case 'WorkflowCompleted':
    case 'WorkflowFailed':
      return by(completed.length === 1, `${completed.length} completions in its group`)
    case 'TimerFired': {
      const timer = commit.timer(payload.timer_id ?? '')
      const before = commit.rows.timers.get(payload.timer_id ?? '')
      const wasPending = before === undefined || before.status === 'pending'
      return by(timer?.status === 'fired' && wasPending && timer.fireAt <= commit.now, 'its timer was not due')
    }
    case 'TimerCancelled':
    case 'ActivityCancelled':
      return by(commit.closes(runId), 'its run goes on')
    case 'WorkflowTimedOut': {
      const due = commit.rows.runs.get(runId)?.dueAt ?? run?.runDeadlineAt ?? run?.executionDeadlineAt
      return by(due !== undefined && due <= commit.now, 'its deadline has not passed')
    }
    case 'ActivityStarted':
    case 'ActivityHeartbeatRecorded':
    case 'ActivityCompleted':
    case 'ActivityFailed':
    case 'ActivityRetryScheduled':
    case 'ActivityTimedOut':
      return unexplainedAttempt(commit, event, payload)
    default:
      return 'no operation records such an event'
  }
}

function unexplainedAttempt(commit: Commit, event: HistoryEvent, payload: Payload): string | undefined {
  const { activity_execution_id: activityId = '', activity_attempt_id: attemptId = '' } = payload
  const before = commit.rows.activities.get(activityId)
  const after = commit.activity(activityId)
  const by = (is: boolean, problem: string) => (is ? undefined : problem)
  if (after === undefined) return 'its activity is not there'
  const passed = (at: number | undefined) => at !== undefined && at <= commit.now
  const failed = commit.recorded('failActivityTask', ({ input }) => input.attemptId === attemptId)
  switch (event.type) {
    case 'ActivityStarted':
      return by(
        payload.attempt_number === (before?.attempt ?? 0) + 1,
        `attempt ${before?.attempt ?? 0} stands before it`,
      )
    case 'ActivityHeartbeatRecorded': {
      const beats = commit.recorded('heartbeatActivityTask', ({ input }) => input.attemptId === attemptId)
      return by(
        beats.some(({ reply }) => memberOf(reply, 'heartbeatRecorded') === true),
        'no heartbeat of it was accepted',
      )
    }
    case 'ActivityCompleted': {
      const [report] = commit.recorded('completeActivityTask', ({ input }) => input.attemptId === attemptId)
      return by(
        report?.request.input.result?.blob === payload.result?.blob && report !== undefined,
        'no report brings this result',
      )
    }
    case 'ActivityFailed':
      return by(failed.length === 1, `${failed.length} reports of its failure`)
    case 'ActivityRetryScheduled':
      return by(
        failed.length === 1 || passed(before?.heartbeatDeadlineAt) || passed(before?.closeDeadlineAt),
        'neither a report nor a timeout ends the attempt',
      )
    default: {
      const instants = [
        before?.scheduleDeadlineAt,
        before?.scheduleToCloseDeadlineAt,
        before?.closeDeadlineAt,
        before?.heartbeatDeadlineAt,
      ]
      return by(instants.some(passed), 'no timeout of it has passed')
    }
  }
}

// Authority is what was leased: a task changes hands by a poll that waits, ends by a report of its current claim, and is
// set free by time or by its owner.

import type { Activity, Lease, Registration, WorkflowTask } from '@durable-workflow/engine/ports'
import { settings } from '../server.ts'
import { type Commit, runOf, type Say } from './commit.ts'

/** What a worker was under each registration id, version by version. */
export type KnownRegistrations = ReadonlyMap<string, readonly Registration[]>

export function judgeLeases(commit: Commit, known: KnownRegistrations, say: Say): void {
  const { workflowTasks, activities, queryTasks } = commit.changes
  for (const after of [...workflowTasks.inserted, ...workflowTasks.updated]) {
    const problem = taskProblem(commit, known, commit.rows.workflowTasks.get(after.taskId), after)
    if (problem !== undefined) say('authority', `workflow task ${after.taskId}: ${problem}`)
  }
  for (const after of [...activities.inserted, ...activities.updated]) {
    const problem = activityProblem(commit, known, commit.rows.activities.get(after.activityId), after)
    if (problem !== undefined) say('authority', `activity ${after.activityId}: ${problem}`)
    const unaccounted = attemptsProblem(after)
    if (unaccounted !== undefined) say('attempts', `activity ${after.activityId}: ${unaccounted}`)
  }
  for (const after of [...queryTasks.inserted, ...queryTasks.updated]) {
    const before = commit.rows.queryTasks.get(after.queryTaskId)
    const answers = [
      ...commit.recorded('completeQueryTask', ({ input }) => input.queryTaskId === after.queryTaskId),
      ...commit.recorded('failQueryTask', ({ input }) => input.queryTaskId === after.queryTaskId),
    ]
    if (before === undefined && commit.waiting('query').length === 0)
      say('one door', `query ${after.queryTaskId}: nobody asks`)
    if (after.status === 'leased' && after.attempt !== before?.attempt && after.lease !== undefined) {
      const problem = claimProblem(commit, known, 'query', after, after.lease, settings.queryLeaseMs)
      if (problem !== undefined) say('authority', `query ${after.queryTaskId}: ${problem}`)
    }
    if (after.status === 'completed' || after.status === 'failed') {
      const [answer] = answers
      const lease = before?.lease
      const isHeld =
        lease !== undefined && lease.expiresAt > commit.now && lease.owner === answer?.request.input.leaseOwner
      if (!isHeld || answer.request.input.attempt !== before?.attempt)
        say('authority', `query ${after.queryTaskId} is answered by no current claim`)
    }
  }
  for (const gone of queryTasks.removed) {
    const before = commit.rows.queryTasks.get(gone.queryTaskId)
    if (before !== undefined && before.dueAt > commit.now)
      say('one door', `query ${gone.queryTaskId} goes before its time`)
  }
}

function taskProblem(
  commit: Commit,
  known: KnownRegistrations,
  before: WorkflowTask | undefined,
  after: WorkflowTask,
): string | undefined {
  if (before !== undefined && !isOpen(before)) return `it was ${before.status} and is changed`
  const isClaimed = after.status === 'leased' && (before?.status !== 'leased' || before.attempt !== after.attempt)
  if (isClaimed) {
    if (after.lease === undefined) return 'it is leased without a lease'
    if (before?.status === 'leased' && !mayBeFreed(commit, before)) return 'it is leased a second time'
    if (before !== undefined && after.attempt !== before.attempt + 1)
      return `attempt ${before.attempt} is followed by ${after.attempt}`
    return claimProblem(commit, known, 'workflow', after, after.lease, settings.workflowTaskLeaseMs)
  }
  switch (after.status) {
    case 'leased':
      return before === undefined ? undefined : renewalProblem(commit, before, after)
    case 'ready':
      if (before?.status !== 'leased') return undefined
      return mayBeFreed(commit, before) ? undefined : 'it is set free though its lease is live'
    case 'cancelled':
      return commit.closes(after.runId) ? undefined : 'it is cancelled though its run goes on'
    case 'completed':
    case 'failed':
      return reportProblem(commit, before, after)
  }
}

function isOpen(task: WorkflowTask): boolean {
  return task.status === 'ready' || task.status === 'leased'
}

function mayBeFreed(commit: Commit, before: WorkflowTask): boolean {
  const { lease } = before
  return lease === undefined || lease.expiresAt <= commit.now || commit.isSurrendered(before.namespace, lease.owner)
}

function renewalProblem(commit: Commit, before: WorkflowTask, after: WorkflowTask): string | undefined {
  if (before.lease === undefined || after.lease === undefined) return 'it is leased without a lease'
  if (after.lease.owner !== before.lease.owner) return `${before.lease.owner} held it and ${after.lease.owner} has it`
  if (JSON.stringify(after.lease.proof) !== JSON.stringify(before.lease.proof)) return 'its claim proof has changed'
  if (after.lease.expiresAt === before.lease.expiresAt) return undefined
  const { owner, expiresAt } = before.lease
  const [beat] = commit.recorded(
    'heartbeatWorkflowTask',
    ({ input }) => input.taskId === after.taskId && input.leaseOwner === owner && input.attempt === before.attempt,
  )
  if (beat === undefined) return 'its lease moves without a heartbeat of its owner'
  if (expiresAt <= commit.now) return 'a lease that had expired is renewed'
  return after.lease.expiresAt === commit.now + settings.workflowTaskLeaseMs
    ? undefined
    : 'its lease has another length'
}

function reportProblem(commit: Commit, before: WorkflowTask | undefined, after: WorkflowTask): string | undefined {
  const lease = before?.lease
  if (before?.status !== 'leased' || lease === undefined) return 'it is closed though nobody held it'
  if (lease.expiresAt <= commit.now) return `a report is accepted ${commit.now - lease.expiresAt} ms after its lease`
  const reports = [
    ...commit.recorded('completeWorkflowTask', ({ input }) => input.taskId === after.taskId),
    ...commit.recorded('failWorkflowTask', ({ input }) => input.taskId === after.taskId),
  ]
  const [report, ...more] = reports
  if (report === undefined || more.length > 0) return `it is closed by ${reports.length} reports`
  const { input } = report.request
  if (input.leaseOwner !== lease.owner) return `${lease.owner} held it and ${input.leaseOwner} closed it`
  if (input.attempt !== before.attempt) return `attempt ${before.attempt} is current and ${input.attempt} closed it`
  return input.reportDigest === after.reportDigest ? undefined : 'it remembers another report'
}

function activityProblem(
  commit: Commit,
  known: KnownRegistrations,
  before: Activity | undefined,
  after: Activity,
): string | undefined {
  if (before !== undefined && before.status !== 'pending' && before.status !== 'running')
    return `it was ${before.status} and is changed`
  const started = commit
    .events(after.runId, 'ActivityStarted')
    .filter(({ payload }) => payload.includes(`"${after.activityId}"`))
  if (after.attempt !== (before?.attempt ?? 0) + started.length)
    return `${started.length} attempts began between ${before?.attempt ?? 0} and ${after.attempt}`
  if (after.attempt !== (before?.attempt ?? 0)) {
    if (before?.status === 'running' && !mayEnd(commit, before))
      return 'its attempt is replaced though its lease is live'
    if (after.lease !== undefined) {
      const problem = claimProblem(commit, known, 'activity', after, after.lease, settings.activityTaskLeaseMs)
      if (problem !== undefined) return problem
    }
  }
  return endProblem(commit, before, after)
}

function passed(commit: Commit, at: number | undefined): boolean {
  return at !== undefined && at <= commit.now
}

/** Time, a report, its owner or the end of the run may end an attempt. */
function mayEnd(commit: Commit, before: Activity): boolean {
  const { lease, heartbeatDeadlineAt, closeDeadlineAt, scheduleToCloseDeadlineAt } = before
  const isOver = [lease?.expiresAt, heartbeatDeadlineAt, closeDeadlineAt, scheduleToCloseDeadlineAt].some((at) =>
    passed(commit, at),
  )
  const failed = commit.recorded('failActivityTask', ({ input }) => input.activityId === before.activityId)
  return isOver || failed.length > 0 || commit.isSurrendered(before.namespace, lease?.owner)
}

function endProblem(commit: Commit, before: Activity | undefined, after: Activity): string | undefined {
  const reports = [
    ...commit.recorded('completeActivityTask', ({ input }) => input.activityId === after.activityId),
    ...commit.recorded('failActivityTask', ({ input }) => input.activityId === after.activityId),
  ]
  for (const { request } of reports) {
    const lease = before?.lease
    const { input } = request
    if (before?.status !== 'running' || lease === undefined) return 'a report is accepted though no attempt runs'
    if (lease.expiresAt <= commit.now) return `a report is accepted ${commit.now - lease.expiresAt} ms after its lease`
    if (lease.owner !== input.leaseOwner) return `${lease.owner} held it and ${input.leaseOwner} reported`
    if (input.attemptId !== `${after.activityId}x${before.attempt}`)
      return `attempt ${before.attempt} runs and ${input.attemptId} reported`
    if (passed(commit, before.heartbeatDeadlineAt) || passed(commit, before.closeDeadlineAt))
      return 'a report is accepted after a timeout of its attempt'
  }
  if (reports.length > 1) return `${reports.length} reports end one attempt`
  if (after.status === 'completed' && reports[0]?.request.kind !== 'completeActivityTask')
    return 'it completes without a report'
  if (after.status === 'cancelled' && !commit.closes(after.runId)) return 'it is cancelled though its run goes on'
  if (after.status === 'pending' && before?.status === 'running' && !mayEnd(commit, before))
    return 'it is set free though its lease is live'
  const isBeaten =
    before?.lease !== undefined && after.lease?.owner === before.lease.owner && after.attempt === before.attempt
  if (isBeaten && after.status === 'running' && after.lease?.expiresAt !== before.lease?.expiresAt) {
    const beats = commit.recorded('heartbeatActivityTask', ({ input }) => input.activityId === after.activityId)
    if (beats.length === 0) return 'its lease moves without a heartbeat'
    if (passed(commit, before.lease?.expiresAt)) return 'a lease that had expired is renewed'
  }
  return undefined
}

/** Every attempt but the one that runs is remembered with its end, as far as the row remembers. */
function attemptsProblem(after: Activity): string | undefined {
  const ended = after.attemptStatus === 'running' ? after.attempt - 1 : after.attempt
  const remembered = after.closedAttempts.map((one) => one.attempt)
  const wanted = Array.from({ length: ended }, (_, at) => at + 1).slice(-10)
  return remembered.join(' ') === wanted.join(' ')
    ? undefined
    : `its ended attempts are ${remembered.join(' ')} instead of ${wanted.join(' ')}`
}

/** A claim goes to a poll, or to slots that a report offers, of this kind and place; its proof says what the worker was. */
function claimProblem(
  commit: Commit,
  known: KnownRegistrations,
  kind: 'workflow' | 'activity' | 'query',
  task: { readonly namespace: string; readonly taskQueue: string; readonly runId: string },
  { owner, leasedAt, expiresAt, proof }: Lease,
  leaseMs: number,
): string | undefined {
  if (leasedAt !== commit.now || expiresAt !== commit.now + leaseMs) return 'its lease has another length'
  if ('availableAt' in task && typeof task.availableAt === 'number' && task.availableAt > commit.now)
    return 'it is claimed before it is available'
  const polls = commit
    .waiting('poll')
    .filter(
      ({ input }) =>
        input.kind === kind &&
        input.namespace === task.namespace &&
        input.taskQueue === task.taskQueue &&
        input.workerId === owner &&
        input.pollRequestId === proof.pollRequestId,
    )
  const offers = commit.inFlight.filter(
    ({ request }) =>
      'offer' in request && request.offer?.workerId === owner && request.offer.pollRequestId === proof.pollRequestId,
  )
  if (polls.length === 0 && (offers.length === 0 || kind === 'query')) return `${owner} did not ask for it`
  const versions = known.get(proof.registrationId) ?? []
  const isTrue = versions.some(
    (one) =>
      one.workerId === owner &&
      one.taskQueue === task.taskQueue &&
      one.buildId === proof.buildId &&
      one.capabilities.join() === proof.capabilities.join(),
  )
  return isTrue
    ? undefined
    : `its claim proof names registration ${proof.registrationId} of ${owner}, which never was like that`
}

/** The reports of a group that were accepted have left their mark (what is recorded is recorded). */
export function judgeReports(commit: Commit, say: Say): void {
  for (const { request, decision } of commit.decided) {
    if (decision.kind === 'refused') continue
    if (request.kind === 'completeWorkflowTask' || request.kind === 'failWorkflowTask') {
      const task = commit.task(request.input.taskId)
      const isItsRun = commit.run(runOf(request.input.taskId)) !== undefined
      if (task?.reportDigest !== request.input.reportDigest || !isItsRun)
        say('recorded is recorded', `a report on ${request.input.taskId} is accepted and its task does not know it`)
    }
    if (request.kind === 'completeActivityTask' || request.kind === 'failActivityTask') {
      const activity = commit.activity(request.input.activityId)
      const attempt = activity?.closedAttempts.find((one) => one.report?.digest === request.input.reportDigest)
      if (attempt === undefined)
        say(
          'recorded is recorded',
          `a report of ${request.input.attemptId} is accepted and its activity does not know it`,
        )
    }
    if (request.kind === 'cancel' || request.kind === 'terminate') {
      const workflow = [...commit.changes.workflows.inserted, ...commit.rows.workflows.values()].find(
        (one) => one.workflowId === request.input.workflowId,
      )
      const status = commit.run(workflow?.currentRunId ?? '')?.status
      if (status !== (request.kind === 'cancel' ? 'cancelled' : 'terminated'))
        say(
          'recorded is recorded',
          `${request.kind} of ${request.input.workflowId} is accepted and its run is ${status}`,
        )
    }
  }
}

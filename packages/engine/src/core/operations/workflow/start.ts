import type { EventPayloads } from '@durable-workflow/protocol'
import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse, reject } from '../../decision/outcome.ts'
import { append, nextId, patchRun } from '../../history/append.ts'
import { makeTask, startResume } from '../../rules/resume.ts'
import { shortKey } from '../../state/ids.ts'
import { formatInstant, instantAfter, secondsToMs } from '../../state/instant.ts'
import { type Envelope, noArguments } from '../../state/payload.ts'
import { isOpen, type Run, runDueAt } from '../../state/run.ts'

/** A start: durations in seconds as on the wire, with exact milliseconds where they came. */
export interface StartWorkflow {
  readonly namespace: string
  readonly workflowId: string
  /** A new id of this workflow (`newRunId`), made outside the core. */
  readonly runId: string
  readonly workflowType: string
  readonly taskQueue: string
  readonly arguments: Envelope | undefined
  readonly businessKey: string | undefined
  readonly executionTimeoutSeconds: number | undefined
  readonly runTimeoutSeconds: number | undefined
  /** Exact forms of the two timeouts, where they came. */
  readonly executionTimeoutMs: number | undefined
  readonly runTimeoutMs: number | undefined
  readonly duplicatePolicy: 'fail' | 'use-existing'
  /** Ours: a start repeated under the same id after a lost reply returns the first answer. */
  readonly startId: string | undefined
}

/** The run that a start made or found. */
export interface StartReply {
  readonly outcome: 'started_new' | 'returned_existing_active' | 'rejected_duplicate'
  readonly run: Run
  readonly commandId: string
  /** The answer of the first start with this start id, given again; nothing was recorded now. */
  readonly repeated: boolean
}

/**
 * Starts a run: StartAccepted, WorkflowStarted and the first workflow task, in one commit.
 *
 * An id that ever had a run is not started again; `use-existing` returns the current run while it is open. Both
 * answers to a duplicate are recorded on the existing run (control plane 2, §6.4).
 *
 * @throws never
 * @source startWorkflow
 */
export const startWorkflow = defineOperation({
  kind: 'startWorkflow',
  locks: (input: StartWorkflow) => [shortKey(input.workflowId)],
  slice: (input) => [
    { of: 'namespace', name: input.namespace },
    { of: 'workflow', workflowId: input.workflowId },
  ],
  decide(draft, input, now) {
    if (draft.namespace(input.namespace) === undefined)
      return refuse('namespace_not_found', { namespace: input.namespace })
    const workflow = draft.workflow(input.workflowId)
    const current = workflow === undefined ? undefined : draft.run(workflow.currentRunId)
    if (workflow === undefined || current === undefined) return accept(startNew(draft, input, now))
    if (workflow.namespace !== input.namespace) {
      return refuse('workflow_id_reserved_in_namespace', { workflowId: input.workflowId })
    }
    if (input.startId !== undefined && input.startId === current.startId) {
      return accept<StartReply>({
        outcome: 'started_new',
        run: current,
        commandId: firstCommandId(current),
        repeated: true,
      })
    }
    if (workflow.workflowType !== input.workflowType) {
      return refuse('validation_failed', {
        field: 'workflow_type',
        problem: `workflow ${input.workflowId} has type '${workflow.workflowType}', not '${input.workflowType}'`,
      })
    }
    if (input.duplicatePolicy === 'use-existing' && isOpen(current)) {
      return accept(answerDuplicate(draft, current, 'returned_existing_active', now))
    }
    return reject('duplicate_not_allowed', answerDuplicate(draft, current, 'rejected_duplicate', now))
  },
})

function startNew(draft: Draft, input: StartWorkflow, now: number): StartReply {
  const { runId, workflowId } = input
  const executionDeadlineAt = deadline(now, input.executionTimeoutMs, input.executionTimeoutSeconds)
  const runDeadlineAt = deadline(now, input.runTimeoutMs, input.runTimeoutSeconds)
  draft.putWorkflow({
    workflowId,
    namespace: input.namespace,
    workflowType: input.workflowType,
    currentRunId: runId,
    runCount: 1,
  })
  draft.putNewRun({
    runId,
    workflowId,
    namespace: input.namespace,
    workflowType: input.workflowType,
    taskQueue: input.taskQueue,
    runNumber: 1,
    status: 'pending',
    closedReason: undefined,
    arguments: input.arguments ?? noArguments,
    output: undefined,
    failure: undefined,
    businessKey: input.businessKey,
    executionTimeoutSeconds: input.executionTimeoutSeconds,
    runTimeoutSeconds: input.runTimeoutSeconds,
    executionDeadlineAt,
    runDeadlineAt,
    startId: input.startId,
    startedAt: now,
    closedAt: undefined,
    lastProgressAt: now,
    lastSequence: 0,
    historyBytes: 0,
    lastStep: 0,
    lastId: 0,
    commandSequence: 1,
    openActivities: 0,
    openTimers: 0,
    openSignalWaits: 0,
    openConditionWaits: 0,
    parallelGroups: [],
    signalCount: 0,
    cachedBy: undefined,
    cachedSequence: 0,
    replayBlockedReason: undefined,
    replayBlockedFingerprint: undefined,
    openTask: undefined,
    progress: undefined,
    dueAt: runDueAt(executionDeadlineAt, runDeadlineAt),
  })
  const commandId = nextId(draft, runId, 'command')
  const identity = {
    workflow_command_id: commandId,
    workflow_instance_id: workflowId,
    workflow_run_id: runId,
    workflow_type: input.workflowType,
    ...(input.businessKey === undefined ? {} : { business_key: input.businessKey }),
  }
  appendStartAccepted(draft, runId, { ...identity, outcome: 'started_new' }, now)
  append(
    draft,
    runId,
    {
      type: 'WorkflowStarted',
      payload: {
        ...identity,
        ...(input.executionTimeoutSeconds === undefined
          ? {}
          : { execution_timeout_seconds: input.executionTimeoutSeconds }),
        ...(input.runTimeoutSeconds === undefined ? {} : { run_timeout_seconds: input.runTimeoutSeconds }),
        ...(executionDeadlineAt === undefined ? {} : { execution_deadline_at: formatInstant(executionDeadlineAt) }),
        ...(runDeadlineAt === undefined ? {} : { run_deadline_at: formatInstant(runDeadlineAt) }),
      },
      commandId,
    },
    now,
  )
  makeTask(draft, runId, { resume: startResume, availableAt: now }, now)
  return { outcome: 'started_new', run: patchRun(draft, runId, {}), commandId, repeated: false }
}

function answerDuplicate(
  draft: Draft,
  current: Run,
  outcome: 'returned_existing_active' | 'rejected_duplicate',
  now: number,
): StartReply {
  const { runId } = current
  const commandId = nextId(draft, runId, 'command')
  const identity = {
    workflow_command_id: commandId,
    workflow_instance_id: current.workflowId,
    workflow_run_id: runId,
    workflow_type: current.workflowType,
  }
  if (outcome === 'rejected_duplicate') {
    const payload = { ...identity, outcome, rejection_reason: 'instance_already_started' }
    append(draft, runId, { type: 'StartRejected', payload, commandId }, now)
  } else {
    appendStartAccepted(draft, runId, { ...identity, outcome }, now)
  }
  const run = patchRun(draft, runId, { commandSequence: current.commandSequence + 1 })
  return { outcome, run, commandId, repeated: false }
}

function appendStartAccepted(
  draft: Draft,
  runId: string,
  payload: EventPayloads['StartAccepted'] & { workflow_command_id: string },
  now: number,
): void {
  append(draft, runId, { type: 'StartAccepted', payload, commandId: payload.workflow_command_id }, now)
}

// The start is always the run's first control command.
function firstCommandId(run: Run): string {
  return `${run.runId}c1`
}

function deadline(now: number, exactMs: number | undefined, seconds: number | undefined): number | undefined {
  if (exactMs !== undefined) return instantAfter(now, exactMs)
  return seconds === undefined ? undefined : instantAfter(now, secondsToMs(seconds))
}

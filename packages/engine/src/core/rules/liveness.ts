// What keeps a run going, in the words that operators see (history-replay §7.6), and whether a repair would act on it.

import { isLive } from '../state/claim.ts'
import { formatInstant } from '../state/instant.ts'
import type { ProgressKind, Run } from '../state/run.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'

/** What keeps a run going, or that nothing does. */
export interface Liveness {
  readonly state:
    | 'closed'
    | 'workflow_replay_blocked'
    | 'repair_needed'
    | 'workflow_task_ready'
    | 'workflow_task_leased'
    | 'waiting_for_activity'
    | 'timer_scheduled'
    | 'waiting_for_signal'
    | 'waiting_for_condition'
  /** Why a repair would act, in words; undefined when it would not. */
  readonly repairReason: string | undefined
  /** What the run waits for: activity, timer, signal, condition or workflow-task; undefined when for nothing. */
  readonly waitKind: string | undefined
}

/** Judges a run by its own fields and its open workflow task. @param task the one that the run names, if it names one */
export function livenessOf(run: Run, task: WorkflowTask | undefined, now: number): Liveness {
  if (run.progress === undefined) return { state: 'closed', repairReason: undefined, waitKind: undefined }
  const waitKind = waitKinds[run.progress] ?? (run.openActivities > 0 ? 'activity' : 'timer')
  const lease = task?.status === 'leased' ? task.lease : undefined
  if (lease !== undefined && !isLive(lease, now)) {
    const repairReason = `the lease of its workflow task expired at ${formatInstant(lease.expiresAt)}`
    return { state: 'repair_needed', repairReason, waitKind }
  }
  switch (run.progress) {
    case 'workflow_task_ready':
    case 'workflow_task_leased':
      return { state: run.progress, repairReason: undefined, waitKind }
    case 'replay_blocked':
      return { state: 'workflow_replay_blocked', repairReason: run.replayBlockedReason, waitKind: undefined }
    case 'message':
      return { state: 'repair_needed', repairReason: 'nothing is scheduled for it', waitKind: undefined }
    case 'parallel_group':
      return {
        state: waitKind === 'activity' ? 'waiting_for_activity' : 'timer_scheduled',
        repairReason: undefined,
        waitKind,
      }
    case 'activity':
      return { state: 'waiting_for_activity', repairReason: undefined, waitKind }
    case 'timer':
      return { state: 'timer_scheduled', repairReason: undefined, waitKind }
    case 'signal_wait':
      return { state: 'waiting_for_signal', repairReason: undefined, waitKind }
    case 'condition_wait':
      return { state: 'waiting_for_condition', repairReason: undefined, waitKind }
  }
}

const waitKinds: { readonly [Kind in ProgressKind]?: string } = {
  workflow_task_ready: 'workflow-task',
  workflow_task_leased: 'workflow-task',
  activity: 'activity',
  timer: 'timer',
  signal_wait: 'signal',
  condition_wait: 'condition',
}

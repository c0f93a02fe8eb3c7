// Repair of a whole namespace, for the admin (control plane 2, §15.2).
import {
  engineLimits,
  type Handed,
  type RepairReport,
  type RepairScope,
  type RepairStatus,
} from '@durable-workflow/engine'
import { defaults, limits } from '@durable-workflow/protocol'
import { type Answer, done } from '../reply.ts'
import { type Call, type Route, route } from '../route.ts'
import { instantOrNull, type WireFacts } from '../wire-facts.ts'

export const repairRoutes: readonly Route[] = [
  route('getRepairStatus', async ({ namespace, server }) => {
    const status = await server.engine.repair.status(namespace)
    return done({ policy, candidates: candidates(status) })
  }),
  route('runRepairPass', pass),
]

/** The knobs of repair (L-10). */
const policy: WireFacts = {
  redispatch_after_seconds: defaults.repairRedispatchSeconds,
  loop_throttle_seconds: defaults.repairThrottleSeconds,
  scan_limit: engineLimits.repairScanRows,
  scan_strategy: 'scope_fair_round_robin',
  failure_backoff_max_seconds: limits.taskFailureBackoffSecondsMax,
  failure_backoff_strategy: 'exponential_by_repair_count',
}

function candidates({ scopes, scanPressure, oldestTaskCreatedAt, oldestRunStartedAt }: RepairStatus): WireFacts {
  const tasks = sum(scopes.map((scope) => scope.tasks))
  const runs = sum(scopes.map((scope) => scope.blockedRuns))
  return {
    total_candidates: tasks + runs,
    existing_task_candidates: tasks,
    missing_task_candidates: runs,
    scan_pressure: scanPressure,
    oldest_task_candidate_created_at: instantOrNull(oldestTaskCreatedAt),
    oldest_missing_run_started_at: instantOrNull(oldestRunStartedAt),
    scopes: scopes.map(scopeFacts),
  }
}

function scopeFacts({ taskQueue, tasks, blockedRuns, selected }: RepairScope): WireFacts {
  return {
    scope_key: taskQueue,
    existing_task_candidates: tasks,
    missing_task_candidates: blockedRuns,
    total_candidates: tasks + blockedRuns,
    selected_total_candidates: selected,
    scan_limited_by_global_policy: selected < tasks + blockedRuns,
  }
}

async function pass({ body, namespace, server }: Call<'runRepairPass'>): Promise<Answer> {
  const runIds = body?.run_ids ?? []
  const workflowId = body?.instance_id ?? undefined
  const report = await server.engine.repair.pass({ namespace, runIds, workflowId })
  const failed = [report.tasks, report.blockedRuns, report.expiredRuns, report.activities].some(
    ({ failures }) => failures.length > 0,
  )
  const filter = { connection: null, queue: null, run_ids: runIds, instance_id: workflowId ?? null }
  return done({ ...filter, ...reportFacts(report) }, { how: failed ? 'partly' : 'ok' })
}

function reportFacts({ tasks, blockedRuns, expiredRuns, activities, ...report }: RepairReport): WireFacts {
  return {
    respect_throttle: report.respectsThrottle,
    throttled: report.throttled,
    selected_existing_task_candidates: tasks.selected,
    selected_missing_task_candidates: blockedRuns.selected,
    selected_total_candidates: tasks.selected + blockedRuns.selected,
    repaired_existing_tasks: tasks.repaired,
    repaired_missing_tasks: blockedRuns.repaired,
    dispatched_tasks: tasks.repaired + blockedRuns.repaired,
    existing_task_failures: failuresOf(tasks, 'candidate_id'),
    missing_run_failures: failuresOf(blockedRuns, 'run_id'),
    deadline_expired_candidates: expiredRuns.selected,
    deadline_expired_tasks_created: expiredRuns.repaired,
    deadline_expired_failures: failuresOf(expiredRuns, 'run_id'),
    activity_timeout_candidates: activities.selected,
    activity_timeouts_enforced: activities.repaired,
    activity_timeout_failures: failuresOf(activities, 'execution_id'),
    // Contracts are stored with a registration, whole: there is nothing to backfill.
    selected_command_contract_candidates: 0,
    backfilled_command_contracts: 0,
    command_contract_backfill_unavailable: 0,
    command_contract_failures: [],
  }
}

function failuresOf({ failures }: Handed, name: string): WireFacts[] {
  return failures.map(({ id, message }) => ({ [name]: id, message }))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

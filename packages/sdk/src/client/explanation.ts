// Why a run waits, in words, from the facts of its debug document.
import { isTrue, listOf, memberOf, numberOf, textOf } from '../transport/json.ts'

/** Sentences, the most important first; never empty. */
export function explain(document: unknown): string[] {
  const said = listOf(document, 'explanation').filter((line) => typeof line === 'string')
  const own = said.length > 0 ? said : fromFacts(document)
  const findings = listOf(document, 'findings').map((finding) => textOf(finding, 'message'))
  const lines = [...own, ...findings].filter((line) => line !== undefined)
  return [...new Set(lines)]
}

function fromFacts(document: unknown): string[] {
  const execution = memberOf(document, 'execution')
  const status = textOf(execution, 'status') ?? 'unknown'
  const state = `The run is ${status} (${textOf(document, 'diagnostic_status') ?? 'no diagnosis'}).`
  const reasons = [textOf(execution, 'liveness_reason'), textOf(execution, 'wait_reason')].filter(
    (line) => line !== undefined,
  )
  const tasks = listOf(document, 'pending_workflow_tasks').map(taskLine)
  const activities = listOf(document, 'pending_activities').map(activityLine)
  return [state, ...reasons, ...tasks, ...activities]
}

function taskLine(task: unknown): string {
  if (isTrue(task, 'replay_blocked')) {
    return `Its workflow task is blocked in replay: ${textOf(task, 'replay_blocked_reason') ?? 'no reason given'}.`
  }
  if (textOf(task, 'status') === 'leased') {
    const expired = isTrue(task, 'lease_expired') ? ', and that lease has expired' : ''
    return `Its workflow task is leased by ${textOf(task, 'lease_owner') ?? 'a worker'}${expired}.`
  }
  return `A workflow task is ${textOf(task, 'status') ?? 'pending'} on queue ${textOf(task, 'queue') ?? 'unknown'} since ${textOf(task, 'available_at') ?? 'now'}.`
}

function activityLine(activity: unknown): string {
  const name = textOf(activity, 'activity_type') ?? 'unknown'
  const attempts = numberOf(activity, 'attempt_count') ?? 0
  return `Activity "${name}" is ${textOf(activity, 'status') ?? 'pending'} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}.`
}

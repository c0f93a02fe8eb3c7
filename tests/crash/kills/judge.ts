// What must hold after any kills: every run completed once with the right result, every step was recorded once, every
// effect belongs to an attempt that history knows, and an effect that no result came from belongs to an attempt that was
// lost and is known to be. Pure: the evidence is handed in, so that the judge is tested with planted faults.
import type { Expected } from './contracts.ts'

export interface RunEvidence {
  readonly workflowId: string
  readonly expected: Expected
  /** Every run that the database has of this workflow. */
  readonly runs: readonly { readonly runId: string; readonly status: string }[]
  /** What the client was answered. */
  readonly output: unknown
  /** Of all its runs, oldest first. */
  readonly events: readonly EventEvidence[]
  readonly activities: readonly ActivityEvidence[]
}

export interface EventEvidence {
  readonly sequence: number
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

export interface ActivityEvidence {
  readonly activityId: string
  /** Attempts that the row remembers as over, with how they ended. */
  readonly closedAttempts: readonly { readonly attempt: number; readonly status: string }[]
}

/** One execution of an activity, as its worker wrote it down. */
export interface EffectLine {
  /** The idempotency key: the same for every attempt of one execution. */
  readonly key: string
  readonly attempt: number
  readonly activityId: string
}

export interface Judgement {
  /** In words; empty when all is well. */
  readonly problems: readonly string[]
  readonly steps: number
  /** Attempts that began and whose report was never recorded. */
  readonly lostAttempts: number
  /** Effects of lost attempts: what a worker did and could not tell. */
  readonly explainedEffects: number
}

export function judge(runs: readonly RunEvidence[], effects: readonly EffectLine[]): Judgement {
  const problems: string[] = []
  const byActivity = Map.groupBy(effects, ({ activityId }) => activityId)
  const keys = Map.groupBy(effects, ({ key }) => key)
  for (const [key, lines] of keys) {
    if (new Set(lines.map(({ activityId }) => activityId)).size > 1)
      problems.push(`idempotency key ${key} stands for more than one execution`)
  }
  let lostAttempts = 0
  let explainedEffects = 0
  let steps = 0
  const known = new Set<string>()
  for (const run of runs) {
    const say = (what: string) => problems.push(`${run.workflowId}: ${what}`)
    judgeRun(run, say)
    for (const execution of executionsOf(run)) {
      known.add(execution.activityId)
      steps += 1
      const judged = judgeExecution(execution, byActivity.get(execution.activityId) ?? [], say)
      lostAttempts += judged.lost
      explainedEffects += judged.explained
    }
  }
  for (const [activityId, lines] of byActivity) {
    if (!known.has(activityId)) problems.push(`${lines.length} effects of ${activityId}, which no history schedules`)
  }
  return { problems, steps, lostAttempts, explainedEffects }
}

type Say = (what: string) => void

function judgeRun({ expected, runs, output, events }: RunEvidence, say: Say): void {
  if (runs.length !== 1) say(`${runs.length} runs instead of one`)
  if (runs.some(({ status }) => status !== 'completed')) say(`ended as ${runs.map(({ status }) => status).join(', ')}`)
  if (JSON.stringify(output) !== JSON.stringify(expected.output))
    say(`answered ${JSON.stringify(output)} instead of ${JSON.stringify(expected.output)}`)
  if (events.some(({ sequence }, at) => sequence !== at + 1))
    say(`history is not dense: ${events.map(({ sequence }) => sequence).join(' ')}`)
  const count = (type: string) => events.filter((event) => event.type === type).length
  const demand = (type: string, wanted: number) => {
    if (count(type) !== wanted) say(`${count(type)} ${type} instead of ${wanted}`)
  }
  demand('WorkflowStarted', 1)
  demand('WorkflowCompleted', 1)
  if (events.at(-1)?.type !== 'WorkflowCompleted') say(`history ends with ${events.at(-1)?.type}`)
  demand('ActivityScheduled', expected.activities)
  demand('ActivityCompleted', expected.activities)
  demand('TimerScheduled', expected.timers)
  demand('TimerFired', expected.timers)
  if (count('ActivityRetryScheduled') > expected.failures)
    say(`${count('ActivityRetryScheduled')} retries, at most ${expected.failures}`)
  const steps = events.filter(({ type }) => beginsStep.has(type)).map(({ payload }) => Number(payload.sequence))
  if (new Set(steps).size !== steps.length) say(`a step was recorded twice: ${steps.join(' ')}`)
}

const beginsStep: ReadonlySet<string> = new Set([
  'ActivityScheduled',
  'TimerScheduled',
  'SignalWaitOpened',
  'SideEffectRecorded',
  'VersionMarkerRecorded',
])
const endsActivity: ReadonlySet<string> = new Set([
  'ActivityCompleted',
  'ActivityFailed',
  'ActivityTimedOut',
  'ActivityCancelled',
])

/** One scheduled call of an activity, as history has it. */
interface Execution {
  readonly activityId: string
  /** Attempt numbers in order of their start. */
  readonly started: readonly number[]
  /** Attempts whose failure was recorded. */
  readonly failed: readonly number[]
  /** Attempts that ended the execution, with how. */
  readonly ended: readonly { readonly type: string; readonly attempt: number | undefined }[]
  /** Attempts that the row says were lost. */
  readonly expired: readonly number[]
}

function executionsOf({ events, activities }: RunEvidence): Execution[] {
  const of = Map.groupBy(
    events.filter(({ payload }) => typeof payload.activity_execution_id === 'string'),
    ({ payload }) => String(payload.activity_execution_id),
  )
  const expired = new Map(
    activities.map(({ activityId, closedAttempts }) => [
      activityId,
      closedAttempts.filter(({ status }) => status === 'expired').map(({ attempt }) => attempt),
    ]),
  )
  return [...of].map(([activityId, mine]) => {
    const starts = mine.filter(({ type }) => type === 'ActivityStarted')
    const numbers = new Map(
      starts.map(({ payload }) => [payload.activity_attempt_id, Number(payload.attempt_number)] as const),
    )
    return {
      activityId,
      started: starts.map(({ payload }) => Number(payload.attempt_number)),
      failed: mine
        .filter(({ type }) => type === 'ActivityRetryScheduled')
        .map(({ payload }) => Number(payload.retry_after_attempt)),
      ended: mine
        .filter(({ type }) => endsActivity.has(type))
        .map(({ type, payload }) => ({ type, attempt: numbers.get(payload.activity_attempt_id) })),
      expired: expired.get(activityId) ?? [],
    }
  })
}

function judgeExecution(
  { activityId, started, failed, ended, expired }: Execution,
  effects: readonly EffectLine[],
  say: Say,
): { readonly lost: number; readonly explained: number } {
  if (started.some((attempt, at) => attempt !== at + 1)) say(`${activityId}: attempts ${started.join(' ')} have a gap`)
  const [end] = ended
  if (ended.length !== 1 || end?.type !== 'ActivityCompleted' || end.attempt !== started.length)
    say(`${activityId}: ended as ${JSON.stringify(ended)} after ${started.length} attempts`)
  const reported = [...failed, ...ended.map(({ attempt }) => attempt)]
  const lost = started.filter((attempt) => !reported.includes(attempt))
  for (const attempt of lost) {
    if (!expired.includes(attempt))
      say(`${activityId}: attempt ${attempt} was never reported, and nobody knows that it was lost`)
  }
  for (const attempt of started) {
    const lines = effects.filter((line) => line.attempt === attempt).length
    if (lost.includes(attempt) ? lines > 1 : lines !== 1)
      say(`${activityId}: attempt ${attempt} left ${lines} effects${lost.includes(attempt) ? ' and was lost' : ''}`)
  }
  const unexplained = effects.filter(({ attempt }) => !started.includes(attempt))
  for (const { attempt } of unexplained) say(`${activityId}: an effect of attempt ${attempt}, which never started`)
  return { lost: lost.length, explained: effects.filter(({ attempt }) => lost.includes(attempt)).length }
}

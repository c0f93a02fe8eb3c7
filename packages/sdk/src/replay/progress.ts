// How far a replay has come: position, deterministic time, and whether what happens now is news.
import type { Logger, WorkflowInfo } from '../authoring/context.ts'
import type { Entry } from './history.ts'
import type { LogLevel, ReplayOptions, ReplayTask, RunFacts } from './options.ts'

export interface Progress {
  /** A task begins: what it says about the run replaces what the one before said. */
  begin(task: ReplayTask): void
  /** Counts an event and moves time forward; time never goes back. */
  advance(entry: Entry): void
  /** Says whether authored code now runs for the first time; its log is silent otherwise. */
  setLive(isLive: boolean): void
  now(): number
  readonly lastSequence: number
  readonly events: number
  /** Nothing that happens now will be recorded. */
  readonly isReadOnly: boolean
  /** Facts of the run that change from task to task. */
  readonly task: Pick<RunFacts, 'attempt' | 'historyBytes' | 'continueAsNewSuggested'>
  readonly log: Logger
}

export function createProgress(run: RunFacts, log: ReplayOptions['log']): Progress {
  let isLive = false
  let time: number | undefined
  let events = 0
  let lastSequence = 0
  let isReadOnly = false
  let { attempt, historyBytes, continueAsNewSuggested } = run
  const say = (level: LogLevel) => (message: string, facts?: Record<string, unknown>) => {
    if (isLive) log(level, message, facts ?? {})
  }
  return {
    begin(task) {
      isReadOnly = task.readOnly === true
      attempt = task.attempt ?? attempt
      historyBytes = task.historyBytes ?? historyBytes
      continueAsNewSuggested = task.continueAsNewSuggested ?? continueAsNewSuggested
    },
    advance(entry) {
      events += 1
      lastSequence = entry.position === undefined ? lastSequence + 1 : Math.max(lastSequence, entry.position)
      if (entry.recordedAt !== undefined) time = Math.max(time ?? 0, entry.recordedAt)
    },
    setLive: (next) => {
      isLive = next
    },
    now: () => time ?? run.startedAt,
    get lastSequence() {
      return lastSequence
    },
    get events() {
      return events
    },
    get isReadOnly() {
      return isReadOnly
    },
    get task() {
      return { attempt, historyBytes, continueAsNewSuggested }
    },
    log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
  }
}

/** `ctx.info`: facts of the run, and how much of its history the code has seen. */
export function infoOf(run: RunFacts, progress: Progress): WorkflowInfo {
  return {
    workflowId: run.workflowId,
    runId: run.runId,
    workflowType: run.workflowType,
    namespace: run.namespace,
    taskQueue: run.taskQueue,
    get attempt() {
      return progress.task.attempt
    },
    startedAt: run.startedAt,
    get historyLength() {
      return progress.events
    },
    get historyBytes() {
      return progress.task.historyBytes
    },
    get continueAsNewSuggested() {
      return progress.task.continueAsNewSuggested
    },
  }
}

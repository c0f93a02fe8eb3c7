import type { PayloadValue } from '@durable-workflow/codec'
import type { WorkflowInfo } from '../authoring/context.ts'
import type { WorkflowImplementation } from '../authoring/workflow.ts'

/** Plain facts of the run that history does not state; `startedAt` is the clock of a history whose events carry no instant. */
export type RunFacts = Omit<WorkflowInfo, 'historyLength'>

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface ReplayOptions {
  readonly workflow: WorkflowImplementation
  readonly run: RunFacts
  /** The task's decoded arguments: the input of a start is not in history. */
  readonly arguments: readonly PayloadValue[]
  readonly capabilities: { readonly millisecondDurations: boolean }
  /** Bytes of one encoded payload; default `limits.payloadBytesMax`, 2 MiB. */
  readonly payloadBytesMax?: number | undefined
  /** Compares the end of a closed run, too: its result or failure, and that the code makes no call that history lacks. */
  readonly comparesEnding?: boolean | undefined
  /** Resolves when no microtask is left. */
  readonly drain: () => Promise<void>
  /** Runs what is computed once, the function of a side effect, out of the guard's context; left out: as it is. */
  readonly outside?: (<T>(fn: () => T) => T) | undefined
  /** Runs authored code in the guard's context. */
  readonly enter: <T>(fn: () => T) => T
  /** Whether the caller runs in this run's context; left out: not checked. */
  readonly inside?: (() => boolean) | undefined
  /** Receives what authored code logs, but not while known history is replayed. */
  readonly log: (level: LogLevel, message: string, facts: Record<string, unknown>) => void
}

/** What a task says about why it was made. */
export interface ReplayTask {
  readonly openWaitId?: string | undefined
  readonly resumeSourceKind?: string | undefined
  /** Engine time of the task, epoch ms. Not used: code sees only time that history repeats. */
  readonly now?: number | undefined
  /** Nothing that happens now will be recorded: the replay is for a query. */
  readonly readOnly?: boolean | undefined
  /** What `ctx.info` says from now on; left out: as before. */
  readonly attempt?: number | undefined
  readonly historyBytes?: number | undefined
  readonly continueAsNewSuggested?: boolean | undefined
}

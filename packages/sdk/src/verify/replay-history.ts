// New code against an old history: the proof, before a deploy, that open runs will go on and closed ones would end the same.
//
// Method: the whole history is replayed cold, under the guard, as a worker without a cache would; then once more from every
// place where a worker may have had to start over, up to the rows that its task wrote. Side effects are never run.
import { CodecError, decodeArguments, encodeArguments, type PayloadValue } from '@durable-workflow/codec'
import { argumentsFromInput, validateInput } from '../authoring/contract.ts'
import {
  ContractError,
  GuardError,
  MissingHandlerError,
  NonDeterminismError,
  PayloadTooLargeError,
} from '../authoring/failure.ts'
import type { WorkflowImplementation } from '../authoring/workflow.ts'
import { type Guard, installGuard } from '../guard/guard.ts'
import { createReplay, type Replay, type ReplayStep } from '../replay/replay.ts'
import { type Cut, cutsOf, knownFromCommandsAlone } from './cuts.ts'
import { type HistoryInput, type RecordedRun, readRecordedRun } from './recorded-run.ts'

/** What a replay must know that events do not say. */
export interface ReplayHistoryOptions {
  /** What the run was started with; events do not say it. Needed where the contract declares an input. */
  readonly input?: unknown
  /** What `ctx.info` says; default: what an export says, else `default`. */
  readonly taskQueue?: string | undefined
  /** What `ctx.info` says; default: what an export says, else `default`. */
  readonly namespace?: string | undefined
  /** Places to start over from, spread evenly; default 1,000: all of them, but in very long histories. */
  readonly cuts?: number | undefined
}

/** Why code does not fit a history: each of these would fail the workflow task and leave the run open, with its facts and remedy. */
export type ReplayMismatch = NonDeterminismError | GuardError | MissingHandlerError | PayloadTooLargeError

/** What a replay of a history found. */
export type ReplayReport =
  | {
      readonly ok: true
      /** Events of the history. */
      readonly events: number
      /** Durable calls that the history has recorded. */
      readonly steps: number
      /** Replays that were made: one of the whole, one for every place to start over from. */
      readonly replays: number
      /** `open`: the history goes on; `closed`: it was ended from outside, wherever the code was. */
      readonly ending: 'completed' | 'failed' | 'closed' | 'open'
    }
  | { readonly ok: false; readonly events: number; readonly mismatch: ReplayMismatch }

/**
 * Replays a recorded history with today's code.
 *
 * Every durable call is compared with what is recorded, by the rules by which a worker compares; besides, code must make no call
 * and come to no end that a closed run's history does not have, down to the bytes of the result.
 *
 * @returns what was found; a mismatch is an answer, not an error
 * @throws ContractError `invalid_history` for what is no history; `history_of_another_workflow`; `history_without_input`;
 *   `invalid_input` for an input that the contract refuses
 * @example
 * const report = await replayHistory(checkoutImpl, await client.get(checkout, 'order-42').export())
 * if (!report.ok) throw report.mismatch
 */
export async function replayHistory(
  workflow: WorkflowImplementation,
  history: HistoryInput,
  options: ReplayHistoryOptions = {},
): Promise<ReplayReport> {
  const run = await readRecordedRun(history)
  if (run.workflowType !== '' && run.workflowType !== workflow.name) throw anotherWorkflow(workflow, run)
  const args = await argumentsOf(workflow, run, options)
  const guard = installGuard()
  try {
    return await verify(run, () => openReplay(guard, workflow, run, args, options), options.cuts ?? cutsMaxDefault)
  } catch (error) {
    if (isMismatch(error)) return { ok: false, events: run.events.length, mismatch: error }
    throw CodecError.is(error) ? unreadable(run, error) : error
  } finally {
    guard.uninstall()
  }
}

const cutsMaxDefault = 1_000

async function verify({ events }: RecordedRun, open: () => Replay, cutsMax: number): Promise<ReplayReport> {
  const cuts = cutsOf(events, cutsMax)
  const whole = await disposing(open(), (replay) => replay.step(events, readOnly))
  for (const cut of cuts) await disposing(open(), (replay) => startOver(replay, events, cut))
  return {
    ok: true,
    events: events.length,
    steps: whole.recordedSteps,
    replays: 1 + cuts.length,
    ending: endingOf(whole),
  }
}

// What is computed now would not be what history has later.
const readOnly = { readOnly: true } as const

async function startOver(replay: Replay, events: RecordedRun['events'], { at, end }: Cut): Promise<void> {
  const { commands } = await replay.step(events.slice(0, at), readOnly)
  // A version decided here is the newest; a run from before the change has another, and says so only further on.
  if (commands.some(({ type }) => type === 'record_version_marker')) return
  await replay.step(knownFromCommandsAlone(events.slice(at, end)), readOnly)
}

async function disposing<T>(replay: Replay, work: (replay: Replay) => Promise<T>): Promise<T> {
  try {
    return await work(replay)
  } finally {
    replay.dispose()
  }
}

function endingOf({ closedBy, outcome }: ReplayStep): 'completed' | 'failed' | 'closed' | 'open' {
  if (closedBy === undefined) return 'open'
  if (closedBy === 'outside' || outcome.kind === 'waiting') return 'closed'
  return outcome.kind
}

function openReplay(
  guard: Guard,
  workflow: WorkflowImplementation,
  run: RecordedRun,
  args: readonly PayloadValue[],
  options: ReplayHistoryOptions,
): Replay {
  const replay: Replay = createReplay({
    workflow,
    run: {
      workflowId: run.workflowId,
      runId: run.runId,
      workflowType: workflow.name,
      namespace: options.namespace ?? run.namespace ?? 'default',
      taskQueue: options.taskQueue ?? run.taskQueue ?? 'default',
      attempt: 1,
      startedAt: startOf(run),
      historyBytes: 0,
      continueAsNewSuggested: false,
    },
    arguments: args,
    capabilities: { millisecondDurations: true },
    comparesEnding: true,
    drain,
    outside: guard.outside,
    enter: (fn) => guard.enter(replay, fn),
    inside: () => guard.current() === replay,
    // What code logs it has logged long ago.
    log: () => undefined,
  })
  return replay
}

// Taken before any test puts false timers in its place.
const nextTurn = setImmediate
const drain = () => new Promise<void>((resolve) => void nextTurn(resolve))

function startOf({ events }: RecordedRun): number {
  const instant = Date.parse(events[0]?.recorded_at ?? '')
  return Number.isNaN(instant) ? 0 : instant
}

async function argumentsOf(
  workflow: WorkflowImplementation,
  run: RecordedRun,
  options: ReplayHistoryOptions,
): Promise<readonly PayloadValue[]> {
  if (!('input' in options)) {
    if (run.arguments === undefined && workflow.input !== undefined) throw withoutInput(workflow)
    return run.arguments ?? []
  }
  // As they travel: what the client has checked, and what a payload keeps of it.
  const values = argumentsFromInput(workflow, await validateInput(workflow, options.input))
  return decodeArguments(encodeArguments(values))
}

function isMismatch(error: unknown): error is ReplayMismatch {
  return (
    NonDeterminismError.is(error) ||
    GuardError.is(error) ||
    MissingHandlerError.is(error) ||
    PayloadTooLargeError.is(error)
  )
}

function anotherWorkflow(workflow: WorkflowImplementation, run: RecordedRun): ContractError {
  return new ContractError(
    `The history is one of workflow type "${run.workflowType}", the code is "${workflow.name}"; give the workflow that the run was started with.`,
    {
      reason: 'history_of_another_workflow',
      facts: { recorded: run.workflowType, workflowType: workflow.name, runId: run.runId },
    },
  )
}

function withoutInput(workflow: WorkflowImplementation): ContractError {
  const remedy =
    'Pass what the run was started with: replayHistory(workflow, history, { input }), or give it what handle.export() resolves to.'
  return new ContractError(`Workflow "${workflow.name}" takes an input, and events do not say it. ${remedy}`, {
    reason: 'history_without_input',
    facts: { workflowType: workflow.name },
    remedy,
  })
}

function unreadable(run: RecordedRun, cause: CodecError): ContractError {
  return new ContractError(`The history of run ${run.runId} has a payload that cannot be read: ${cause.message}`, {
    reason: 'invalid_history',
    facts: { workflowId: run.workflowId, runId: run.runId },
    cause,
  })
}

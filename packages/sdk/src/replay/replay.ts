// Replay: authored code against history, commands out.
//
// Owns:      the order in which events reach authored code, step numbers, the commands of one step.
// Does not:  know a socket, a clock, a task or a retry. What it needs of the world is handed in.
//
// Invariants
//   RP1  Authored code advances only inside step() (and a query's handler inside query()).
//   RP2  One event is applied, microtasks are drained, then the next.
//   RP3  Commands leave in authored order and take their step number at emission.
//   RP4  Cancellation enters authored code only at a delivered boundary.
//   RP5  The same history gives the same commands, byte for byte, cold or in steps.

import type { PayloadValue } from '@durable-workflow/codec'
import type { Command, HistoryEvent } from '@durable-workflow/protocol'
import { messageOf, typeOf } from '../authoring/failure-wire.ts'
import { locationOf } from '../authoring/place.ts'
import { createAhead } from './ahead.ts'
import { createApplier } from './apply.ts'
import { createAuthoredRun } from './authored-run.ts'
import { type Call, type Calls, createCalls } from './calls.ts'
import type { EmittedCommand } from './commands.ts'
import { createDecisions } from './decisions.ts'
import { groupFields } from './group.ts'
import { isWrittenByTask, readEvent } from './history.ts'
import { createMismatches } from './mismatch.ts'
import { notIdle } from './misuse.ts'
import type { ReplayOptions, ReplayTask } from './options.ts'
import { createProgress } from './progress.ts'
import { baseBytes, bytesOfCall, bytesPerEvent } from './size.ts'

export type { LogLevel, ReplayOptions, ReplayTask, RunFacts } from './options.ts'

export interface ReplayStep {
  /** Emitted since the last step, in authored order; a terminal command is the last. */
  readonly commands: Command[]
  /** The step number of each command; undefined for a terminal one. */
  readonly steps: readonly (number | undefined)[]
  readonly outcome: { readonly kind: 'waiting' } | { readonly kind: 'completed' } | { readonly kind: 'failed' }
  /** Steps of recorded condition waits that the code has moved past and no commands have named before. */
  readonly resolvedWaits: number[]
  /** The signal of this task's resume was consumed before history shows it as applied. */
  readonly appliedSignal: boolean
  /** Durable calls that history has recorded so far. */
  readonly recordedSteps: number
  /** Who ended the run in history: its code, or a cancel, a termination, a time limit; undefined while it is open. */
  readonly closedBy: 'code' | 'outside' | undefined
  /** Calls without an outcome, those of this step included; never fewer than `pending` counts. */
  readonly openCalls: number
  /** What the run has open after this step, timers of waits counted as timers. */
  pending(): { readonly activities: number; readonly timers: number }
}

export interface Replay {
  /**
   * Applies events not applied before; cold that is the whole history, sticky the new tail.
   *
   * @throws what fails the task, never the run: NonDeterminismError, GuardError, MissingHandlerError, PayloadTooLargeError,
   *   CodecError. Nothing may be asked of this replay afterwards but `dispose`.
   */
  step(events: readonly HistoryEvent[], task: ReplayTask): Promise<ReplayStep>
  /**
   * Answers a query from the state after all applied events.
   *
   * @throws RefusedError `rejected_unknown_query`; ContractError for input or output that does not fit; what the handler throws
   */
  query(name: string, args: readonly PayloadValue[]): Promise<PayloadValue>
  /** Position of the newest event applied; 0 before the first. */
  readonly lastSequence: number
  /** Bytes this replay holds in memory, on the safe side; for the bound of the sticky cache. */
  readonly size: number
  /** Deterministic time, epoch ms. With `random` and `uuid` a replay is the guard's context of its run. */
  now(): number
  random(): number
  uuid(): string
  /** A branch of authored code failed and nobody waits for it, or not yet: the run's log says so, and the run goes on. */
  unhandled?(error: unknown): void
  /** Promises of authored code never settle after this. */
  dispose(): void
}

function commandOf(call: Call): EmittedCommand {
  const group = groupFields(call)
  return group === undefined ? call.command : { ...call.command, ...group }
}

function pendingOf(calls: Calls): { readonly activities: number; readonly timers: number } {
  let activities = 0
  let timers = 0
  for (const { command } of calls.open()) {
    if (command.type === 'schedule_activity') activities += 1
    else if (command.type === 'start_timer' || ('timeout_seconds' in command && command.timeout_seconds !== undefined))
      timers += 1
  }
  return { activities, timers }
}

/** A replay that has seen no event yet. */
export function createReplay(options: ReplayOptions): Replay {
  const progress = createProgress(options.run, options.log)
  const calls = createCalls()
  const decisions = createDecisions()
  const ahead = createAhead(calls, decisions)
  const mismatches = createMismatches(options.run, calls)
  const authored = createAuthoredRun(options, { progress, calls, decisions, ahead, mismatches })
  const applier = createApplier(authored, decisions, mismatches, options.comparesEnding === true)
  let terminalSent = false

  const take = (appliedSignal: boolean): ReplayStep => {
    const fresh = applier.closedBy !== undefined ? [] : calls.takeUnsent()
    const commands: EmittedCommand[] = fresh.map(commandOf)
    const steps: (number | undefined)[] = fresh.map((call) => call.step)
    if (authored.terminal !== undefined && !terminalSent && applier.closedBy === undefined) {
      terminalSent = true
      commands.push(authored.terminal)
      steps.push(undefined)
    }
    // Only a completion can name them: a waiting acknowledgement leaves them for the next step with commands.
    const resolvedWaits = commands.length === 0 ? [] : [...authored.passedWaits]
    for (const step of resolvedWaits) authored.passedWaits.delete(step)
    return {
      commands,
      steps,
      outcome: { kind: authored.ending?.kind ?? 'waiting' },
      resolvedWaits,
      appliedSignal,
      recordedSteps: calls.recordedCount,
      closedBy: applier.closedBy,
      openCalls: calls.size,
      pending: () => pendingOf(calls),
    }
  }

  const advance = async (events: readonly HistoryEvent[], task: ReplayTask): Promise<ReplayStep> => {
    const entries = events.map(readEvent)
    ahead.load(entries)
    progress.begin(task)
    const lastKnown = entries.findLastIndex((entry) => isWrittenByTask(entry.type))
    for (const [index, entry] of entries.entries()) {
      progress.setLive(index > lastKnown)
      progress.advance(entry)
      if (entry.fact.kind !== 'nothing' && applier.closedBy === undefined) await authored.start()
      ahead.moveTo(index + 1)
      await applier.apply(entry)
    }
    // A replay that is kept holds no history.
    ahead.load([])
    progress.setLive(applier.closedBy === undefined)
    if (applier.closedBy === undefined) await authored.start()
    return take(await applier.resume(task))
  }

  return {
    async step(events, task) {
      if (authored.mode !== 'idle') throw notIdle(authored.mode, options.run.runId)
      authored.setMode('stepping')
      try {
        const step = await advance(events, task)
        authored.setMode('idle')
        return step
      } catch (error) {
        // Half-applied code cannot be trusted again: the next task replays from history.
        authored.setMode('disposed')
        throw error
      } finally {
        progress.setLive(false)
      }
    },
    async query(name, args) {
      if (authored.mode !== 'idle') throw notIdle(authored.mode, options.run.runId)
      authored.setMode('answering')
      try {
        return await authored.answer(name, args)
      } finally {
        authored.setMode('idle')
      }
    },
    get lastSequence() {
      return progress.lastSequence
    },
    get size() {
      let bytes = baseBytes + progress.events * bytesPerEvent + authored.givenBytes
      for (const { command, groups } of calls.open()) bytes += bytesOfCall(command, groups.length)
      return bytes
    },
    now: progress.now,
    random: authored.random,
    uuid: authored.uuid,
    unhandled(error) {
      const message = `A branch of the workflow failed and nobody awaits it: ${messageOf(error)}`
      progress.log.warn(message, {
        type: typeOf(error),
        place: error instanceof Error ? locationOf(error.stack) : undefined,
      })
    },
    dispose() {
      authored.setMode('disposed')
      authored.forget()
    },
  }
}

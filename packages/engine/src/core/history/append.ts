import type { EventPayloads, EventType } from '@durable-workflow/protocol'
import type { Draft } from '../decision/draft.ts'
import { InvariantError } from '../decision/draft-table.ts'
import { type IdKind, idIn } from '../state/ids.ts'
import type { Run } from '../state/run.ts'
import { utf8Bytes } from '../state/utf8.ts'

/** One event to be; a payload member that is undefined is absent (null is not absent: protocol/README, "Twelve things", 1). */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type
    readonly payload: EventPayloads[Type]
    readonly workflowTaskId?: string | undefined
    readonly commandId?: string | undefined
  }
}[EventType]

/**
 * Appends one event to a run's history: the only way to write one.
 *
 * @returns the position of the event, dense from 1
 */
export function append(draft: Draft, runId: string, event: NewEvent, now: number): number {
  const run = mustRun(draft, runId)
  const sequence = run.lastSequence + 1
  const payload = JSON.stringify(event.payload)
  draft.addEvent({
    eventId: idIn(runId, 'event', sequence),
    runId,
    sequence,
    type: event.type,
    payload,
    workflowTaskId: event.workflowTaskId,
    commandId: event.commandId,
    recordedAt: now,
  })
  draft.putRun({
    ...run,
    lastSequence: sequence,
    historyBytes: run.historyBytes + utf8Bytes(payload),
    lastProgressAt: now,
  })
  return sequence
}

/** Makes the next id of its kind in a run. */
export function nextId(draft: Draft, runId: string, kind: IdKind): string {
  const run = mustRun(draft, runId)
  draft.putRun({ ...run, lastId: run.lastId + 1 })
  return idIn(runId, kind, run.lastId + 1)
}

/** The run of a slice; its absence is a bug of ours, for the operation has checked it. */
export function mustRun(draft: Draft, runId: string): Run {
  const run = draft.run(runId)
  if (run === undefined) throw new InvariantError(`Run ${runId} is not in the draft.`)
  return run
}

/** Changes some fields of a run. */
export function patchRun(draft: Draft, runId: string, patch: Partial<Run>): Run {
  return draft.putRun({ ...mustRun(draft, runId), ...patch })
}

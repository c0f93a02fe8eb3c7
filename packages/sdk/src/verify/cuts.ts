// Where a worker may have to start over: before each batch of rows that one workflow task wrote.
import type { HistoryEvent } from '@durable-workflow/protocol'
import { isWrittenByTask } from '../replay/history.ts'

/** A place between two events. */
export interface Cut {
  /** Events before it: what a worker knew at most when it took the task. */
  readonly at: number
  /** Events up to the end of what the task wrote. */
  readonly end: number
}

/**
 * Cuts of a history, at most `max` of them, spread evenly.
 *
 * History does not name the tasks of every server, so batches are told by what only tasks write. A row that arrived while a task
 * was under way stands before the rows of that task; what code made of it follows in a later one.
 */
export function cutsOf(events: readonly HistoryEvent[], max: number): readonly Cut[] {
  const cuts: Cut[] = []
  for (let index = 0; index < events.length; index += 1) {
    if (!isOfTask(events[index])) continue
    const at = index
    while (isOfTask(events[index + 1])) index += 1
    cuts.push({ at, end: index + 1 })
  }
  if (cuts.length <= max) return cuts
  return Array.from({ length: max }, (_, index) => cuts[Math.floor((index * cuts.length) / max)]).filter(
    (cut) => cut !== undefined,
  )
}

function isOfTask(event: HistoryEvent | undefined): boolean {
  return event !== undefined && isWrittenByTask(event.event_type)
}

/** What a task wrote, up to the first row whose value the code had to know when it made the call. */
export function knownFromCommandsAlone(batch: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const first = batch.findIndex(({ event_type: type }) => recordsAValue.has(type))
  return first < 0 ? batch : batch.slice(0, first)
}

const recordsAValue: ReadonlySet<string> = new Set(['SideEffectRecorded', 'VersionMarkerRecorded'])

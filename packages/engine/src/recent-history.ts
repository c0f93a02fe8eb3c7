// The newest events that this server committed, by run: what a worker with a cache lacks is nearly always here, so that a
// claim with an offset reads nothing. Events never change once they are committed; what another server appended is simply
// not here, and the gap sends the reader to the store.
//
// Invariants
//   RH1  What is handed out is contiguous and complete: from just after the asked position to the asked end, or nothing.
//   RH2  Only committed events enter. Memory is bounded; the run that was touched longest ago goes first.

import type { HistoryEvent } from './core/state/history-event.ts'

/** Payload characters kept in all: about 16 MiB of text. */
const charactersMax = 8 * 1024 * 1024
/** What an event weighs besides its payload, in characters. */
const eventCharacters = 200

interface Recent {
  events: HistoryEvent[]
  characters: number
}

export class RecentHistory {
  readonly #runs = new Map<string, Recent>()
  #characters = 0

  /** Takes the events of a commit, in their order. */
  note(events: readonly HistoryEvent[]): void {
    for (const event of events) this.#append(event)
    while (this.#characters > charactersMax) this.#forgetOldest()
  }

  /** The events after a position up to and including `last`; undefined when they are not all here. What is before them is let go. */
  read(runId: string, after: number, last: number): readonly HistoryEvent[] | undefined {
    const recent = this.#runs.get(runId)
    if (recent === undefined) return undefined
    const start = recent.events.findIndex((event) => event.sequence === after + 1)
    const wanted = start < 0 ? [] : recent.events.slice(start, start + last - after)
    if (wanted.length !== last - after || wanted.at(-1)?.sequence !== last) return undefined
    this.#letGo(recent, start)
    return wanted
  }

  /** A run that closed needs nothing kept. */
  forget(runId: string): void {
    const recent = this.#runs.get(runId)
    if (recent === undefined) return
    this.#characters -= recent.characters
    this.#runs.delete(runId)
  }

  #append(event: HistoryEvent): void {
    const known = this.#runs.get(event.runId)
    // A gap means that another server wrote: what was here is of no more use.
    if (known !== undefined && known.events.at(-1)?.sequence !== event.sequence - 1) this.forget(event.runId)
    const recent = this.#runs.get(event.runId) ?? { events: [], characters: 0 }
    this.#runs.delete(event.runId)
    this.#runs.set(event.runId, recent)
    recent.events.push(event)
    const characters = eventCharacters + event.payload.length
    recent.characters += characters
    this.#characters += characters
  }

  #letGo(recent: Recent, count: number): void {
    for (const event of recent.events.splice(0, count)) {
      const characters = eventCharacters + event.payload.length
      recent.characters -= characters
      this.#characters -= characters
    }
  }

  #forgetOldest(): void {
    const oldest = this.#runs.keys().next().value
    if (oldest !== undefined) this.forget(oldest)
  }
}

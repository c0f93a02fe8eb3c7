// The one place where a language model is asked. A real one goes here: implement `Model` with its client, and read its answer
// with the schema `Turn`; a model that answers something else fails the attempt, and the attempt is repeated.
import { setTimeout as pause } from 'node:timers/promises'
import type { Conversation, Turn } from './contracts.ts'

export interface Model {
  /** What to do next. `signal` aborts when the attempt must stop: hand it to the HTTP client. */
  next(conversation: Conversation, signal: AbortSignal): Promise<Turn>
}

/** The system prompt, by version. Old versions stay for as long as a run is pinned to them. */
export const prompts: Readonly<Record<number, string>> = {
  1: 'You plan trips. Use the tools. Say when you are done.',
  2: 'You plan trips. Use the tools. Ask before you spend money. Say when you are done.',
}

/**
 * Stands for a model where there is none: it has learnt one part by heart, and reads from the notes where it stands.
 *
 * Like the real ones it is slow. Unlike them it gives the same answer to the same question.
 */
export class RehearsedModel implements Model {
  readonly #pauseMs: number

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  async next({ notes, prompt }: Conversation, signal: AbortSignal): Promise<Turn> {
    await pause(this.#pauseMs, undefined, { signal })
    const did = (verb: string) => notes.find((note) => note.did.startsWith(verb))
    if (did('searched') === undefined) return { kind: 'search', words: 'train and hotel to Porto' }
    if (did('added') === undefined) return { kind: 'calculate', numbers: [180, 240] }
    const asked = did('asked')
    if (asked === undefined && prompt >= 2) return { kind: 'ask', question: 'Book it for 420 euros?' }
    if (asked !== undefined && !/^yes/i.test(asked.saw)) return { kind: 'done', answer: `Not booked: ${asked.saw}` }
    const booked = did('booked')
    if (booked === undefined) return { kind: 'book', what: 'train and hotel to Porto', euros: 420 }
    return { kind: 'done', answer: `Booked, ${booked.saw}.` }
  }
}

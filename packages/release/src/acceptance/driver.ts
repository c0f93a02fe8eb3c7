// The conversation with the driver of a suite: one line a step, one line an answer.
import { fieldsOf } from '../fields.ts'
import { type Running, type Said, saidBy, Trouble } from './running.ts'
import type { Step } from './suite.ts'

/** A process that did work: its id, and when it began as it says itself. */
export interface Identity {
  readonly pid: number
  readonly startedAt: string
}

/** What a driver answers to a step that went well. */
export interface Answer {
  /** Facts that it compared. */
  readonly assertions: number
  readonly value: unknown
}

export interface Driver {
  readonly running: Running
  /** @throws Trouble when the step did not go well, when no answer comes in time, or when the worker ends meanwhile */
  take(step: Step, remainingMs: number): Promise<Answer>
  /** The process that does the work now. @throws Trouble when none does */
  identify(remainingMs: number): Promise<Identity>
}

/** What the driver may take longer than it was told, so that its own words about a deadline arrive. */
const graceMs = 5_000

/** @param workerDied  rejects when the worker has ended: nobody waits then for a step that needs it */
export function driverOf(running: Running, workerDied: () => Promise<never>): Driver {
  let asked = 0

  async function take(step: Step, remainingMs: number): Promise<Answer> {
    asked += 1
    const id = asked
    running.write(JSON.stringify({ id, step, remainingMs }))
    const isOurs = (said: Said): Said | undefined => (said.id === id ? said : undefined)
    const answer = running.told(`answer to ${step.do}`, isOurs, remainingMs + graceMs)
    const { ok, assertions, trouble, value } = await Promise.race([answer, workerDied()])
    if (ok !== true) {
      throw new Trouble(`${step.do}: ${textOf(trouble) ?? 'the driver did not say that it went well'}`)
    }
    return { assertions: typeof assertions === 'number' ? assertions : 0, value }
  }

  return {
    running,
    take,
    async identify(remainingMs) {
      const { value } = await take({ do: 'identify' }, remainingMs)
      const { pid, startedAt } = fieldsOf(value)
      if (typeof pid === 'number' && typeof startedAt === 'string') return { pid, startedAt }
      throw new Trouble(`identify: the driver answered ${JSON.stringify(value)}`)
    },
  }
}

/** Whether a line is an answer, which is no part of a log. */
export const isAnswer = (line: string): boolean => typeof saidBy(line)?.id === 'number'

/** A text with something in it. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

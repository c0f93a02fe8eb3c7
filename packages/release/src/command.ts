import type { Context } from './context.ts'
import { Misused, type Refused } from './refusal.ts'

/** An option of a command, as `node:util` parseArgs takes it, and its line of help. */
export interface Option {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly required?: boolean
  readonly says: string
}

/** What a command was given. Every access checks that the option is declared. */
export interface Given {
  /** @throws Misused when it is missing */
  text(name: string): string
  optional(name: string): string | undefined
  all(name: string): readonly string[]
  flag(name: string): boolean
  /** Words that are no options. */
  readonly words: readonly string[]
}

/** What a command answers: lines for people, or the same as data with `--json`. */
export interface Answer {
  readonly lines: readonly string[]
  readonly json: Readonly<Record<string, unknown>>
  /** Where an answer shows what is wrong: the refusal that it ends with. */
  readonly refusal?: Refused | undefined
}

/** An option that counts something, from 1 on. @throws Misused */
export function countOf(option: string, text: string): number {
  const count = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(count))
    throw new Misused(`--${option} ${text} is no number from 1 on`)
  return count
}

/** One command of `rel`; refusals are thrown, and the program prints them. */
export interface Command {
  readonly name: string
  /** One line of help. */
  readonly says: string
  /** `<tgz> <tgz>`: what stands for the words, empty when it takes none. */
  readonly words: string
  readonly options: Readonly<Record<string, Option>>
  run(given: Given, context: Context): Promise<Answer>
}

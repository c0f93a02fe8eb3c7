import { parseArgs } from 'node:util'
import type { Answer, Command, Given } from './command.ts'
import { commands } from './commands/commands.ts'
import { type Context, programContext } from './context.ts'
import { Misused, type Problem, Refused } from './refusal.ts'

/** Where a program writes: results to `out`, everything for people who wait to `err`. */
export interface Streams {
  out(line: string): void
  err(line: string): void
}

const standard: Streams = { out: (line) => console.log(line), err: (line) => console.error(line) }

/** Runs `rel` with these words; answers with the exit code. */
export async function runProgram(words: readonly string[], streams = standard, context?: Context): Promise<number> {
  const [name, ...rest] = words
  const asJson = rest.includes('--json')
  try {
    if (name === undefined || name === 'help' || name === '--help') {
      for (const line of asJson ? [helpAsJson()] : help()) streams.out(line)
      return name === undefined ? 2 : 0
    }
    const command = commands.find((one) => one.name === name)
    if (command === undefined) throw new Misused(`no command ${name}; rel help lists them`)
    if (rest.includes('--help')) {
      for (const line of helpOf(command)) streams.out(line)
      return 0
    }
    const { lines, json, refusal } = await command.run(given(command, rest), context ?? programContext(streams.err))
    for (const line of asJson ? [] : lines) streams.out(line)
    if (refusal !== undefined) return ended(refusal, json, asJson, streams)
    if (asJson) streams.out(JSON.stringify({ ok: true, ...json }))
    return 0
  } catch (error) {
    return ended(error, {}, asJson, streams)
  }
}

function ended(error: unknown, json: Answer['json'], asJson: boolean, streams: Streams): number {
  const problem = problemOf(error)
  if (asJson) streams.out(JSON.stringify({ ok: false, ...json, ...problem }))
  else {
    streams.err(problem.message)
    if (problem.next !== '') streams.err(`Next: ${problem.next}`)
  }
  return problem.exit
}

function problemOf(error: unknown): Problem {
  if (error instanceof Refused) {
    const { code, exit, facts, message, next } = error
    return { code, exit, facts, message, next }
  }
  if (error instanceof Misused) {
    return { code: 'usage', exit: 2, facts: {}, message: error.message, next: '' }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    code: 'internal_fault',
    exit: 30,
    facts: {},
    message,
    next: 'This is a fault of rel; report it with this text.',
  }
}

function given({ name, options }: Command, rest: readonly string[]): Given {
  const declared = { ...options, json: { type: 'boolean', says: 'one line of JSON instead of text' } } as const
  const { values, positionals } = parsed(name, rest, declared)
  const one = (option: string): string | undefined => {
    const value = values[option]
    return typeof value === 'string' ? value : undefined
  }
  for (const [option, { required }] of Object.entries(options)) {
    if (values[option] === '') throw new Misused(`rel ${name}: --${option} is empty`)
    if (required === true && values[option] === undefined) throw new Misused(`rel ${name} needs --${option}`)
  }
  return {
    words: positionals,
    text(option) {
      const value = one(option)
      if (value === undefined) throw new Misused(`rel ${name} needs --${option}`)
      return value
    },
    optional: one,
    all(option) {
      const value = values[option]
      return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
    },
    flag: (option) => values[option] === true,
  }
}

function parsed(name: string, args: readonly string[], declared: Command['options']) {
  const options = Object.fromEntries(
    Object.entries(declared).map(([option, { type, multiple = false }]) => [option, { type, multiple }]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new Misused(`rel ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

const help = (): string[] => [
  'rel: publishes exactly the bytes that were accepted',
  '',
  ...commands.map(({ name, words, says }) => `  rel ${`${name} ${words}`.trim().padEnd(28)} ${says}`),
  '',
  'rel COMMAND --help lists its options. Exit codes: 0 fine, 2 usage, 10 refused, 20 try again, 30 our fault.',
]

/** For documents and completions: every command with its words and options. */
const helpAsJson = (): string =>
  JSON.stringify({ ok: true, commands: commands.map(({ run: _, ...described }) => described) })

const helpOf = ({ name, words, says, options }: Command): string[] => [
  `rel ${name} ${words}`.trim(),
  says,
  ...Object.entries(options).map(([option, { type, says, required }]) => {
    const value = type === 'string' ? ` ${option.toUpperCase()}` : ''
    return `  ${`--${option}${value}`.padEnd(28)} ${says}${required === true ? ' (required)' : ''}`
  }),
  `  ${'--json'.padEnd(28)} one line of JSON instead of text`,
]

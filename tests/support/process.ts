// A program that a test started: its output by lines, its end, and the only ways to stop it.
//
// Owns:      one child process and the promises of those who wait for its lines or its end.
// Does not:  restart anything, read files, know what the program does.
//
// Every wait is driven by output or exit; the deadline only ends a wait that cannot be fulfilled any more. What still
// runs when the test process ends is killed with it.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'

export interface ProgramOptions {
  /** How failures call it: "server", "python activity". */
  readonly name: string
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
  /** The whole environment of the program; default: `cleanEnvironment()`. */
  readonly env?: Readonly<Record<string, string>>
  /** The user that it runs as; only root may choose. Default: this process's. */
  readonly uid?: number
  /** Lines kept of each stream for failure messages and `stdout`; default 2,000. */
  readonly linesMax?: number
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface DeadlineOptions {
  /** Milliseconds until the wait fails; default 20,000. */
  readonly timeoutMs?: number
}

export interface Program {
  readonly name: string
  readonly pid: number
  /** Lines of standard output so far. */
  readonly stdout: readonly string[]
  /** Lines of standard error so far. */
  readonly stderr: readonly string[]
  /** How it ended; `undefined` while it runs. */
  readonly exit: Exit | undefined
  /** The first line of standard output, past ones included, for which `pick` gives a value; that value. */
  waitForLine<T>(what: string, pick: (line: string) => T | undefined, options?: DeadlineOptions): Promise<T>
  /** The first line of standard output that is a JSON object for which `pick` gives a value; that value. */
  waitForJson<T>(what: string, pick: (value: JsonObject) => T | undefined, options?: DeadlineOptions): Promise<T>
  waitForExit(options?: DeadlineOptions): Promise<Exit>
  /** Sends a signal; does nothing when the program has ended. */
  signal(signal: NodeJS.Signals): void
  /** SIGTERM and the end awaited; after `timeoutMs` SIGKILL and a failure that says so. */
  stop(options?: DeadlineOptions): Promise<Exit>
  /** SIGKILL and the end awaited. */
  kill(): Promise<Exit>
  /** The last lines of both streams, for a failure message. */
  tail(lines?: number): string
}

export type JsonObject = Readonly<Record<string, unknown>>

/** A program did not do what was awaited; the message has the awaited state and its last output. */
export class ProgramFailed extends Error {
  constructor(program: Program, what: string) {
    super(`${program.name} (pid ${program.pid}): ${what}; last output:\n${program.tail()}`)
    this.name = 'ProgramFailed'
  }
}

// What Node compiled and stripped of types is kept: a server starts with half of the CPU (0.4 s instead of 0.8 s,
// 2026-11-30), and connected tests start hundreds of processes.
const compileCache = { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/node-compile') }

/** The environment of this process without the settings of the product and of the test runner. */
export function cleanEnvironment(additions: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(DW_|DURABLE_WORKFLOW_|VITEST|NODE_OPTIONS$|NODE_ENV$)/.test(name)) kept[name] = value
  }
  return { ...compileCache, ...kept, ...additions }
}

/** Starts a program and returns once the operating system has; a command that does not exist throws. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const child = spawn(options.command, [...(options.args ?? [])], {
    cwd: options.cwd,
    env: { ...(options.env ?? cleanEnvironment()) },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid }),
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(new Error(`${options.name}: ${error.message}`, { cause: error })))
  })
  return watch(child, options)
}

/** Parses a line that is one JSON object; `undefined` for every other line. */
export function parseJsonObject(line: string): JsonObject | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    // A log line may start with a brace without being JSON: it is not the awaited line, and stays in the tail.
    return undefined
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const running = new Set<Child>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function watch(child: Child, options: ProgramOptions): Program {
  const linesMax = options.linesMax ?? 2_000
  const stdout: string[] = []
  const stderr: string[] = []
  const listeners = new Set<() => void>()
  let exit: Exit | undefined
  const changed = (): void => {
    for (const listener of [...listeners]) listener()
  }
  running.add(child)
  readLines(child.stdout, stdout, linesMax, changed)
  readLines(child.stderr, stderr, linesMax, changed)
  // `close` comes after both streams ended, so the last line is there when the end is seen.
  child.once('close', (code, signal) => {
    running.delete(child)
    exit = { code, signal }
    changed()
  })

  const until = <T>(what: string, look: () => T | undefined, timeoutMs: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer)
        listeners.delete(listener)
        act()
      }
      const listener = (): void => {
        const value = look()
        const ended = exit
        if (value !== undefined) settle(() => resolve(value))
        else if (ended !== undefined) settle(() => reject(new ProgramFailed(program, `${endOf(ended)} before ${what}`)))
      }
      const timer = setTimeout(
        () => settle(() => reject(new ProgramFailed(program, `waited ${timeoutMs} ms for ${what}`))),
        timeoutMs,
      )
      listeners.add(listener)
      listener()
    })

  const program: Program = {
    name: options.name,
    pid: child.pid ?? -1,
    stdout,
    stderr,
    get exit() {
      return exit
    },
    waitForLine: (what, pick, { timeoutMs = 20_000 } = {}) => until(what, () => firstPicked(stdout, pick), timeoutMs),
    waitForJson: (what, pick, { timeoutMs = 20_000 } = {}) =>
      until(what, () => firstPicked(stdout, (line) => pickJson(line, pick)), timeoutMs),
    waitForExit: ({ timeoutMs = 20_000 } = {}) => until('its end', () => exit, timeoutMs),
    signal: (signal) => {
      if (exit === undefined) child.kill(signal)
    },
    stop: async ({ timeoutMs = 20_000 } = {}) => {
      program.signal('SIGTERM')
      try {
        return await program.waitForExit({ timeoutMs })
      } catch (error) {
        await program.kill()
        throw new Error(`${options.name} did not end on SIGTERM and was killed`, { cause: error })
      }
    },
    kill: () => {
      program.signal('SIGKILL')
      return program.waitForExit()
    },
    tail: (lines = 20) => [...section('stdout', stdout, lines), ...section('stderr', stderr, lines)].join('\n'),
  }
  return program
}

function readLines(stream: Readable, lines: string[], linesMax: number, changed: () => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    if (parts.length === 0) return
    lines.push(...parts)
    if (lines.length > linesMax) lines.splice(0, lines.length - linesMax)
    changed()
  })
  stream.on('end', () => {
    if (rest !== '') lines.push(rest)
  })
}

function firstPicked<T>(lines: readonly string[], pick: (line: string) => T | undefined): T | undefined {
  for (const line of lines) {
    const value = pick(line)
    if (value !== undefined) return value
  }
  return undefined
}

function pickJson<T>(line: string, pick: (value: JsonObject) => T | undefined): T | undefined {
  const value = parseJsonObject(line)
  return value === undefined ? undefined : pick(value)
}

function section(title: string, lines: readonly string[], count: number): string[] {
  const last = lines.slice(-count)
  return last.length === 0 ? [`  ${title}: nothing`] : [`  ${title}:`, ...last.map((line) => `    ${line}`)]
}

function endOf(exit: Exit): string {
  return exit.signal === null ? `exited with code ${exit.code}` : `ended by ${exit.signal}`
}

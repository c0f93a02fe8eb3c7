// A program of an acceptance: its lines, its end, and the ways to end it.
//
// Owns:      one process with a process group of its own.
// Does not:  start anything again, know what it does.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type Fields, parsedJson } from '../fields.ts'

/** How a program is started. */
export interface Start {
  /** How troubles call it. */
  readonly name: string
  readonly command: readonly string[]
  readonly cwd: string
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
}

/** What a line of JSON said. */
export type Said = Fields

/** A started program. */
export interface Running {
  readonly name: string
  readonly pid: number
  /** `ended with code 1`; undefined while it runs. */
  readonly end: string | undefined
  /** Everything it printed, by lines that begin with `out ` or `err `. */
  readonly lines: readonly string[]
  /** The first line of its output that is an object of JSON for which `pick` gives a value; that value. */
  told<T>(what: string, pick: (said: Said) => T | undefined, timeoutMs: number): Promise<T>
  write(line: string): void
  /** SIGTERM to the program, then its end. @returns what was wrong with it, undefined when it ended with code 0 */
  stop(timeoutMs: number): Promise<string | undefined>
  /** As `stop`, of a program that ends by itself. */
  finish(timeoutMs: number): Promise<string | undefined>
  /** SIGKILL to the program, then its end. */
  kill(): Promise<void>
  /** Resolves when it has ended and its output is read. */
  ended(): Promise<string>
}

/** A program did something else than was awaited. */
export class Trouble extends Error {
  override readonly name = 'Trouble'
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** Of one program; what is beyond is counted, not kept. */
const linesMax = 50_000

/** Starts a program. @throws Trouble when the operating system cannot */
export async function start(options: Start): Promise<Running> {
  const [command = '', ...args] = options.command
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(new Trouble(`${options.name}: ${error.message}`)))
  })
  return watch(child, options.name)
}

function watch(child: Child, name: string): Running {
  const lines: string[] = []
  const listeners = new Set<() => void>()
  const pid = child.pid ?? 0
  let end: string | undefined
  let dropped = 0
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  const keep = (line: string) => {
    if (lines.length < linesMax) lines.push(line)
    else dropped += 1
  }
  byLines(child.stdout, (line) => keep(`out ${line}`), changed)
  byLines(child.stderr, (line) => keep(`err ${line}`), changed)
  // Nobody reads a line that is written to a program which is ending; what it had to say is in its end.
  child.stdin.on('error', () => {})
  const killGroup = () => killQuietly(-pid)
  // Before those who remove the folder in which it writes.
  process.prependOnceListener('exit', killGroup)
  child.once('exit', (code, signal) => {
    // A grandchild may hold the streams open for ever: what the program itself wrote is read within this time.
    setTimeout(() => child.stdout.destroy(), 1_000).unref()
    setTimeout(() => child.stderr.destroy(), 1_000).unref()
    child.once('close', () => {
      process.removeListener('exit', killGroup)
      if (dropped > 0) lines.push(`err … ${dropped} more lines`)
      end = signal === null ? `ended with code ${code}` : `ended by ${signal}`
      changed()
    })
  })

  const until = <T>(what: string, look: () => T | undefined, timeoutMs: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        listeners.delete(listener)
        act()
      }
      const listener = () => {
        const value = look()
        if (value !== undefined) settle(() => resolve(value))
        else if (end !== undefined) {
          settle(() => reject(new Trouble(`${name} ${end} before ${what}: ${lastLines(lines)}`)))
        }
      }
      const late = () =>
        settle(() => reject(new Trouble(`${name}: no ${what} in ${timeoutMs} ms: ${lastLines(lines)}`)))
      const timer = setTimeout(late, timeoutMs)
      listeners.add(listener)
      listener()
    })

  const ended = () => until('its end', () => end, 2 ** 31 - 1)
  const finish = async (timeoutMs: number): Promise<string | undefined> => {
    try {
      const how = await until('its end', () => end, timeoutMs)
      return how === 'ended with code 0' ? undefined : `${name} (pid ${pid}) ${how}`
    } catch (error) {
      if (!(error instanceof Trouble)) throw error
      killQuietly(pid)
      await ended()
      return `${name} (pid ${pid}) did not end in ${timeoutMs} ms`
    }
  }
  return {
    name,
    pid,
    lines,
    get end() {
      return end
    },
    told: (what, pick, timeoutMs) => {
      let seen = 0
      return until(
        what,
        () => {
          for (; seen < lines.length; seen += 1) {
            const said = saidBy(lines[seen])
            const picked = said === undefined ? undefined : pick(said)
            if (picked !== undefined) return picked
          }
          return undefined
        },
        timeoutMs,
      )
    },
    write: (line) => void child.stdin.write(`${line}\n`),
    stop(timeoutMs) {
      if (end === undefined) killQuietly(pid, 'SIGTERM')
      return finish(timeoutMs)
    },
    finish,
    async kill() {
      if (end === undefined) killQuietly(pid)
      await ended()
    },
    ended,
  }
}

/** A process that is not there any more needs no signal. */
export function killQuietly(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function byLines(stream: Readable, keep: (line: string) => void, changed: () => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) keep(line)
    changed()
  })
  stream.on('close', () => {
    if (rest !== '') keep(rest)
    rest = ''
  })
}

/** The object of JSON that a line of the output is; undefined for every other line. */
export function saidBy(line: string | undefined): Said | undefined {
  if (line?.startsWith('out {') !== true) return undefined
  return parsedJson(line.slice('out '.length)) ?? undefined // a log line may begin with a brace; it is kept among the lines
}

/** The head of the error that ended it, when there is one: its stack and fields are in the raw file. Else the last lines. */
export const lastLines = (lines: readonly string[]): string =>
  lines.length === 0
    ? 'it printed nothing'
    : (lines.findLast((line) => /^err (\w+: )?\w*Error\b.*: /.test(line)) ?? lines.slice(-15).join(' | '))

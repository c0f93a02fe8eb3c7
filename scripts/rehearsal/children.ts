// Programs that a rehearsal runs: each in a process group of its own, so that a stop reaches it and all below it.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly exitCode: number
  readonly out: readonly string[]
  readonly err: readonly string[]
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** File that gets everything it writes. */
  readonly log: string
  /** Called with each line of standard error: what people wait by. */
  readonly onProgress?: (line: string) => void
}

/** A stop was asked for while this program ran, or before. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** A command as it may be shown: the passwords of its URLs are not. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => word.replace(/(:\/\/[^:/@\s]+):[^@\s]+@/, '$1:…@')).join(' ')

const stopGraceMs = 30_000
const lookAgainMs = 50

/** The programs of one rehearsal. */
export class Children {
  /** The signal that asked to stop: the program under way is ended, and no other begins. */
  stoppedBy: NodeJS.Signals | null = null
  private running: ChildProcess | null = null

  /** Asks to stop. */
  stop(signal: NodeJS.Signals): void {
    this.stoppedBy = signal
    if (this.running?.pid !== undefined) signalGroup(this.running.pid, signal)
  }

  /** Runs a program to its end, and waits until its whole group has ended. @throws Stopped */
  async run(file: string, args: readonly string[], { cwd, env, log, onProgress }: RunOptions): Promise<Ended> {
    if (this.stoppedBy !== null) throw new Stopped(this.stoppedBy)
    appendFileSync(log, `$ ${commandLine([file, ...args])}\n`)
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.running = child
    const out = linesOf(child.stdout, log)
    const err = linesOf(child.stderr, log, onProgress)
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    })
    if (child.pid !== undefined) await endOfGroup(child.pid)
    this.running = null
    appendFileSync(log, `exit ${exitCode}\n`)
    if (this.stoppedBy !== null) throw new Stopped(this.stoppedBy)
    return { exitCode, out, err }
  }
}

/** A program that stays until it is told to end. */
export interface Kept {
  /** The first line that it printed. */
  readonly said: string
  stop(): Promise<void>
}

// Its standard input is a pipe from here: the program ends when this process does, killed or not.
const keeper =
  '"$@" </dev/null & program=$!; exec >&- 2>&-; cat >/dev/null; kill -TERM "$program" 2>/dev/null; wait "$program"'

/** Starts a program that prints a line when it is ready, and stays; what it ended with when it ends before. */
export async function keep(
  file: string,
  args: readonly string[],
  log: string,
): Promise<Kept | { readonly ended: number }> {
  const child = spawn('sh', ['-c', keeper, 'keeper', file, ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  linesOf(child.stderr, log)
  const closed = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  const stop = (): Promise<number> => {
    child.stdin.end()
    return closed
  }
  const reader = createInterface(child.stdout)
  const said = await new Promise<string | null>((resolve) => {
    reader.once('line', resolve)
    reader.once('close', () => resolve(null))
  })
  if (said === null) return { ended: await stop() }
  return { said, stop: async () => void (await stop()) }
}

function linesOf(stream: NodeJS.ReadableStream, log: string, onLine?: (line: string) => void): readonly string[] {
  const lines: string[] = []
  createInterface(stream).on('line', (line) => {
    lines.push(line)
    appendFileSync(log, `${line}\n`)
    onLine?.(line)
  })
  return lines
}

/** What the program has left running is told to end, and after a while it is ended. */
async function endOfGroup(pid: number): Promise<void> {
  const giveUpAt = Date.now() + stopGraceMs
  while (signalGroup(pid, 0)) {
    signalGroup(pid, Date.now() > giveUpAt ? 'SIGKILL' : 'SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
}

/** Whether the group lives still. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

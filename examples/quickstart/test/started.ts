// An example started as a person starts it: its lines as they come, and Ctrl-C.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from '../src/programs.ts'

export interface Started {
  readonly child: ChildProcess
  /** What it printed so far, both streams. */
  readonly lines: readonly string[]
  /** Resolves with the first line that matches; rejects with all lines when the program ends before. */
  line(pattern: RegExp): Promise<string>
  /** SIGINT; resolves with the exit code. */
  interrupt(): Promise<number>
}

/** Starts a program of an example from source, with the environment of this process and `env`. */
export function startExample(file: string, env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, ['--conditions=source', '--disable-warning=ExperimentalWarning', file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const lines: string[] = []
  let changed = Promise.withResolvers<void>()
  const take = (line: string) => {
    lines.push(line)
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }
  createInterface({ input: child.stdout }).on('line', take)
  createInterface({ input: child.stderr }).on('line', take)
  const ended = once(child, 'exit').then(() => 'ended' as const)
  return {
    child,
    lines,
    async line(pattern) {
      while (true) {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) return found
        if ((await Promise.race([changed.promise, ended])) === 'ended') throw new Error(lines.join('\n'))
      }
    },
    async interrupt() {
      const exit = once(child, 'exit')
      child.kill('SIGINT')
      const [code] = await exit
      return code
    },
  }
}

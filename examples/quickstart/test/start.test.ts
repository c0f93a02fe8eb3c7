// The door for newcomers, started twice on one database: finished runs, an open one, a clean stop, a resumption.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-quickstart-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Started {
  readonly child: ChildProcess
  readonly lines: string[]
  /** Resolves with the first line that matches; rejects with all lines when the program ends before. */
  line(pattern: RegExp): Promise<string>
}

function start(): Started {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', 'examples/quickstart/src/start.ts'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, QUICKSTART_DATABASE: join(folder, 'quickstart.db'), DW_PORT: '0' },
    },
  )
  const lines: string[] = []
  let changed = Promise.withResolvers<void>()
  const take = (line: string) => {
    lines.push(line)
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', take)
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', take)
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
  }
}

async function stop({ child }: Started): Promise<number> {
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = await exit
  return code
}

test('the first start finishes a run and leaves one open; the second resumes it', async () => {
  const first = start()
  expect(await first.line(/first finished run after/)).toMatch(/after \d+\.\d s$/)
  expect(await first.line(/order-1: \{/)).toContain('"approvedBy":"ada"')
  expect(first.lines.filter((line) => /"reserve" failed/.test(line))).toHaveLength(2)
  await first.line(/order-2 is open/)
  expect(await stop(first)).toBe(0)
  expect(first.lines.at(-1)).toContain('stopped.')

  const second = start()
  await second.line(/resuming order-2, open since/)
  expect(await second.line(/order-2: \{/)).toContain('"approvedBy":"the second start"')
  await second.line(/order-4 is open/)
  expect(await stop(second)).toBe(0)
})

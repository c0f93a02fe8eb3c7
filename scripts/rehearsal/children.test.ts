import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Children, keep, Stopped } from './children.ts'

let folder = ''
let log = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'children-'))
  log = join(folder, 'log.txt')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Whether a process is there still. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // for the question asked here that is "no"
  }
}

test('a program that ran tells its exit code and its lines, and the log has all of it', async () => {
  const progress: string[] = []
  const onProgress = (line: string) => progress.push(line)
  const script = 'echo out; echo err >&2; exit 3'
  const ended = await new Children().run('sh', ['-c', script], { cwd: folder, log, onProgress })
  expect(ended).toEqual({ exitCode: 3, out: ['out'], err: ['err'] })
  expect(progress).toEqual(['err'])
  expect(readFileSync(log, 'utf8').split('\n').toSorted()).toEqual(['', `$ sh -c ${script}`, 'err', 'exit 3', 'out'])
})

test('a program that is not there is an error with its name', async () => {
  await expect(new Children().run('no-such-program', [], { cwd: folder, log })).rejects.toThrow('no-such-program')
})

test('a stop reaches the program and what it has started, and no other begins', async () => {
  const children = new Children()
  const pids: number[] = []
  const running = children.run('sh', ['-c', 'sleep 60 & echo $! >&2; echo $$ >&2; wait'], {
    cwd: folder,
    log,
    onProgress: (line) => pids.push(Number(line)),
  })
  await vi.waitUntil(() => pids.length === 2)
  children.stop('SIGTERM')
  await expect(running).rejects.toThrow(Stopped)
  expect(pids.filter(lives)).toEqual([])
  await expect(children.run('true', [], { cwd: folder, log })).rejects.toThrow(Stopped)
})

test('what a program leaves running is ended with it', async () => {
  const script = '(trap "" HUP; exec sleep 60) </dev/null >/dev/null 2>&1 & echo $!'
  const { out } = await new Children().run('sh', ['-c', script], { cwd: folder, log })
  expect(out.map(Number).filter(lives)).toEqual([])
})

test('a program that stays is ready with its first line, and is told to end', async () => {
  const kept = await keep('sh', ['-c', 'trap "exit 0" INT; echo ready; while :; do sleep 0.05; done'], log)
  if ('ended' in kept) throw new Error('it ended')
  expect(kept.said).toBe('ready')
  await kept.stop()
  expect(await keep('sh', ['-c', 'exit 2'], log)).toEqual({ ended: 2 })
})

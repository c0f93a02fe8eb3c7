import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Children, commandLine, keep, Stopped } from './children.ts'

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
  const kept = await keep('sh', ['-c', 'echo $$; trap "exit 0" TERM; while :; do sleep 0.05; done'], log)
  if ('ended' in kept) throw new Error('it ended')
  expect(lives(Number(kept.said))).toBe(true)
  await kept.stop()
  expect(lives(Number(kept.said))).toBe(false)
})

test('a program that ends before it is ready tells what with', async () => {
  expect(await keep('sh', ['-c', 'echo no >&2; exit 2'], log)).toEqual({ ended: 2 })
  expect(readFileSync(log, 'utf8')).toBe('no\n')
})

test('a program that stays ends when whoever keeps it is killed', async () => {
  const source = `
    import { keep } from ${JSON.stringify(join(import.meta.dirname, 'children.ts'))}
    const kept = await keep('sh', ['-c', 'echo $$; while :; do sleep 0.05; done'], ${JSON.stringify(log)})
    console.log(kept.said)
    setInterval(() => {}, 60_000)`
  const other = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = await new Promise<number>((resolve) => other.stdout.once('data', (text) => resolve(Number(`${text}`))))
  expect(lives(pid)).toBe(true)
  other.kill('SIGKILL')
  await vi.waitUntil(() => !lives(pid), { timeout: 10_000 })
})

test('a command is shown without the passwords of its URLs', () => {
  expect(commandLine(['rel', '--database', 'postgres=postgres://me:secret@127.0.0.1:5432/db'])).toBe(
    'rel --database postgres=postgres://me:…@127.0.0.1:5432/db',
  )
})

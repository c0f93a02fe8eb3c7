// Ctrl-C and SIGTERM while a release is packed: nothing of it stays behind, neither folders nor programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeRepository, writePolicy } from './kit/source-repository.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-interrupted-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s while a commit is packed ends with %i, removes the clone and ends the tool',
  async (signal, expected) => {
    const said = join(folder, 'pid')
    const commit = makeRepository(join(folder, 'repository'), { 'install.sh': `echo $$ > '${said}'\nexec sleep 300\n` })
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    const words = ['--repository', commit.repository, '--commit', commit.id, '--policy', writePolicy(folder)]
    const main = join(import.meta.dirname, '../src/main.ts')
    const child = spawn(process.execPath, [main, 'pack', ...words, '--out', join(folder, 'out')], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: 'ignore',
    })
    await vi.waitFor(() => expect(readFileSync(said, 'utf8')).toMatch(/^\d+\n$/), 15_000)
    expect(readdirSync(temporary)).not.toEqual([])
    child.kill(signal)
    const [code] = await once(child, 'exit')
    expect(code).toBe(expected)
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(folder).filter((name) => name.startsWith('out'))).toEqual([])
    const tool = Number(readFileSync(said, 'utf8'))
    await vi.waitFor(() => expect(isAlive(tool)).toBe(false), 5_000)
  },
)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // ESRCH: it has ended, which is the answer
  }
}

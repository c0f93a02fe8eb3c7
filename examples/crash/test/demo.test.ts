import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

test('a worker killed in the middle of a run: the run completes once, every step is recorded once', async () => {
  // A demonstration that finds anything wrong exits with 1, and execFile rejects with its output.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', 'examples/crash/src/demo.ts'],
    { cwd: root },
  )
  expect(stdout).toContain('is killed with SIGKILL')
  expect(stdout).toContain('every step ended and was recorded once')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

test('a signal ends the suite under way, and no other begins', async () => {
  const args = ['scripts/test.ts', '--only', 'types', '--only', 'arrows']
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line)
    if (line === '== types') child.kill('SIGTERM')
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(lines).toContain('stopped by SIGTERM; not run: arrows')
  expect(lines.at(-1)).toBe('0 passed, 2 failed')
})

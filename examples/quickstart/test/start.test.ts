// The door for newcomers, started twice on one database: finished runs, an open one, a clean stop, a resumption.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startExample } from './started.ts'

const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-quickstart-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = () =>
  startExample('examples/quickstart/src/start.ts', {
    QUICKSTART_DATABASE: join(folder, 'quickstart.db'),
    DW_PORT: '0',
  })

test('the first start finishes a run and leaves one open; the second resumes it', async () => {
  const first = start()
  expect(await first.line(/first finished run after/)).toMatch(/after \d+\.\d s$/)
  expect(await first.line(/order-1: \{/)).toContain('"approvedBy":"ada"')
  expect(first.lines.filter((line) => /"reserve" failed/.test(line))).toHaveLength(2)
  await first.line(/order-2 is open/)
  expect(await first.interrupt()).toBe(0)
  expect(first.lines.at(-1)).toContain('stopped.')

  const second = start()
  await second.line(/resuming order-2, open since/)
  expect(await second.line(/order-2: \{/)).toContain('"approvedBy":"the second start"')
  await second.line(/order-4 is open/)
  expect(await second.interrupt()).toBe(0)
})

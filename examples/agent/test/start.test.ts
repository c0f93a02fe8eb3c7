// The agent started as its README says; its worker is killed in the middle, the program is stopped while the agent waits for a
// human, and no call of the model is paid for twice.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { root } from '../../quickstart/src/programs.ts'
import { startExample } from '../../quickstart/test/started.ts'

const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-agent-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = () =>
  startExample('examples/agent/src/start.ts', { EXAMPLE_DATA: folder, DW_PORT: '0', AGENT_PAUSE: '800' })

const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1)
const recorded = (file: string) => linesOf(file).map((line) => JSON.parse(line))

test('an agent survives the death of its worker and waits for a human across a stop', async () => {
  const first = start()
  const worker = Number((await first.line(/worker process \d+ is ready/)).match(/process (\d+)/)?.[1])
  await first.line(/"search" completed/)
  process.kill(worker, 'SIGKILL')
  await first.line(/worker process \d+ died/)
  await first.line(/the agent asks: Book it for 420 euros\?/)
  await first.line(/trip-1 waits for your answer/)
  expect(await first.interrupt()).toBe(0)

  const second = start()
  const url = (await second.line(/server at /)).match(/http:\S+[^,\s]/)?.[0] ?? ''
  await second.line(/trip-1 goes on from an earlier start/)
  await second.line(/trip-1 waits for your answer/)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', 'examples/agent/src/answer.ts', 'trip-1', 'yes'],
    { cwd: root, env: { ...process.env, DURABLE_WORKFLOW_SERVER_URL: url } },
  )
  expect(JSON.parse(stdout)).toEqual({ outcome: 'done', answer: 'Booked, booking-1.', steps: 5 })
  expect(await second.interrupt()).toBe(0)

  const calls = recorded('model-calls.jsonl')
  expect(calls.map(({ turn }) => turn)).toEqual(['search', 'calculate', 'ask', 'book', 'done'])
  expect(new Set(calls.map(({ pid }) => pid)).size).toBe(3)
  expect(linesOf('bookings.jsonl')).toHaveLength(1)
})

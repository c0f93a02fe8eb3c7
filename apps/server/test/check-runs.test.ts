import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { createEngine, startWorkflow } from '@durable-workflow/engine'
import { openStore } from '@durable-workflow/store-sql'
import { afterEach, beforeEach, expect, test } from 'vitest'

const program = join(import.meta.dirname, '../src/main.ts')
const run = promisify(execFile)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-runs-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function check(url: string): Promise<{ code: number; lines: unknown[] }> {
  const args = [
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    program,
    'check-runs',
    '--database-url',
    url,
  ]
  const { code, stdout } = await run(process.execPath, args).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  )
  return {
    code,
    lines: stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  }
}

async function startOne(url: string): Promise<string> {
  const store = await openStore(url)
  const engine = createEngine({ store })
  await engine.start()
  const outcome = await engine.execute(
    startWorkflow({
      namespace: 'default',
      workflowId: 'one',
      runId: engine.newRunId('one'),
      workflowType: 'waits',
      taskQueue: 'q',
      arguments: undefined,
      businessKey: undefined,
      executionTimeoutSeconds: undefined,
      runTimeoutSeconds: undefined,
      executionTimeoutMs: undefined,
      runTimeoutMs: undefined,
      duplicatePolicy: 'fail',
      startId: undefined,
    }),
  )
  await engine.close()
  await store.close()
  if (outcome.kind !== 'accepted') throw new Error(`The start was ${outcome.kind}.`)
  return outcome.reply.run.runId
}

test('a database whose runs all have a reason to move is fine, exit 0', async () => {
  const url = `sqlite:${join(folder, 'runs.db')}`
  await startOne(url)
  expect(await check(url)).toEqual({ code: 0, lines: [{ openRuns: 1, problems: 0 }] })
})

test('a run whose workflow task is gone is named, exit 10', async () => {
  const file = join(folder, 'runs.db')
  const runId = await startOne(`sqlite:${file}`)
  const database = new DatabaseSync(file)
  database.exec('delete from workflow_tasks')
  database.close()
  const { code, lines } = await check(`sqlite:${file}`)
  expect(code).toBe(10)
  expect(lines).toEqual([
    { runId, workflowId: 'one', problem: expect.stringContaining('which is not open') },
    { openRuns: 1, problems: 1 },
  ])
})

test('a database that cannot be opened is told, exit 30; a wrong setting in one sentence, exit 2', async () => {
  expect(await refusal(['check-runs', '--database-url', 'sqlite:/nowhere/at/all/x.db'])).toMatchObject({ code: 30 })
  const wrong = await refusal(['check-runs', '--database-url', 'nonsense'])
  expect(wrong).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('DW_DATABASE_URL "nonsense" must be') })
})

async function refusal(args: readonly string[]): Promise<unknown> {
  const node = ['--conditions=source', '--disable-warning=ExperimentalWarning', program]
  return await run(process.execPath, [...node, ...args]).then(
    () => 'content',
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

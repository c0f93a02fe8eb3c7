// Runs of this example that were recorded once still go on with today's code. Before a deploy, a project does the same with
// histories of its open runs.
import { readdirSync, readFileSync } from 'node:fs'
import { replayHistory } from '@durable-workflow/sdk/replay'
import { expect, test } from 'vitest'
import { transferImpl } from '../src/workflows.ts'

const histories = new URL('../../../spec/vectors/histories/', import.meta.url)
const recorded = readdirSync(histories).filter((name) => /^transfer-[0-9a-f]{8}\.json$/.test(name))

test('a transfer was recorded', () => expect(recorded).not.toEqual([]))

test.each(recorded)('%s', async (name) => {
  const report = await replayHistory(transferImpl, JSON.parse(readFileSync(new URL(name, histories), 'utf8')))
  if (!report.ok) throw report.mismatch
  expect(report).toMatchObject({ ending: 'completed' })
})

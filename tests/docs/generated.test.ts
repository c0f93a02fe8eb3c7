import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { activity } from '@durable-workflow/sdk'
import { createWorker } from '@durable-workflow/sdk/worker'
import { expect, test } from 'vitest'
import { withPart } from './generate/markdown.ts'
import { optionsTable } from './generate/options.ts'
import { generatedPages } from './generate/parts.ts'
import { root } from './pages.ts'

test.for(generatedPages())('$path says what the code says (stale: run `pnpm docs:generate`)', ({ path, text }) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
})

test('a part that the page has no place for is an error', () => {
  expect(withPart('a\n<!-- begin x, by y -->\nold\n<!-- end x -->\nb', 'x', 'new')).toContain('\nnew\n')
  expect(() => withPart('a', 'x', 'new')).toThrow('the page has no place for "x"')
})

test('an option without a docstring is an error', () => {
  expect(() => optionsTable('packages/sdk/src/client/description.ts', 'RunItem')).toThrow('has no interface RunItem')
  expect(() => optionsTable('packages/sdk/src/client/description.ts', 'RunDescription')).toThrow('has no docstring')
})

const stated = (table: string): { readonly option: string; readonly max: number }[] =>
  [...table.matchAll(/^\| `(\w+)` .*\b\d to ([\d,]+)\b/gm)].map(([, option = '', max = '']) => ({
    option,
    max: Number(max.replaceAll(',', '')),
  }))
const worker = 'packages/sdk/src/worker/options.ts'
const bounds = [
  ...stated(optionsTable(worker, 'WorkerOptions')).map(({ option, max }) => ({ max, given: { [option]: max + 1 } })),
  ...stated(optionsTable(worker, 'Pollers')).map(({ option, max }) => ({
    max,
    given: { pollers: { [option]: max + 1 } },
  })),
]

test('the bounds that the docstrings of a worker state are those that it checks', async () => {
  expect(bounds.map(({ max }) => max)).toEqual([10_000, 10_000, 60, 1_000, 1_000, 1_000])
  const echo = activity('echo', {}, () => {})
  for (const { max, given } of bounds) {
    await expect(createWorker({ taskQueue: 'q', activities: [echo], ...given })).rejects.toMatchObject({
      reason: 'invalid_option',
      facts: { max },
    })
  }
})

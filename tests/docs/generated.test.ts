import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

// U+0000 and the codes that stand for it: nothing is lost, order and containment are those of the texts themselves.

import { freshDatabase, postgresUrl } from '@durable-workflow/tests/support/postgres'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { givenText, storedText } from '../../src/dialects/pg-text.ts'
import { openStore } from '../../src/index.ts'
import { changes, run } from '../support/make.ts'
import { write } from '../support/suite.ts'

const texts = fc.string({ unit: fc.constantFrom('\0', '\u0001', '\u0002', '\u0003', 'a', 'ä', '👍'), maxLength: 8 })

describe('texts for PostgreSQL', () => {
  test('come back as they were, without U+0000 on the way', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(storedText(text)).not.toContain('\0')
        expect(givenText(storedText(text))).toBe(text)
      }),
    )
  })

  test('sort, byte by byte, as they were', () => {
    const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(order(storedText(a), storedText(b))).toBe(order(a, b))
      }),
    )
  })

  test('contain what they contained, and nothing else', () => {
    fc.assert(
      fc.property(texts, texts, (text, part) => {
        expect(storedText(text).includes(storedText(part))).toBe(text.includes(part))
      }),
    )
  })

  test('without such characters are not touched', () => {
    expect(storedText('plain ä 👍')).toBe('plain ä 👍')
  })
})

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: texts', () => {
  test('ids with U+0000 are told apart, found by key and by filter', async () => {
    await using database = await freshDatabase()
    const store = await openStore(database.url)
    const ids = ['a', 'a\0', 'a\u0001', 'a\0\u0002', '{"a","b"}', 'a\\', 'a"', 'null', '']
    const runs = ids.map((id) => run({ runId: id, workflowId: `w${id}`, taskQueue: id }))
    await write(store, changes({ runs: { inserted: runs } }))
    const found = await store.load(ids.map((runId) => ({ of: 'run', runId })))
    expect(new Set(found.runs.map((row) => row.runId))).toStrictEqual(new Set(ids))
    const matching = await store.list.workflows({
      namespace: 'default',
      filter: { kind: 'text', text: '\0' },
      limit: 10,
      after: undefined,
    })
    expect(matching.map((row) => row.runId).sort()).toStrictEqual(['a\0', 'a\0\u0002'])
    expect(matching.every((row) => row.taskQueue === row.runId)).toBe(true)
    await store.close()
  })
})

import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import { expect, test } from 'vitest'
import { createWrites } from '../src/telemetry/writes.ts'

test('a failed commit speaks for the database for ten seconds', () => {
  let now = 0
  const writes = createWrites(() => now)
  writes.failed(new StoreUnavailableError('read_only', { cause: new Error('file') }))
  now = 10_000
  expect(writes.word).toBe('read_only')
  now = 10_001
  expect(writes.word).toBe('ok')
  writes.failed(new TypeError('not of the store'))
  expect(writes.word).toBe('ok')
})

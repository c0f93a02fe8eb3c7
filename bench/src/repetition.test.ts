import { expect, test } from 'vitest'
import { cpuPerStep, usedSince } from './repetition.ts'

test('what was used is what was added; what nobody tells stays unknown', () => {
  const before = { server: 1_000, worker: 500, database: undefined }
  const after = { server: 1_250, worker: undefined, database: undefined }
  expect(usedSince(before, after)).toEqual({ server: 250, worker: undefined, database: undefined })
})

test('CPU a step is that of all spans by the steps of all spans', () => {
  const spans = [
    { server: 250, worker: 100, database: 10 },
    { server: 150, worker: 100, database: undefined },
  ]
  expect(cpuPerStep(spans, 400)).toEqual({ server: 1, worker: 0.5, database: null })
})

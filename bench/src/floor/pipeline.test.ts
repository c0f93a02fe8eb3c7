import { expect, test } from 'vitest'
import { figuresIn } from './pipeline.ts'

const lines = [
  'W1 {"ms":1800,"steps_s":2700,"p50":170}',
  'W1 {"ms":1100,"steps_s":4600,"p50":100}',
  'W1 {"ms":1200,"steps_s":4100,"p50":110}',
  'W3 {"ms":480,"steps_s":410,"p50":2.4}',
  '0 {"groups":1}',
]

test('the figures of the floor are the medians of its repetitions', () => {
  expect(figuresIn(lines, [])).toEqual({
    W1: { steps_per_second: 4100, run_p50_ms: 110, server_cpu_ms_per_step: null },
    W3: { steps_per_second: 410, run_p50_ms: 2.4, server_cpu_ms_per_step: null },
  })
})

test('CPU a step is what the server used between two lines; the first repetition warms up', () => {
  const figures = figuresIn(lines, [2_000, 3_000, 4_500, 4_600])
  expect(figures.W1?.server_cpu_ms_per_step).toBe(0.25)
  expect(figures.W3?.server_cpu_ms_per_step).toBe(0.5)
})

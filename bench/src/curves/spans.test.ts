import { expect, test } from 'vitest'
import { costOfSpans, cpuAt } from './spans.ts'

const samples = [
  { at: 100, cpuMs: 10 },
  { at: 200, cpuMs: 30 },
  { at: 400, cpuMs: 40 },
]

test('CPU between two samples grows evenly, and is unknown outside of them', () => {
  expect(cpuAt(samples, 100)).toBe(10)
  expect(cpuAt(samples, 150)).toBe(20)
  expect(cpuAt(samples, 300)).toBe(35)
  expect(cpuAt(samples, 400)).toBe(40)
  expect(cpuAt(samples, 99)).toBeUndefined()
  expect(cpuAt(samples, 401)).toBeUndefined()
})

test('spans cover every step once, the last one being shorter', () => {
  // Steps at 100, 150, 200, 300, 400: spans of two steps.
  expect(costOfSpans([100, 150, 200, 300, 400], samples, 2)).toEqual([
    { wallMsPerStep: 50, serverCpuMsPerStep: 10 },
    { wallMsPerStep: 100, serverCpuMsPerStep: 5 },
  ])
  expect(costOfSpans([100, 150, 200, 300], samples, 2)).toEqual([
    { wallMsPerStep: 50, serverCpuMsPerStep: 10 },
    { wallMsPerStep: 100, serverCpuMsPerStep: 5 },
  ])
})

test('without samples the time is known and the CPU is not', () => {
  expect(costOfSpans([0, 10, 20], [], 2)).toEqual([{ wallMsPerStep: 10, serverCpuMsPerStep: undefined }])
})

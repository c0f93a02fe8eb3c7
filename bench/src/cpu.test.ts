import { expect, test } from 'vitest'
import { cpuMs, parseStat, processStat } from './cpu.ts'

test.skipIf(process.platform !== 'linux')('CPU time of a process grows with what it does', () => {
  const before = cpuMs(process.pid) ?? Number.NaN
  const usedBefore = process.cpuUsage()
  while (process.cpuUsage(usedBefore).user < 60_000) Math.sqrt(2)
  const { user, system } = process.cpuUsage(usedBefore)
  const used = (cpuMs(process.pid) ?? Number.NaN) - before
  expect(Math.abs(used - (user + system) / 1_000)).toBeLessThanOrEqual(25)
})

test('a name with spaces and brackets does not shift the fields', () => {
  const line = '4711 (a (b) c) S 42 1 1 0 -1 4194560 10 20 30 40 150 25 600 7 20 0 11 0 100 1 2'
  expect(parseStat(line, 10)).toEqual({
    pid: 4711,
    command: 'a (b) c',
    parentPid: 42,
    userMs: 1_500,
    systemMs: 250,
    endedChildrenMs: 6_070,
  })
})

test.skipIf(process.platform !== 'linux')('a process that does not exist has no line', () => {
  expect(processStat(process.pid)?.parentPid).toBe(process.ppid)
  // One above the highest id that the kernel gives.
  expect(processStat(2 ** 22 + 1)).toBeUndefined()
})

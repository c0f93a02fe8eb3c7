import { expect, test } from 'vitest'
import { cpuMs } from './cpu.ts'

test.skipIf(process.platform !== 'linux')('CPU time of a process grows with what it does', () => {
  const before = cpuMs(process.pid) ?? Number.NaN
  const usedBefore = process.cpuUsage()
  while (process.cpuUsage(usedBefore).user < 60_000) Math.sqrt(2)
  const { user, system } = process.cpuUsage(usedBefore)
  const used = (cpuMs(process.pid) ?? Number.NaN) - before
  expect(Math.abs(used - (user + system) / 1_000)).toBeLessThanOrEqual(25)
})

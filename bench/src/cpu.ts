import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Milliseconds of CPU (user and system) that a process has used since it started.
 *
 * Resolution: one clock tick, 10 ms as a rule. `undefined` where the system has no `/proc`.
 */
export function cpuMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name in brackets and may hold spaces; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond()
}

let ticks: number | undefined
const ticksPerSecond = (): number => {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ticks
}

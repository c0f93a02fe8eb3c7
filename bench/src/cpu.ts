import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What the system tells of a process; times in milliseconds, in steps of one clock tick (10 ms as a rule). */
export interface ProcessStat {
  readonly pid: number
  /** The program's name, at most 15 characters. */
  readonly command: string
  readonly parentPid: number
  readonly userMs: number
  readonly systemMs: number
  /** User and system time of its children that have ended and whose end it has seen. */
  readonly endedChildrenMs: number
}

/** Milliseconds of CPU (user and system) that a process has used since it started; `undefined` where it cannot be seen. */
export function cpuMs(pid: number): number | undefined {
  const process = processStat(pid)
  return process === undefined ? undefined : cpuOf(process)
}

export const cpuOf = ({ userMs, systemMs }: ProcessStat): number => userMs + systemMs

/** Looks at a process; `undefined` where there is none, or no `/proc`. */
export function processStat(pid: number): ProcessStat | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), 1_000 / ticksPerSecond())
  } catch (error) {
    // It ended between two looks: it has no time any more.
    if (isGone(error)) return undefined
    throw error
  }
}

/** The living children of a process. */
export function childrenOf(pid: number): readonly ProcessStat[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    const process = processStat(Number(entry))
    return process?.parentPid === pid ? [process] : []
  })
}

/** Reads a line of `/proc/PID/stat`. @source proc(5) */
export function parseStat(line: string, msPerTick: number): ProcessStat {
  // The second field is the program's name in brackets and may hold spaces and brackets itself.
  const end = line.lastIndexOf(')')
  const fields = line.slice(end + 2).split(' ')
  // Fields are counted from 1, and the third is the first behind the name.
  const field = (number: number): number => Number(fields[number - 3])
  return {
    pid: Number.parseInt(line, 10),
    command: line.slice(line.indexOf('(') + 1, end),
    parentPid: field(4),
    userMs: field(14) * msPerTick,
    systemMs: field(15) * msPerTick,
    endedChildrenMs: (field(16) + field(17)) * msPerTick,
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')

let ticks: number | undefined
const ticksPerSecond = (): number => {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ticks
}

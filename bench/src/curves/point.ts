import type { DatabaseName } from '../databases.ts'
import type { Repetition } from '../repetition.ts'
import { cpuPerStep } from '../repetition.ts'
import { median, rounded } from '../statistics.ts'

/** What grows. */
export type CurveName = 'history_length' | 'open_runs' | 'workers'

/** What a step costs: in time from the outside, and in CPU of the server. */
export interface StepCost {
  readonly wall_ms_per_step: number
  /** `null` where the system does not tell. */
  readonly server_cpu_ms_per_step: number | null
}

export interface CurvePoint extends StepCost {
  readonly curve: CurveName
  readonly database: DatabaseName
  /** `without` is the same at the same moment with nothing that grows: what moves it is the machine. */
  readonly series: 'measured' | 'without'
  /** Steps of the run so far, open runs, or worker processes. */
  readonly x: number
}

export interface FloorLine extends StepCost {
  readonly curve: CurveName
}

/** The cost of a step over repetitions of W1: the median time, the CPU of all. */
export function costOf(repetitions: readonly Repetition[], stepsOfEach: number): StepCost {
  const wallsMs = repetitions.map(({ figures }) => 1_000 / (figures.steps_per_second ?? Number.NaN))
  const cpu = cpuPerStep(
    repetitions.map((repetition) => repetition.cpu),
    stepsOfEach * repetitions.length,
  )
  return { wall_ms_per_step: rounded(median(wallsMs)), server_cpu_ms_per_step: cpu.server }
}

import type { DatabaseName } from './databases.ts'
import type { FloorOf } from './floor/floor.ts'
import type { Figures } from './loads.ts'
import { type Asked, nameOf, openWaitingRuns } from './open-runs.ts'
import { orderOfPairs, type Side, slowerPercent } from './pairs.ts'
import { type Profiled, withProfiles } from './profile/profiled.ts'
import { type CpuPerStep, cpuPerStep, measureOnce, type Repetition } from './repetition.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'
import { rounded, summary } from './statistics.ts'
import { meets, openRunsTarget, type Target, targetOf } from './targets.ts'
import { type Workload, warmUpOfEveryStage, workloads } from './workloads.ts'

/** Repetitions on one stage, summed up. */
export interface Summed {
  /** Medians of the repetitions. */
  readonly figures: Figures
  /** Lowest and highest of the repetitions. */
  readonly range: Readonly<Record<string, readonly [number, number]>>
  readonly cpu_ms_per_step: CpuPerStep
  readonly repetitions: readonly Figures[]
}

export interface Measured extends Summed {
  /** `W1`, or `W1@10k` with open runs beside it. */
  readonly workload: string
  readonly database: DatabaseName
  readonly title: string
  /** `null`: reported without an aim. */
  readonly target: Target | null
  readonly met: boolean | null
  readonly floor: FloorOf | null
  /** The same without the open runs, measured in turn with them. */
  readonly without?: Summed
  readonly profile?: Profiled
}

export interface MeasureOptions extends Pick<StageOptions, 'database' | 'parentFolder'> {
  readonly repetitions: number
  readonly floor: FloorOf | null
  /** Whether server and worker write CPU profiles; they are slower then. */
  readonly profile: boolean
}

/** Runs a workload: alone on its stage, or in pairs where there are open runs beside it. */
export const measure = (asked: Asked, options: MeasureOptions): Promise<Measured> =>
  asked.openRuns === 0 ? measureAlone(asked, options) : measureInPairs(asked, options)

/** A new server and worker: the warm-up of every stage, the workload's own, then the repetitions on the same database. */
async function measureAlone(asked: Asked, options: MeasureOptions): Promise<Measured> {
  const workload: Workload = workloads[asked.workload]
  const measureOn = async (stage: Stage): Promise<readonly Repetition[]> => {
    await warmUp(stage, workload)
    const repetitions: Repetition[] = []
    for (let index = 0; index < options.repetitions; index += 1) repetitions.push(await measureOnce(stage, workload))
    return repetitions
  }
  if (options.profile) {
    const { repetitions, profile } = await withProfiles(options, measureOn)
    return { ...measured(asked, options, summed(repetitions, workload)), profile }
  }
  await using stage = await openStage(options)
  return measured(asked, options, summed(await measureOn(stage), workload))
}

/**
 * Two stages, one of them with open runs; each pair measures both, one right after the other, and is compared by itself.
 * Twice as many pairs as repetitions, so that each side comes first as often.
 */
async function measureInPairs(asked: Asked, options: MeasureOptions): Promise<Measured> {
  const workload: Workload = workloads[asked.workload]
  await using without = await openStage(options)
  await using loaded = await openStage(options)
  const stages: Readonly<Record<Side, Stage>> = { without, with: loaded }
  await warmUp(without, workload)
  await openWaitingRuns(loaded, asked.openRuns)
  await warmUp(loaded, workload)

  const seen: Readonly<Record<Side, Repetition[]>> = { without: [], with: [] }
  for (const order of orderOfPairs(2 * options.repetitions)) {
    for (const side of order) seen[side].push(await measureOnce(stages[side], workload))
  }
  const { figure, direction } = workload.main
  const pairs = seen.without.map((repetition, index) => ({
    without: repetition.figures[figure] ?? Number.NaN,
    with: seen.with[index]?.figures[figure] ?? Number.NaN,
  }))
  const slower = slowerPercent(pairs, direction)
  const loadedSummed = summed(seen.with, workload)
  const figures = { ...loadedSummed.figures, slower_percent: rounded(slower.median) }
  const range = {
    ...loadedSummed.range,
    slower_percent: [rounded(slower.range[0]), rounded(slower.range[1])] as const,
  }
  return { ...measured(asked, options, { ...loadedSummed, figures, range }), without: summed(seen.without, workload) }
}

async function warmUp(stage: Stage, workload: Workload): Promise<void> {
  await warmUpOfEveryStage(stage)
  await workload.warmUp(stage)
}

function measured(asked: Asked, { database, floor }: MeasureOptions, sums: Summed): Measured {
  const { title } = workloads[asked.workload]
  const target = asked.openRuns === 0 ? targetOf(asked.workload, database) : openRunsTarget
  return {
    workload: nameOf(asked),
    database,
    title: asked.openRuns === 0 ? title : `${title}, beside ${asked.openRuns} open runs`,
    target,
    met: meets(sums.figures, target),
    floor,
    ...sums,
  }
}

const summed = (repetitions: readonly Repetition[], { steps }: Workload): Summed => ({
  ...summary(repetitions.map((repetition) => repetition.figures)),
  cpu_ms_per_step: cpuPerStep(
    repetitions.map((repetition) => repetition.cpu),
    steps * repetitions.length,
  ),
  repetitions: repetitions.map(({ figures }) =>
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)])),
  ),
})

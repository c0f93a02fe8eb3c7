import type { FloorOf } from './floor/floor.ts'
import { openStage } from './stage.ts'
import { median, rounded } from './statistics.ts'
import { type Figures, type Workload, type WorkloadName, warmUpOfEveryStage, workloads } from './workloads.ts'

export interface Measured {
  readonly workload: WorkloadName
  readonly title: string
  /** Medians of the repetitions. */
  readonly figures: Figures
  /** Lowest and highest of the repetitions. */
  readonly range: Readonly<Record<string, readonly [number, number]>>
  readonly cpu_ms_per_step: { readonly server: number | null; readonly worker: number | null }
  readonly repetitions: readonly Figures[]
  readonly target: Workload['target']
  readonly met: boolean
  readonly floor: FloorOf | null
}

/** Runs a workload on a new server and worker: the warm-up of every stage, its own, then the repetitions on the same database. */
export async function measure(
  name: WorkloadName,
  options: { readonly parentFolder: string; readonly repetitions: number; readonly floor: FloorOf | null },
): Promise<Measured> {
  const workload: Workload = workloads[name]
  await using stage = await openStage(options.parentFolder)
  await warmUpOfEveryStage(stage)
  await workload.warmUp(stage)
  const before = stage.cpu()
  const repetitions: Figures[] = []
  for (let index = 0; index < options.repetitions; index += 1) repetitions.push(await workload.measure(stage))
  const after = stage.cpu()
  const steps = workload.steps * options.repetitions
  const perStep = (from: number | undefined, to: number | undefined): number | null =>
    from === undefined || to === undefined ? null : rounded((to - from) / steps)

  const figures: Record<string, number> = {}
  const range: Record<string, readonly [number, number]> = {}
  for (const figure of Object.keys(repetitions[0] ?? {})) {
    const values = repetitions.flatMap((repetition) => repetition[figure] ?? [])
    figures[figure] = rounded(median(values))
    range[figure] = [rounded(Math.min(...values)), rounded(Math.max(...values))]
  }
  const { figure, bound, value } = workload.target
  const seen = figures[figure] ?? Number.NaN
  return {
    workload: name,
    title: workload.title,
    figures,
    range,
    cpu_ms_per_step: { server: perStep(before.server, after.server), worker: perStep(before.worker, after.worker) },
    repetitions: repetitions.map((repetition) =>
      Object.fromEntries(Object.entries(repetition).map(([key, number]) => [key, rounded(number)])),
    ),
    target: workload.target,
    met: bound === 'at least' ? seen >= value : seen <= value,
    floor: options.floor,
  }
}

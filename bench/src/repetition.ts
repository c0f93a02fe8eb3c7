import type { Figures } from './loads.ts'
import { instantUs, type Window } from './profile/profile.ts'
import type { CpuUsed, Stage } from './stage.ts'
import { rounded } from './statistics.ts'
import type { Workload } from './workloads.ts'

/** One repetition of a workload: its figures, and what it cost. */
export interface Repetition {
  readonly figures: Figures
  /** CPU milliseconds used meanwhile. */
  readonly cpu: CpuUsed
  readonly window: Window
}

export async function measureOnce(stage: Stage, workload: Pick<Workload, 'measure'>): Promise<Repetition> {
  const from = instantUs()
  const before = stage.cpu()
  const figures = await workload.measure(stage)
  return { figures, cpu: usedSince(before, stage.cpu()), window: { from, to: instantUs() } }
}

export const usedSince = (before: CpuUsed, after: CpuUsed): CpuUsed => ({
  server: difference(before.server, after.server),
  worker: difference(before.worker, after.worker),
  database: difference(before.database, after.database),
})

/** CPU milliseconds a step; `null` where the system does not tell, or where there is no such process. */
export interface CpuPerStep {
  readonly server: number | null
  readonly worker: number | null
  readonly database: number | null
}

/** What several spans cost together, by the steps that they did together. */
export function cpuPerStep(spans: readonly CpuUsed[], steps: number): CpuPerStep {
  const of = (part: keyof CpuUsed): number | null => {
    let total = 0
    for (const span of spans) {
      const used = span[part]
      if (used === undefined) return null
      total += used
    }
    return rounded(total / steps)
  }
  return { server: of('server'), worker: of('worker'), database: of('database') }
}

const difference = (before: number | undefined, after: number | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : after - before

import type { DatabaseName } from './databases.ts'
import type { WorkloadName } from './workloads.ts'

/** What is aimed at on two cores. */
export interface Target {
  readonly figure: string
  readonly bound: 'at least' | 'at most'
  readonly value: number
}

const atLeast = (figure: string, value: number): Target => ({ figure, bound: 'at least', value })
const atMost = (figure: string, value: number): Target => ({ figure, bound: 'at most', value })

/** Every aim of the benchmark; `null`: the figure is reported without one. */
const targets: Readonly<Record<WorkloadName, Readonly<Record<DatabaseName, Target | null>>>> = {
  W1: { sqlite: atLeast('steps_per_second', 2_000), postgres: atLeast('steps_per_second', 800) },
  W2: { sqlite: atMost('p50_ms', 60), postgres: null },
  W2all: { sqlite: atMost('p50_ms', 60), postgres: null },
  W3: { sqlite: atMost('p50_ms', 5), postgres: null },
  W4: { sqlite: atMost('p50_ms', 5), postgres: null },
  W5: { sqlite: atMost('last_to_first', 1.2), postgres: atMost('last_to_first', 1.2) },
}

/** How much a workload may lose through open runs that only wait, in percent of the same without them. */
export const openRunsTarget: Target = atMost('slower_percent', 10)

export const targetOf = (workload: WorkloadName, database: DatabaseName): Target | null => targets[workload][database]

/** Whether the figures meet a target; `null` where there is none. A figure that was not measured does not meet it. */
export function meets(figures: Readonly<Record<string, number>>, target: Target | null): boolean | null {
  if (target === null) return null
  const seen = figures[target.figure]
  if (seen === undefined) return false
  return target.bound === 'at least' ? seen >= target.value : seen <= target.value
}

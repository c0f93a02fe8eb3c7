import { type Figures, runChains, runEchoes, runFanOuts, runTimedChain } from './loads.ts'
import type { Direction } from './pairs.ts'
import type { Stage } from './stage.ts'

export interface Workload {
  readonly title: string
  /** The figure that stands for the workload. */
  readonly main: { readonly figure: string; readonly direction: Direction }
  /** Steps of one repetition, for the CPU milliseconds a step. */
  readonly steps: number
  readonly warmUp: (stage: Stage) => Promise<unknown>
  readonly measure: (stage: Stage) => Promise<Figures>
}

/**
 * What every stage does first: a load of every kind of request, so that no workload measures how code is compiled. A
 * server in use has run for more than these three seconds.
 */
export const warmUpOfEveryStage = (stage: Stage): Promise<unknown> =>
  runChains(stage, { runs: 300, atATime: 50, steps: 10 })

const throughput = { figure: 'steps_per_second', direction: 'more is better' } as const
const latency = { figure: 'p50_ms', direction: 'less is better' } as const

export const workloads = {
  W1: {
    title: 'chain of 10 steps, 500 runs, 50 at a time',
    main: throughput,
    steps: 5_000,
    warmUp: (stage) => runChains(stage, { runs: 50, atATime: 10, steps: 10 }),
    measure: (stage) => runChains(stage, { runs: 500, atATime: 50, steps: 10 }),
  },
  W2: {
    title: 'fan-out of 100 steps (Promise.all), 20 runs, one after the other',
    main: latency,
    steps: 2_000,
    warmUp: (stage) => runFanOuts(stage, { runs: 10, width: 100, grouped: false }),
    measure: (stage) => runFanOuts(stage, { runs: 20, width: 100, grouped: false }),
  },
  W2all: {
    title: 'fan-out of 100 steps as one group (ctx.all), 20 runs, one after the other',
    main: latency,
    steps: 2_000,
    warmUp: (stage) => runFanOuts(stage, { runs: 10, width: 100, grouped: true }),
    measure: (stage) => runFanOuts(stage, { runs: 20, width: 100, grouped: true }),
  },
  W3: {
    title: 'one step, 200 runs, one after the other',
    main: latency,
    steps: 200,
    warmUp: (stage) => runChains(stage, { runs: 50, atATime: 1, steps: 1 }),
    measure: (stage) => runChains(stage, { runs: 200, atATime: 1, steps: 1 }),
  },
  W4: {
    title: 'a signal to a waiting run until its result, 200 runs, one after the other',
    main: latency,
    steps: 200,
    warmUp: (stage) => runEchoes(stage, 50),
    measure: (stage) => runEchoes(stage, 200),
  },
  W5: {
    title: '1,000 steps in one run, first and last 100',
    main: { figure: 'last_to_first', direction: 'less is better' },
    steps: 1_000,
    warmUp: (stage) => runTimedChain(stage, 200),
    measure: (stage) => runTimedChain(stage, 1_000),
  },
} as const satisfies Record<string, Workload>

export type WorkloadName = keyof typeof workloads

export const isWorkloadName = (name: string): name is WorkloadName => Object.hasOwn(workloads, name)

export const workloadNames: readonly WorkloadName[] = Object.keys(workloads).filter(isWorkloadName)

import { randomUUID } from 'node:crypto'
import type { WorkflowHandle } from '@durable-workflow/sdk/client'
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { chain, echo, go, timedChain } from './chain.ts'
import type { Stage } from './stage.ts'
import { median, percentile } from './statistics.ts'

/** Figures of one repetition, by name; the unit is in the name. */
export type Figures = Readonly<Record<string, number>>

export interface Workload {
  readonly title: string
  /** Steps of one repetition, for the CPU seconds a step. */
  readonly steps: number
  readonly warmUp: (stage: Stage) => Promise<unknown>
  readonly measure: (stage: Stage) => Promise<Figures>
  /** What is aimed at on two cores. */
  readonly target: { readonly figure: string; readonly bound: 'at least' | 'at most'; readonly value: number }
}

/**
 * What every stage does first: a load of every kind of request, so that no workload measures how code is compiled. A
 * server in use has run for more than these three seconds.
 */
export const warmUpOfEveryStage = (stage: Stage): Promise<unknown> =>
  runChains(stage, { runs: 300, atATime: 50, steps: 10 })

export const workloads = {
  W1: {
    title: 'chain of 10 steps, 500 runs, 50 at a time',
    steps: 5_000,
    warmUp: (stage) => runChains(stage, { runs: 50, atATime: 10, steps: 10 }),
    measure: (stage) => runChains(stage, { runs: 500, atATime: 50, steps: 10 }),
    target: { figure: 'steps_per_second', bound: 'at least', value: 1_500 },
  },
  W3: {
    title: 'one step, 200 runs, one after the other',
    steps: 200,
    warmUp: (stage) => runChains(stage, { runs: 50, atATime: 1, steps: 1 }),
    measure: (stage) => runChains(stage, { runs: 200, atATime: 1, steps: 1 }),
    target: { figure: 'p50_ms', bound: 'at most', value: 5 },
  },
  W4: {
    title: 'a signal to a waiting run until its result, 200 runs, one after the other',
    steps: 200,
    warmUp: (stage) => runEchoes(stage, 50),
    measure: (stage) => runEchoes(stage, 200),
    target: { figure: 'p50_ms', bound: 'at most', value: 5 },
  },
  W5: {
    title: '1,000 steps in one run, first and last 100',
    steps: 1_000,
    warmUp: (stage) => runTimedChain(stage, 200),
    measure: (stage) => runTimedChain(stage, 1_000),
    target: { figure: 'last_to_first', bound: 'at most', value: 1.2 },
  },
} as const satisfies Record<string, Workload>

export type WorkloadName = keyof typeof workloads

export const isWorkloadName = (name: string): name is WorkloadName => Object.hasOwn(workloads, name)

interface ChainLoad {
  readonly runs: number
  readonly atATime: number
  readonly steps: number
}

/** Starts runs, each as soon as one ended, and waits for every result; latencies are from start to result. */
async function runChains(stage: Stage, { runs, atATime, steps }: ChainLoad): Promise<Figures> {
  const latenciesMs: number[] = []
  const batch = randomUUID()
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < runs) {
      const id = `${batch}-${next}`
      next += 1
      const began = performance.now()
      const run = await stage.client.start(chain, { id, input: { steps }, taskQueue: stage.taskQueue })
      const done = await run.result()
      latenciesMs.push(performance.now() - began)
      if (done !== steps) throw new Error(`run ${id} did ${done} of ${steps} steps`)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atATime }, lane))
  const seconds = (performance.now() - began) / 1_000
  return {
    steps_per_second: (runs * steps) / seconds,
    p50_ms: percentile(latenciesMs, 0.5),
    p99_ms: percentile(latenciesMs, 0.99),
  }
}

/** The clock runs from the signal, sent when the run is known to wait for it, to the result. */
async function runEchoes(stage: Stage, runs: number): Promise<Figures> {
  const latenciesMs: number[] = []
  for (let index = 0; index < runs; index += 1) {
    const run = await stage.client.start(echo, { id: randomUUID(), taskQueue: stage.taskQueue })
    await waitFor('the run waits for its signal', () => lastEventOf(run), {
      until: (type) => type === 'SignalWaitOpened',
    })
    const began = performance.now()
    await run.signal(go, { index })
    const answer = await run.result()
    latenciesMs.push(performance.now() - began)
    if (answer !== index) throw new Error(`signal ${index} came back as ${answer}`)
  }
  return { p50_ms: percentile(latenciesMs, 0.5), p99_ms: percentile(latenciesMs, 0.99) }
}

async function lastEventOf(run: Pick<WorkflowHandle, 'history'>): Promise<string | undefined> {
  let last: string | undefined
  for await (const event of run.history()) last = event.type
  return last
}

/** One long run; a step's time is the distance between its activity's instant and the one before. */
async function runTimedChain(stage: Stage, steps: number): Promise<Figures> {
  const began = performance.now()
  const options = { id: randomUUID(), input: { steps }, taskQueue: stage.taskQueue }
  const instants = await (await stage.client.start(timedChain, options)).result()
  const seconds = (performance.now() - began) / 1_000
  if (instants.length !== steps) throw new Error(`the run did ${instants.length} of ${steps} steps`)
  const stepsMs = instants.slice(1).map((at, index) => at - (instants[index] ?? at))
  const first = mean(stepsMs.slice(0, 100))
  const last = mean(stepsMs.slice(-100))
  return {
    steps_per_second: steps / seconds,
    p50_ms: median(stepsMs),
    first_100_ms_per_step: first,
    last_100_ms_per_step: last,
    last_to_first: last / first,
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

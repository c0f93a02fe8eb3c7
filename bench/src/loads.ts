import { randomUUID } from 'node:crypto'
import type { WorkflowHandle } from '@durable-workflow/sdk/client'
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { chain, echo, go, timedChain } from './chain.ts'
import { fanOut, groupedFanOut } from './fan-out.ts'
import type { Stage } from './stage.ts'
import { mean, median, percentile } from './statistics.ts'

/** Figures of one repetition, by name; the unit is in the name. */
export type Figures = Readonly<Record<string, number>>

export interface ChainLoad {
  readonly runs: number
  readonly atATime: number
  readonly steps: number
}

/** Starts runs, each as soon as one ended, and waits for every result; latencies are from start to result. */
export async function runChains(stage: Stage, { runs, atATime, steps }: ChainLoad): Promise<Figures> {
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
export async function runEchoes(stage: Stage, runs: number): Promise<Figures> {
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

export async function lastEventOf(run: Pick<WorkflowHandle, 'history'>): Promise<string | undefined> {
  let last: string | undefined
  for await (const event of run.history()) last = event.type
  return last
}

/** One long run; a step's time is the distance between its activity's instant and the one before. */
export async function runTimedChain(stage: Stage, steps: number): Promise<Figures> {
  const began = performance.now()
  const instants = await instantsOfSteps(stage, steps)
  const seconds = (performance.now() - began) / 1_000
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

/** One run of that many steps: when each activity ran, in epoch milliseconds with fractions. */
export async function instantsOfSteps(stage: Stage, steps: number): Promise<readonly number[]> {
  const options = { id: randomUUID(), input: { steps }, taskQueue: stage.taskQueue }
  const instants = await (await stage.client.start(timedChain, options)).result()
  if (instants.length !== steps) throw new Error(`the run did ${instants.length} of ${steps} steps`)
  return instants
}

/** Runs of `width` activities at once, alone or as one group, one run after the other; latencies are from start to result. */
export async function runFanOuts(
  stage: Stage,
  { runs, width, grouped }: { readonly runs: number; readonly width: number; readonly grouped: boolean },
): Promise<Figures> {
  const latenciesMs: number[] = []
  const began = performance.now()
  for (let index = 0; index < runs; index += 1) {
    const startedAt = performance.now()
    const options = { id: randomUUID(), input: { width }, taskQueue: stage.taskQueue }
    const done = await (await stage.client.start(grouped ? groupedFanOut : fanOut, options)).result()
    latenciesMs.push(performance.now() - startedAt)
    if (done !== width) throw new Error(`run ${index} did ${done} of ${width} activities`)
  }
  const seconds = (performance.now() - began) / 1_000
  return {
    p50_ms: percentile(latenciesMs, 0.5),
    p99_ms: percentile(latenciesMs, 0.99),
    steps_per_second: (runs * width) / seconds,
  }
}

import { instantsOfSteps } from '../loads.ts'
import { openStage, type Stage, type StageOptions } from '../stage.ts'
import { mean, median, rounded } from '../statistics.ts'
import { warmUpOfEveryStage } from '../workloads.ts'
import type { CurvePoint } from './point.ts'
import { type CpuSample, costOfSpans, type Span } from './spans.ts'

const steps = 1_000
const stepsInASpan = 100
const runs = 8
const sampleEveryMs = 20

/** Runs of 1,000 steps, one after the other: what each hundred of steps costs. */
export async function* costByHistoryLength(
  options: Pick<StageOptions, 'database' | 'parentFolder'>,
): AsyncIterable<CurvePoint> {
  await using stage = await openStage(options)
  await warmUpOfEveryStage(stage)
  await instantsOfSteps(stage, 200)
  const spansOfRuns: (readonly Span[])[] = []
  for (let run = 0; run < runs; run += 1) spansOfRuns.push(await spansOfOneRun(stage))
  for (let index = 0; index < steps / stepsInASpan; index += 1) {
    const spans = spansOfRuns.flatMap((ofRun) => ofRun[index] ?? [])
    const costs = spans.flatMap(({ serverCpuMsPerStep }) => serverCpuMsPerStep ?? [])
    yield {
      curve: 'history_length',
      database: options.database,
      series: 'measured',
      x: (index + 1) * stepsInASpan,
      wall_ms_per_step: rounded(median(spans.map((span) => span.wallMsPerStep))),
      server_cpu_ms_per_step: costs.length < spans.length ? null : rounded(mean(costs)),
    }
  }
}

async function spansOfOneRun(stage: Stage): Promise<readonly Span[]> {
  const samples: CpuSample[] = []
  const look = (): void => {
    const { server } = stage.cpu()
    if (server !== undefined) samples.push({ at: performance.timeOrigin + performance.now(), cpuMs: server })
  }
  look()
  const timer = setInterval(look, sampleEveryMs)
  try {
    const instants = await instantsOfSteps(stage, steps)
    look()
    return costOfSpans(instants, samples, stepsInASpan)
  } finally {
    clearInterval(timer)
  }
}

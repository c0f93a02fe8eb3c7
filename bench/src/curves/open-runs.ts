import { openWaitingRuns } from '../open-runs.ts'
import { orderOfPairs, type Side } from '../pairs.ts'
import { measureOnce, type Repetition } from '../repetition.ts'
import { openStage, type Stage, type StageOptions } from '../stage.ts'
import { warmUpOfEveryStage, workloads } from '../workloads.ts'
import { type CurvePoint, costOf } from './point.ts'

const openRuns = [0, 1_000, 2_500, 5_000, 10_000] as const
const pairsOfAPoint = 2

/** W1 beside ever more open runs, and at the same moments on a stage that has none. */
export async function* costByOpenRuns(
  options: Pick<StageOptions, 'database' | 'parentFolder'>,
): AsyncIterable<CurvePoint> {
  await using without = await openStage(options)
  await using loaded = await openStage(options)
  const stages: Readonly<Record<Side, Stage>> = { without, with: loaded }
  await warmUpOfEveryStage(without)
  await warmUpOfEveryStage(loaded)
  let open = 0
  for (const x of openRuns) {
    await openWaitingRuns(loaded, x - open)
    open = x
    const seen: Readonly<Record<Side, Repetition[]>> = { without: [], with: [] }
    for (const order of orderOfPairs(pairsOfAPoint)) {
      for (const side of order) seen[side].push(await measureOnce(stages[side], workloads.W1))
    }
    const point = { curve: 'open_runs', database: options.database, x } as const
    yield { ...point, series: 'measured', ...costOf(seen.with, workloads.W1.steps) }
    yield { ...point, series: 'without', ...costOf(seen.without, workloads.W1.steps) }
  }
}

import { measureOnce, type Repetition } from '../repetition.ts'
import { openStage, type StageOptions } from '../stage.ts'
import { warmUpOfEveryStage, workloads } from '../workloads.ts'
import { type CurvePoint, costOf } from './point.ts'

const workersMax = 8
const repetitionsOfAPoint = 3

/** W1 with 1, 2, 4 and 8 worker processes. */
export async function* costByWorkers(
  options: Pick<StageOptions, 'database' | 'parentFolder'>,
): AsyncIterable<CurvePoint> {
  await using stage = await openStage(options)
  let workers = 1
  for (let x = 1; x <= workersMax; x *= 2) {
    for (; workers < x; workers += 1) await stage.addWorker()
    // New workers have compiled nothing yet.
    await warmUpOfEveryStage(stage)
    const repetitions: Repetition[] = []
    for (let index = 0; index < repetitionsOfAPoint; index += 1) {
      repetitions.push(await measureOnce(stage, workloads.W1))
    }
    const cost = costOf(repetitions, workloads.W1.steps)
    yield { curve: 'workers', database: options.database, series: 'measured', x, ...cost }
  }
}

// Cost curves: what a step costs as history, open runs and workers grow. Flat is the aim.
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { resolve } from 'node:path'
import type { DatabaseName } from '../databases.ts'
import { type Floor, measureFloor } from '../floor/floor.ts'
import { drawCurves } from './chart.ts'
import { costByHistoryLength } from './history-length.ts'
import { costByOpenRuns } from './open-runs.ts'
import type { CurvePoint, FloorLine } from './point.ts'
import { costByWorkers } from './workers.ts'

export interface CurveOptions {
  readonly databases: readonly DatabaseName[]
  /** Where databases go; on a real disk. */
  readonly parentFolder: string
  readonly say: (line: string) => void
}

const benchFolder = resolve(import.meta.dirname, '../..')

/** Measures all curves, writes `curves.json` and draws `curves.svg` into the folder of the benchmark. */
export async function measureCurves({ databases, parentFolder, say }: CurveOptions): Promise<void> {
  const floor = await measureFloor(databases, parentFolder, say)
  const points: CurvePoint[] = []
  for (const database of databases) {
    for (const measureCurve of [costByHistoryLength, costByOpenRuns, costByWorkers]) {
      for await (const point of measureCurve({ database, parentFolder })) {
        points.push(point)
        say(JSON.stringify(point))
      }
    }
  }
  const floors = floorLines(floor)
  const machine = { cores: availableParallelism(), cpu: cpus()[0]?.model ?? 'unknown', node: process.version }
  await writeFile(
    resolve(benchFolder, 'curves.json'),
    `${JSON.stringify({ machine, floor, floors, points }, null, 2)}\n`,
  )
  await writeFile(resolve(benchFolder, 'curves.svg'), await drawCurves(points, floors))
  say('wrote bench/curves.json and bench/curves.svg')
}

/** The pipeline with no engine in it: one run at a time beside history length, W1 beside the other two. */
function floorLines({ pipeline }: Floor): readonly FloorLine[] {
  const lineOf = (curve: FloorLine['curve'], workload: 'W1' | 'W5'): FloorLine[] => {
    const figures = pipeline?.[workload]
    if (figures === undefined) return []
    const { steps_per_second, server_cpu_ms_per_step } = figures
    return [{ curve, wall_ms_per_step: 1_000 / steps_per_second, server_cpu_ms_per_step }]
  }
  return [...lineOf('history_length', 'W5'), ...lineOf('open_runs', 'W1'), ...lineOf('workers', 'W1')]
}

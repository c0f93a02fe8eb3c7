// What this machine can do at best in the same run: the figures that a workload's own stand beside.
import type { WorkloadName } from '../workloads.ts'
import { measureHttp } from './http.ts'
import { measurePipeline, type Pipeline, type PipelineFigures } from './pipeline.ts'
import { measureSqlite } from './sqlite.ts'

export interface Floor {
  /** One row, one commit (WAL, synchronous=FULL). */
  readonly single_commits_per_second: number
  /** Rows of commits of 50. */
  readonly grouped_rows_per_second: number
  /** POST of a small JSON body to a Fastify route that does nothing, 50 at a time. */
  readonly empty_posts_per_second: number
  /** Polls, commits and replies of the same workload with no engine in between; `null` when it could not run. */
  readonly pipeline: Pipeline | null
}

/** The floor as one workload sees it. */
export interface FloorOf extends Omit<Floor, 'pipeline'> {
  readonly pipeline: PipelineFigures | null
}

/** Measures the floor; `say` hears what could not be measured. */
export async function measureFloor(parentFolder: string, say: (line: string) => void): Promise<Floor> {
  return {
    ...measureSqlite(parentFolder),
    empty_posts_per_second: await measureHttp(),
    pipeline: await measurePipeline(parentFolder, say),
  }
}

export const floorOf = (floor: Floor, name: WorkloadName): FloorOf => ({
  ...floor,
  pipeline: floor.pipeline?.[name] ?? null,
})

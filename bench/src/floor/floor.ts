// What this machine can do at best in the same run: the figures that a workload's own stand beside.
import type { DatabaseName } from '../databases.ts'
import type { WorkloadName } from '../workloads.ts'
import type { CommitFigures } from './commits.ts'
import { measureHttp } from './http.ts'
import { measurePipeline, type Pipeline, type PipelineFigures } from './pipeline.ts'
import { measurePostgres } from './postgres.ts'
import { measureSqlite } from './sqlite.ts'

export interface Floor {
  readonly commits: Readonly<Partial<Record<DatabaseName, CommitFigures>>>
  /** POST of a small JSON body to a Fastify route that does nothing, 50 at a time. */
  readonly empty_posts_per_second: number
  /** Polls, commits and replies of the same workload on SQLite with no engine in between; `null` when it could not run. */
  readonly pipeline: Pipeline | null
}

/** The floor as one workload on one database sees it. */
export interface FloorOf extends CommitFigures {
  readonly empty_posts_per_second: number
  readonly pipeline: (PipelineFigures & { readonly database: 'sqlite' }) | null
}

/** Measures the floor; `say` hears what could not be measured. */
export async function measureFloor(
  databases: readonly DatabaseName[],
  parentFolder: string,
  say: (line: string) => void,
): Promise<Floor> {
  return {
    commits: {
      ...(databases.includes('sqlite') ? { sqlite: measureSqlite(parentFolder) } : {}),
      ...(databases.includes('postgres') ? { postgres: await measurePostgres() } : {}),
    },
    empty_posts_per_second: await measureHttp(),
    pipeline: await measurePipeline(parentFolder, say),
  }
}

/** @throws Error when the floor of that database was not measured */
export function floorOf(floor: Floor, workload: WorkloadName, database: DatabaseName): FloorOf {
  const commits = floor.commits[database]
  if (commits === undefined) throw new Error(`the floor of ${database} was not measured`)
  const figures = floor.pipeline?.[workload]
  return {
    ...commits,
    empty_posts_per_second: floor.empty_posts_per_second,
    pipeline: figures === undefined ? null : { database: 'sqlite', ...figures },
  }
}

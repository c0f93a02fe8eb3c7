// The processes of a PostgreSQL cluster on this machine, and what they cost.
import { Client } from 'pg'
import { childrenOf, cpuOf, type ProcessStat, processStat } from './cpu.ts'

export interface Cluster {
  /** Process id of the postmaster. */
  readonly pid: number
  /** CPU milliseconds (user and system) of all its processes so far, of those that have ended too. */
  cpuMs(): number
}

/** Finds the cluster behind a URL; `undefined` where its processes cannot be seen from here. */
export async function clusterOf(url: string): Promise<Cluster | undefined> {
  const client = new Client({ connectionString: url, application_name: 'durable-workflow-bench' })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const backend = processStat(rows[0]?.pid ?? 0)
    // A cluster on another machine or in another container has process ids that mean something else here.
    if (backend?.command !== 'postgres') return undefined
    const postmaster = processStat(backend.parentPid)
    if (postmaster?.command !== 'postgres') return undefined
    const { pid } = postmaster
    return { pid, cpuMs: () => sumOf([processStat(pid), ...childrenOf(pid)]) }
  } finally {
    await client.end()
  }
}

// The postmaster's own line has the time of the backends that it saw end.
const sumOf = (processes: readonly (ProcessStat | undefined)[]): number =>
  processes.reduce((sum, process) => sum + (process === undefined ? 0 : cpuOf(process) + process.endedChildrenMs), 0)

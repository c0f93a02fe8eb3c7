import { freshDatabase, postgresUrl } from '@durable-workflow/tests/support/postgres'
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { clusterOf } from './cluster.ts'
import { processStat } from './cpu.ts'

const without = postgresUrl() === undefined || process.platform !== 'linux'

test.skipIf(without)(
  'PostgreSQL: the CPU of a cluster is that of its backends, also when they have ended',
  async () => {
    await using database = await freshDatabase()
    const cluster = await clusterOf(database.url)
    if (cluster === undefined) throw new Error('the processes of this PostgreSQL cannot be seen from here')
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const before = cluster.cpuMs()
    await client.query('select count(*) from generate_series(1, 3000000) s where s % 7 = 3')
    const after = cluster.cpuMs()
    expect(after - before).toBeGreaterThan(50)
    await client.end()
    await waitFor('the backend has ended', () => processStat(rows[0]?.pid ?? 0) === undefined)
    expect(cluster.cpuMs()).toBeGreaterThanOrEqual(after)
  },
)

// A crash of PostgreSQL between the last write and the answer to the commit. The numbers of transactions that were not on
// disk are given out again, so that "committed" may be said of another's.
import { postgresPrograms, startCluster } from '@durable-workflow/tests/support/postgres-cluster'
import { expect, test } from 'vitest'
import { openStore } from '../src/index.ts'
import { changes, run } from './support/make.ts'

const isInstalled = postgresPrograms() !== undefined

test.skipIf(!isInstalled)(
  `UW7 ${isInstalled ? '' : 'needs postgres: '}a commit that a crash swallowed is never said to have come through`,
  { timeout: 60_000 },
  async () => {
    await using cluster = await startCluster()
    await cluster.query('create table others (name text)')
    const store = await openStore(cluster.url)
    try {
      const commit = store.transact(['lock'], async (transaction) => {
        await transaction.write(changes({ runs: { inserted: [run()] } }))
        await cluster.stop('immediate')
        await cluster.start()
        for (let other = 0; other < 10; other += 1) await cluster.query("insert into others values ('another')")
      })
      await expect(commit).rejects.toMatchObject({ name: 'CommitUnknownError' })
      expect((await store.load([{ of: 'run', runId: run().runId }])).runs).toEqual([])
    } finally {
      await store.close()
    }
  },
)

// PostgreSQL crashes between a commit and its answer. After a crash it gives transaction numbers again that it had given
// before but not written down yet: what it then says of a number may be said of another transaction.

import { postgresPrograms, startCluster } from '@durable-workflow/tests/support/postgres-cluster'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { changes, run } from '../support/make.ts'
import { write } from '../support/suite.ts'
import { relayTo } from '../support/tcp-relay.ts'

const isInstalled = postgresPrograms() !== undefined
const title = isInstalled ? 'PostgreSQL' : 'PostgreSQL (needs postgres)'
/** More than are under way here: one of them is given the number of the transaction that was lost. */
const transactionsAfterwards = 40

describe.skipIf(!isInstalled)(`${title}: UW7 a crash before a commit arrived`, () => {
  test('the number of the lost transaction is another’s and committed: nobody is told that it was written', {
    timeout: 60_000,
  }, async () => {
    await using cluster = await startCluster()
    // What is not committed is written down late: the number is lost with the crash.
    await cluster.query("alter system set wal_writer_delay = '10s'")
    await cluster.query('select pg_reload_conf()')
    await using relay = await relayTo(cluster.url)
    const committing = Promise.withResolvers<void>()
    let isWatched = false
    const store = await openStore(relay.url, {
      notifications: false,
      onStatement: (text) => {
        if (text !== 'commit' || !isWatched) return
        relay.fault = 'lose requests'
        relay.isOpen = false
        isWatched = false
        committing.resolve()
      },
    })
    await cluster.query('checkpoint')
    isWatched = true
    const writing = write(store, changes({ runs: { inserted: [run({ runId: 'lost', workflowId: 'of-lost' })] } }))
    const outcome = writing.then(
      () => 'written',
      (error: unknown) => (error instanceof Error ? error.name : String(error)),
    )
    await committing.promise
    await cluster.stop('immediate')
    await cluster.start()
    for (let number = 0; number < transactionsAfterwards; number += 1)
      await cluster.query('select pg_current_xact_id()')
    relay.fault = undefined
    relay.isOpen = true
    expect(['CommitUnknownError', 'StoreUnavailableError']).toContain(await outcome)
    expect(await cluster.query("select run_id from runs where run_id = 'lost'")).toEqual([])
    await store.close()
  })
})

// PostgreSQL in trouble, for real: stopped, crashed, read-only, locked by another session, behind a network that swallows
// everything, on a full disk. The server of each test is its own. Nothing is half-written, workers of the published shape
// go on, and our server needs no restart.
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { jsonClient } from '../support/http.ts'
import { type PostgresCluster, postgresPrograms, startCluster } from '../support/postgres-cluster.ts'
import { startServer } from '../support/server-process.ts'
import { mayMountDisks, mountSmallDisk } from '../support/small-disk.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  type Drill,
  expectRefused,
  expectServed,
  expectServedOrRefused,
  isServing,
  startDrill,
  troubleIsMet,
} from './database-trouble.ts'

const isInstalled = postgresPrograms() !== undefined
const env = { DW_DATABASE_LOCK_TIMEOUT: '1' }
const slow = { timeout: 180_000 }

async function tableNames(cluster: PostgresCluster): Promise<string[]> {
  const rows = await cluster.query(
    "select table_name from information_schema.tables where table_schema = 'public' order by 1",
  )
  return rows.map((row) => String(row.table_name))
}

/** Row counts of all tables. */
async function countsOf(cluster: PostgresCluster): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {}
  for (const name of await tableNames(cluster)) {
    const [row] = await cluster.query(`select count(*) as rows from ${name}`)
    counts[name] = row?.rows
  }
  return counts
}

/** Every run of the drill completed once, with its one activity once. */
async function expectOnce(cluster: PostgresCluster, { runIds }: Drill): Promise<void> {
  const rows = await cluster.query(
    "select run_id, type from history_events where type in ('ActivityCompleted', 'WorkflowCompleted') order by run_id, sequence",
  )
  for (const runId of runIds) {
    const types = rows.filter((row) => row.run_id === runId).map(({ type }) => type)
    expect(types, runId).toEqual(['ActivityCompleted', 'WorkflowCompleted'])
  }
}

describe.skipIf(!isInstalled)(isInstalled ? 'PostgreSQL' : 'needs postgres: PostgreSQL', () => {
  test('unreachable for 30 s: every operation answers its contract, and all goes on by itself', slow, async () => {
    await using cluster = await startCluster()
    await using server = await startServer({ env, databaseUrl: cluster.url })
    await using drill = await startDrill(server)
    await using client = jsonClient({ url: server.url })
    await drill.start(20)
    await drill.finished()
    await drill.start(20)
    await cluster.stop('fast')
    const from = performance.now()
    const asked = await drill.askAll()
    for (const calls of [asked.writes, asked.reads, asked.polls]) expectRefused(calls, 'unreachable')
    expect(await client.control('GET', '/health')).toMatchObject({
      status: 503,
      body: { checks: { database: 'unavailable' } },
    })
    expect((await client.control('GET', '/ready')).status).toBe(503)
    await troubleIsMet(server, 'unreachable')
    // The outage itself, not a wait for a state: half a minute without a database.
    await pause(30_000 - (performance.now() - from))
    for (const { ended } of drill.workers) expect(ended).toBeUndefined()
    await cluster.start()
    await drill.reportAgain()
    await drill.start(20)
    await drill.finished()
    await isServing(server.url)
    expect((await client.control('GET', '/ready')).status).toBe(200)
    await expectOnce(cluster, drill)
    for (const { repeats } of drill.workers) expect(repeats).toBeGreaterThan(3)
  })

  test('a stop during the outage answers held polls, ends with 0, and nothing is lost', slow, async () => {
    await using cluster = await startCluster()
    await using server = await startServer({ env, databaseUrl: cluster.url })
    // The server itself is away for longer than the less patient worker bears.
    await using drill = await startDrill(server, { transportErrorsMax: 100 })
    await drill.start(20)
    await cluster.stop('immediate')
    await troubleIsMet(server, 'unreachable')
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    await cluster.start()
    await server.restart()
    await drill.finished()
    await expectOnce(cluster, drill)
  })

  test('crashed and restarted under load, three times: nothing is lost, nothing is done twice', slow, async () => {
    await using cluster = await startCluster()
    await using server = await startServer({ env, databaseUrl: cluster.url })
    await using drill = await startDrill(server)
    for (let crash = 0; crash < 3; crash += 1) {
      await drill.start(20)
      await cluster.stop('immediate')
      await cluster.start()
      await isServing(server.url)
    }
    await drill.finished()
    await expectOnce(cluster, drill)
  })

  test('read-only: reading goes on, writing is refused, and goes on once it may be', slow, async () => {
    await using cluster = await startCluster()
    await using server = await startServer({ env, databaseUrl: cluster.url })
    await using drill = await startDrill(server)
    await drill.start(5)
    await drill.finished()
    await cluster.query('alter system set default_transaction_read_only = on')
    await cluster.query('select pg_reload_conf()')
    await drill.start(1).catch(() => undefined)
    await troubleIsMet(server, 'read_only')
    const before = await countsOf(cluster)
    const asked = await drill.askAll()
    expectRefused(asked.writes, 'read_only')
    expectServed(asked.reads)
    expect(await countsOf(cluster), 'nothing was written').toEqual(before)
    await cluster.query('alter system reset default_transaction_read_only')
    await cluster.query('select pg_reload_conf()')
    await isServing(server.url)
    await drill.reportAgain()
    await drill.start(5)
    await drill.finished()
    await expectOnce(cluster, drill)
  })

  test('tables locked by another session: refused as locked within the bound, reading goes on', slow, async () => {
    await using cluster = await startCluster()
    await using server = await startServer({ env, databaseUrl: cluster.url })
    await using drill = await startDrill(server)
    await drill.start(5)
    await drill.finished()
    const other = new Client({ connectionString: cluster.url })
    await other.connect()
    try {
      await other.query('begin')
      await other.query(`lock table ${(await tableNames(cluster)).join(', ')} in share mode`)
      const before = await countsOf(cluster)
      const asked = await drill.askAll()
      expectRefused(asked.writes, 'locked')
      expectServed(asked.reads)
      expect(await countsOf(cluster), 'nothing was written').toEqual(before)
      await other.query('rollback')
    } finally {
      await other.end()
    }
    await drill.reportAgain()
    await drill.start(5)
    await drill.finished()
    await expectOnce(cluster, drill)
  })

  test(
    'a network that swallows every byte: health says so at once, requests are answered, new connections are made',
    slow,
    async () => {
      await using cluster = await startCluster()
      await using proxy = await startTcpProxy(cluster.port)
      await using server = await startServer({
        env,
        databaseUrl: cluster.url.replace(`:${cluster.port}/`, `:${proxy.port}/`),
      })
      // Nothing is answered for most of a minute, which no patience of five lost polls is sure to bear.
      await using drill = await startDrill(server, { transportErrorsMax: 20 })
      await using client = jsonClient({ url: server.url })
      await drill.start(5)
      await drill.finished()
      proxy.swallow()
      const from = performance.now()
      const [health, ready, asked] = await Promise.all([
        client.control('GET', '/health'),
        client.control('GET', '/ready').then((reply) => ({ reply, afterMs: performance.now() - from })),
        drill.askAll(),
      ])
      expect(health.status).toBe(503)
      expect(ready.reply.status).toBe(503)
      expect(ready.afterMs).toBeLessThan(10_000)
      for (const calls of [asked.writes, asked.reads, asked.polls]) expectRefused(calls, 'unreachable')
      console.log(`swallowed: every operation answered after ${Math.round((performance.now() - from) / 1000)} s`)
      proxy.pass()
      await waitFor('the database is reached again', async () => (await client.control('GET', '/health')).status, {
        until: (status) => status === 200,
        timeoutMs: 60_000,
      })
      await drill.reportAgain()
      await drill.start(5)
      await drill.finished()
      await expectOnce(cluster, drill)
    },
  )

  const fullDisk = mayMountDisks ? 'a full disk' : 'needs root to mount a small disk: a full disk'
  test.skipIf(!mayMountDisks)(
    `${fullDisk}: what does not fit is refused whole, reading goes on, and room is used again`,
    slow,
    async () => {
      await using disk = await mountSmallDisk(64)
      await using cluster = await startCluster({ dataFolder: disk.folder })
      await using server = await startServer({ env, databaseUrl: cluster.url })
      await using drill = await startDrill(server)
      await drill.start(5)
      await drill.finished()
      await disk.fill()
      // What the tables have room for already is still written; what needs another page is not.
      await waitFor(
        'the disk is full for the database',
        async () => {
          await drill.start(20).catch(() => undefined)
          await troubleIsMet(server, 'full')
          return true
        },
        { timeoutMs: 60_000 },
      )
      const asked = await drill.askAll('reads first')
      expectServedOrRefused(asked.writes)
      expectServed(asked.reads)
      await disk.makeRoom()
      await isServing(server.url)
      await drill.start(5)
      await drill.finished()
      await expectOnce(cluster, drill)
    },
  )
})

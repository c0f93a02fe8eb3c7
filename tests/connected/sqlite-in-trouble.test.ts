// SQLite in trouble, for real: another process that does not let go of the file, a disk that is full, a file that is moved.
// Nothing is half-written, workers of the published shape go on, and the server needs no restart.
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type DatabaseReader, openReader } from '../support/database-reader.ts'
import { jsonClient } from '../support/http.ts'
import { outageProblems } from '../support/outage-contract.ts'
import { gotOf } from '../support/published-worker.ts'
import { startServer } from '../support/server-process.ts'
import { mayMountDisks, mountSmallDisk } from '../support/small-disk.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Drill, expectRefused, expectServed, isServing, startDrill, troubleIsMet } from './database-trouble.ts'

const env = { DW_DATABASE_LOCK_TIMEOUT: '1' }
const nobody = 65_534
const ends = ['', '-wal', '-shm']
const slow = { timeout: 120_000 }

/** Row counts of all tables but the liveness of workers. */
async function countsOf(database: DatabaseReader): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {}
  for (const { name } of await database.rows("select name from sqlite_schema where type = 'table' order by name"))
    counts[String(name)] = (await database.row(`select count(*) as rows from "${name}"`)).rows
  return counts
}

/** Every run of the drill completed once, with its one activity once. */
async function expectOnce(database: DatabaseReader, { runIds }: Drill): Promise<void> {
  for (const runId of runIds) {
    const types = await database.eventTypes(runId)
    expect(
      types.filter((type) => type === 'ActivityCompleted' || type === 'WorkflowCompleted'),
      runId,
    ).toEqual(['ActivityCompleted', 'WorkflowCompleted'])
  }
}

test('locked by another process: every operation answers its contract, and all goes on by itself', slow, async () => {
  await using server = await startServer({ env })
  await using database = openReader(server.databaseUrl)
  await using drill = await startDrill(server)
  await drill.start(20)
  await drill.finished()
  const holder = new DatabaseSync(server.databaseFile ?? '')
  holder.exec('begin immediate')
  const before = await countsOf(database)
  const asked = await drill.askAll()
  expectRefused(asked.writes, 'locked')
  expectServed(asked.reads)
  await using client = jsonClient({ url: server.url })
  expect(await client.control('GET', '/health')).toMatchObject({ status: 200, body: { checks: { database: 'ok' } } })
  expect((await client.control('GET', '/ready')).at('checks.writes')).toBe('locked')
  await troubleIsMet(server, 'locked')
  await waitFor(
    'each worker has repeated what it could not bring home',
    () => drill.workers.map(({ repeats }) => repeats),
    {
      until: (repeats) => repeats.every((count) => count > 3),
      timeoutMs: 30_000,
    },
  )
  expect(await countsOf(database), 'nothing was written').toEqual(before)
  holder.exec('rollback')
  holder.close()
  await drill.reportAgain()
  await drill.start(20)
  await drill.finished()
  await isServing(server.url)
  await expectOnce(database, drill)
})

const fullDisk = mayMountDisks ? 'a full disk' : 'needs root to mount a small disk: a full disk'

test.skipIf(!mayMountDisks)(
  `${fullDisk}: what does not fit is refused whole, reading goes on, and room is used again`,
  slow,
  async () => {
    await using disk = await mountSmallDisk(8)
    const file = join(disk.folder, 'a.db')
    await using server = await startServer({ env, databaseUrl: `sqlite:${file}` })
    await using database = openReader(`sqlite:${file}`)
    await using drill = await startDrill(server)
    await drill.start(5)
    await drill.finished()
    await disk.fill()
    // What the log has room for already is still written; after that nothing is.
    await drill.start(50).catch(() => undefined)
    await troubleIsMet(server, 'full')
    const before = await countsOf(database)
    const asked = await drill.askAll()
    expectRefused(asked.writes, 'full')
    expectServed(asked.reads)
    expect(await countsOf(database), 'nothing was written').toEqual(before)
    await disk.makeRoom()
    await drill.reportAgain()
    await drill.start(5)
    await drill.finished()
    await isServing(server.url)
    await expectOnce(database, drill)
  },
)

test(
  'a file that may not be written: reading goes on, writing is refused, and goes on once it may be',
  slow,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-read-only-'))
    try {
      const databaseUrl = `sqlite:${join(folder, 'a.db')}`
      const file = join(folder, 'a.db')
      await using owned = await startServer({ databaseUrl })
      await owned.stop()
      // Nothing is read-only for root: the server that meets the file runs as somebody else.
      const someone = process.getuid?.() === 0 ? { uid: nobody } : {}
      await chmod(folder, 0o777)
      await chmod(file, 0o444)
      await using server = await startServer({ env, databaseUrl, ...someone })
      await using client = jsonClient({ url: server.url })
      const start = () => client.control('POST', '/workflows', { workflow_id: 'w', workflow_type: 't' })
      const refused = await start()
      const sent = { operation: 'startWorkflow', path: {}, body: {} }
      expect(outageProblems(sent, gotOf(refused)), refused.text).toEqual([])
      expect(refused.body).toMatchObject({ condition: 'read_only', recorded: false })
      expect((await client.control('GET', '/workflows')).status).toBe(200)
      expect(await client.control('GET', '/ready')).toMatchObject({
        status: 200,
        body: { checks: { writes: 'read_only' } },
      })
      // The server made its log with the rights of the file.
      for (const end of ends) await chmod(`${file}${end}`, 0o666)
      expect((await start()).status).toBe(201)
      await isServing(server.url)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test(
  'a file that is moved away under the server: it keeps to the file that it has open, and nothing is lost',
  slow,
  async () => {
    await using server = await startServer({ env })
    const file = server.databaseFile ?? ''
    await using drill = await startDrill(server)
    await drill.start(5)
    await drill.finished()
    for (const end of ends) await rename(`${file}${end}`, `${file}.moved${end}`)
    await drill.start(5)
    await drill.finished()
    expect(existsSync(file), 'no second file was made in its place').toBe(false)
    for (const end of ends) await rename(`${file}.moved${end}`, `${file}${end}`)
    await server.restart()
    await drill.start(5)
    await drill.finished()
    await using database = openReader(`sqlite:${file}`)
    await expectOnce(database, drill)
  },
)

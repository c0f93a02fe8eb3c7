// Several servers start at once on a database that holds nothing: one of them makes the schema, all of them serve.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finish, rawWorker, startRun } from '../drills/raw-worker.ts'
import { openReader } from '../support/database-reader.ts'
import { eachDatabase, emptyDatabase } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'

const serverCount = 4

eachDatabase((on) => {
  test('four servers start at once on an empty database: all are ready, the schema was applied once, each serves runs', async () => {
    await using stack = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-first-start-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    const { url: databaseUrl, remove } = await emptyDatabase(on, folder)
    stack.defer(remove)
    const starting = Array.from({ length: serverCount }, () => startServer({ databaseUrl, readyTimeoutMs: 60_000 }))
    const ended = await Promise.allSettled(starting)
    for (const start of ended) if (start.status === 'fulfilled') stack.use(start.value)
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])

    const database = stack.use(openReader(databaseUrl))
    const migrations = await database.rows('select name, applied_at from migrations order by name')
    expect(migrations.length).toBeGreaterThan(0)
    expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length)
    // The one that migrated wrote all of it in one transaction, the first namespace included.
    const namespaces = await database.rows('select name, created_at from namespaces')
    expect(namespaces).toEqual([{ name: 'default', created_at: migrations[0]?.applied_at }])
    expect(new Set(migrations.map(({ applied_at }) => applied_at)).size).toBe(1)

    for (const start of ended) {
      if (start.status === 'rejected') continue
      await using worker = rawWorker({ url: start.value.url, taskQueue: `first-${start.value.pid}` })
      await worker.register()
      const run = await startRun(worker.client, `first-${start.value.pid}`)
      const claim = await worker.claimWorkflow()
      expect((await worker.report(claim, 'complete', { commands: [finish()] })).status).toBe(200)
      expect(await database.run(run.runId)).toMatchObject({ status: 'completed' })
    }
  })
})

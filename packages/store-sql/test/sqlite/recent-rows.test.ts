// What a store remembers of the rows it read and committed is never older than the database.

import type { SliceKey, Store } from '@durable-workflow/engine/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { databaseDirectory } from '../support/directory.ts'
import { activity, changes, run, workflowTask } from '../support/make.ts'
import { write } from '../support/suite.ts'

const directory = databaseDirectory()

const runKey: SliceKey = { of: 'run', runId: 'r1' }
const taskKey: SliceKey = { of: 'workflowTask', taskId: 'r1-t1' }
const activityKey: SliceKey = { of: 'activity', activityId: 'r1-a1' }

test('a second operation of a run reads none of the rows that the first has committed', async () => {
  const heard: string[] = []
  const store = await openStore(`sqlite:${directory.newFile()}`, { onStatement: (text) => heard.push(text) })
  await write(store, changes({ runs: { inserted: [run()] }, workflowTasks: { inserted: [workflowTask()] } }))
  await write(store, changes({ activities: { inserted: [activity({ activityId: 'r1-a1' })] } }))
  heard.length = 0
  const loaded = await store.transact([], (transaction) => transaction.load([runKey, taskKey, activityKey]))
  expect(heard.filter((text) => text.startsWith('select'))).toEqual([])
  expect(loaded).toMatchObject({ runs: [run()], workflowTasks: [workflowTask()] })
  await store.close()
})

test('RR3 closed rows and those with a large payload are read again', async () => {
  const heard: string[] = []
  const store = await openStore(`sqlite:${directory.newFile()}`, { onStatement: (text) => heard.push(text) })
  const large = run({ runId: 'r2', workflowId: 'w2', arguments: { codec: 'avro', blob: 'x'.repeat(20_000) } })
  await write(store, changes({ runs: { inserted: [run({ closedAt: 1 }), large] } }))
  heard.length = 0
  const keys: SliceKey[] = [runKey, { of: 'run', runId: 'r2' }]
  const { runs } = await store.transact([], (transaction) => transaction.load(keys))
  expect(runs).toEqual(expect.arrayContaining([run({ closedAt: 1 }), large]))
  expect(heard.filter((text) => text.includes('from "runs"'))).toHaveLength(1)
  await store.close()
})

test('RR2 what another server commits is read anew', async () => {
  const file = directory.newFile()
  const [store, other] = [await openStore(`sqlite:${file}`), await openStore(`sqlite:${file}`)]
  await write(store, changes({ runs: { inserted: [run({ lastId: 1 })] } }))
  for (const lastId of [2, 3, 4]) {
    await write(other, changes({ runs: { updated: [run({ lastId })] } }))
    expect(await lastIdIn(store)).toBe(lastId)
  }
  await Promise.all([store.close(), other.close()])
})

test('RR2 what was rolled back is not remembered, and what a transaction has written it reads', async () => {
  const store = await openStore(`sqlite:${directory.newFile()}`)
  await write(store, changes({ runs: { inserted: [run({ lastId: 1 })] } }))
  const failed = store.transact([], async (transaction) => {
    await transaction.write(changes({ runs: { updated: [run({ lastId: 2 })] } }))
    expect((await transaction.load([runKey])).runs[0]?.lastId).toBe(2)
    throw new Error('refused by the test')
  })
  await expect(failed).rejects.toThrow('refused by the test')
  expect(await lastIdIn(store)).toBe(1)
  await store.close()
})

test('a row that two keys name stands once', async () => {
  const store = await openStore(`sqlite:${directory.newFile()}`)
  await write(store, changes({ runs: { inserted: [run()] }, workflowTasks: { inserted: [workflowTask()] } }))
  const loaded = await store.transact([], (transaction) =>
    transaction.load([taskKey, { of: 'openWorkflowTask', runId: 'r1' }]),
  )
  expect(loaded.workflowTasks).toEqual([workflowTask()])
  await store.close()
})

test('RR1 two servers that read and write in any order see what a third one sees', async () => {
  const step = fc.record({
    server: fc.constantFrom(0, 1),
    act: fc.constantFrom('read', 'update', 'fail', 'close', 'reopen'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const file = directory.newFile()
      const servers = [await openStore(`sqlite:${file}`), await openStore(`sqlite:${file}`)]
      await write(servers[0] ?? expect.fail(), changes({ runs: { inserted: [run({ lastId: 0 })] } }))
      let truth = 0
      for (const { server, act } of steps) {
        const store = servers[server] ?? expect.fail()
        expect(await lastIdIn(store)).toBe(truth)
        if (act === 'read') continue
        const next = run({ lastId: truth + 1, closedAt: act === 'close' ? 1 : undefined })
        const attempt = store.transact([], async (transaction) => {
          await transaction.load([runKey])
          await transaction.write(changes({ runs: { updated: [next] } }))
          if (act === 'fail') throw new Error('refused by the test')
        })
        if (act === 'fail') await expect(attempt).rejects.toThrow()
        else truth += 1
        await attempt.catch(() => undefined)
        if (act === 'reopen') {
          await store.close()
          servers[server] = await openStore(`sqlite:${file}`)
        }
      }
      await Promise.all(servers.map((store) => store.close()))
    }),
    { numRuns: 40 },
  )
})

async function lastIdIn(store: Store): Promise<number | undefined> {
  return (await store.transact([], (transaction) => transaction.load([runKey]))).runs[0]?.lastId
}

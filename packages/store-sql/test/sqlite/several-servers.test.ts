// Two servers on one file: correct, not fast. And what a server leaves behind that is killed.

import { existsSync } from 'node:fs'
import type { Store } from '@durable-workflow/engine/ports'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { databaseDirectory } from '../support/directory.ts'
import { changes, event, run } from '../support/make.ts'
import { OtherServer } from '../support/process.ts'
import { write } from '../support/suite.ts'

const directory = databaseDirectory()

describe('two servers on one SQLite file', () => {
  test('a lock serialises across processes: 200 increments by two servers, none lost', async () => {
    const file = directory.newFile()
    const store = await openStore(`sqlite:${file}`)
    await write(store, changes({ runs: { inserted: [run()] } }))
    const others = [new OtherServer('increment', `sqlite:${file}`), new OtherServer('increment', `sqlite:${file}`)]
    expect(await Promise.all(others.map((other) => other.says()))).toStrictEqual(['incremented', 'incremented'])
    await Promise.all(others.map((other) => other.ended()))
    expect((await runsOf(store))[0]?.lastId).toBe(200)
    await store.close()
  })

  test('several that start on a new file together migrate it once', async () => {
    const file = directory.newFile()
    const others = Array.from({ length: 3 }, () => new OtherServer('open', `sqlite:${file}`))
    expect(await Promise.all(others.map((other) => other.says()))).toStrictEqual(['opened', 'opened', 'opened'])
    await Promise.all(others.map((other) => other.ended()))
    const store = await openStore(`sqlite:${file}`)
    expect(await store.list.namespaces()).toHaveLength(1)
    await store.close()
  })

  test('while another server holds its locks: readers go on, a writer waits, then says locked, and recovers', async () => {
    const file = directory.newFile()
    const impatient = await openStore(`sqlite:${file}`, { lockWaitMs: 50 })
    const patient = await openStore(`sqlite:${file}`, { lockWaitMs: 60_000 })
    const other = new OtherServer('hold', `sqlite:${file}`)
    expect(await other.says()).toBe('locked')
    await expect(write(impatient, changes({ runs: { inserted: [run()] } }))).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      condition: 'locked',
    })
    expect(await runsOf(impatient)).toStrictEqual([])
    const waiting = write(patient, changes({ runs: { inserted: [run()] } }))
    other.tell()
    await waiting
    expect(await other.says()).toBe('released')
    await other.ended()
    await write(impatient, changes({ runs: { updated: [run({ lastId: 1 })] } }))
    expect(await runsOf(patient)).toStrictEqual([run({ lastId: 1 })])
    await impatient.close()
    await patient.close()
  })
})

describe('a server that dies', () => {
  test('in the middle of a transaction leaves the database as it was before', async () => {
    const file = directory.newFile()
    const before = await openStore(`sqlite:${file}`)
    await write(before, changes({ runs: { inserted: [run()] }, events: [event()] }))
    await before.close()
    const other = new OtherServer('die in transaction', `sqlite:${file}`)
    expect(await other.says()).toBe('written')
    await other.kill()
    const after = await openStore(`sqlite:${file}`)
    expect(await after.list.workflows({ namespace: 'default', filter, limit: 10, after: undefined })).toStrictEqual([
      run(),
    ])
    expect(await after.list.history({ runId: 'r1', after: 0, limit: 10 })).toStrictEqual([event()])
    await after.close()
  })

  test('after a commit has lost nothing', async () => {
    const file = directory.newFile()
    const other = new OtherServer('die after commit', `sqlite:${file}`)
    expect(await other.says()).toBe('committed')
    await other.kill()
    const store = await openStore(`sqlite:${file}`)
    expect(await store.list.runs({ workflowId: 'w2' })).toHaveLength(1)
    await store.close()
  })
})

describe('close', () => {
  test('brings the log into the file; what was written is there when it is opened again', async () => {
    const file = directory.newFile()
    const store = await openStore(`sqlite:${file}`)
    await write(store, changes({ runs: { inserted: [run()] } }))
    expect(existsSync(`${file}-wal`)).toBe(true)
    await store.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    const again = await openStore(`sqlite:${file}`)
    expect(await runsOf(again)).toStrictEqual([run()])
    await again.close()
  })
})

const filter = { kind: 'all', of: [] } as const

function runsOf(store: Store) {
  return store.list.runs({ workflowId: 'w1' })
}

// What the disk and the file system may do to a store: each has its condition, leaves nothing half written, and is
// over when its cause is.

import { chmodSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { conditionOf } from '../../src/dialects/node-sqlite.ts'
import { openStore } from '../../src/index.ts'
import { databaseDirectory } from '../support/directory.ts'
import { changes, run } from '../support/make.ts'
import { OtherServer } from '../support/process.ts'
import { write } from '../support/suite.ts'

const directory = databaseDirectory()
const nobody = 65_534
const isRoot = process.getuid?.() === 0

describe('StoreUnavailableError', () => {
  test('full: the write that does not fit leaves nothing; room made by removing is used again', async () => {
    const store = await openStore(`sqlite:${directory.newFile()}`, { fileBytesMax: 1024 * 1024 })
    let fitting = 0
    const filling = async () => {
      for (; fitting < 1000; fitting++) await write(store, changes({ runs: { inserted: [large(fitting)] } }))
    }
    await expect(filling()).rejects.toMatchObject({ name: 'StoreUnavailableError', condition: 'full' })
    expect(fitting).toBeGreaterThan(5)
    const isThere = async (i: number) => (await store.load([{ of: 'run', runId: `r${i}` }])).runs.length === 1
    expect(await isThere(fitting - 1)).toBe(true)
    expect(await isThere(fitting)).toBe(false)

    const several = Array.from({ length: 3 }, (_, i) => ({ ...large(fitting + i), arguments: { codec: '', blob: '' } }))
    const partly = write(store, changes({ runs: { inserted: [...several, large(fitting + 3)] } }))
    await expect(partly).rejects.toMatchObject({ condition: 'full' })
    expect(await isThere(fitting)).toBe(false)

    await write(store, changes({ runs: { removed: [large(0), large(1)] } }))
    await write(store, changes({ runs: { inserted: [large(fitting)] } }))
    expect(await isThere(fitting)).toBe(true)
    await store.close()
  })

  test('read_only: reading goes on, writing is refused, and works again once the file may be written', async () => {
    const file = directory.newFile()
    const store = await openStore(`sqlite:${file}`)
    await write(store, changes({ runs: { inserted: [run()] } }))
    await store.close()
    chmodSync(dirname(file), 0o777)
    chmodSync(file, 0o444)
    // Nothing is read-only for root: the other server runs as somebody else.
    const other = new OtherServer('read only', `sqlite:${file}`, isRoot ? { uid: nobody } : {})
    expect(await other.says()).toBe('read_only')
    // The other server made its log with the rights of the file.
    for (const end of ['', '-wal', '-shm']) chmodSync(`${file}${end}`, 0o666)
    other.tell()
    expect(await other.says()).toBe('wrote, after it had read 1 run')
    await other.ended()
  })

  test('unreachable: the directory does not exist', async () => {
    await expect(openStore(`sqlite:${directory.newFile()}/none/a.db`)).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      condition: 'unreachable',
    })
  })

  test('other: the file is no database', async () => {
    const file = directory.newFile()
    writeFileSync(file, 'a text that is no database, and long enough to be sure of it'.repeat(50))
    await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      condition: 'other',
    })
  })
})

describe('CommitUnknownError', () => {
  test.runIf(process.platform === 'linux')(
    'UW7 an error of the disk at the commit is of unknown outcome; the next transaction opens the file anew',
    async () => {
      const file = directory.newFile()
      const store = await openStore(`sqlite:${file}`)
      await write(store, changes({ runs: { inserted: [run()] } }))
      await store.close()
      const other = new OtherServer('disk error', `sqlite:${file}`, { fileBlocksMax: 1000 })
      const [name, committed] = (await other.says()).split(' after ')
      expect(name).toBe('CommitUnknownError')
      expect(Number(committed)).toBeGreaterThan(10)
      other.letFilesGrow()
      other.tell()
      expect(await other.says()).toBe('wrote, after it had read 1 run')
      await other.ended()
      const again = await openStore(`sqlite:${file}`)
      const lastId = (await again.list.runs({ workflowId: 'w1' }))[0]?.lastId
      // The one of unknown outcome is there or not; none before or after it is lost.
      expect([Number(committed) + 1, Number(committed) + 2]).toContain(lastId)
      await again.close()
    },
  )
})

describe('conditions of SQLite result codes', () => {
  test.each([
    [5, 'locked'],
    [517, 'locked'],
    [6, 'locked'],
    [8, 'read_only'],
    [1032, 'read_only'],
    [10, 'unreachable'],
    [1034, 'unreachable'],
    [14, 'unreachable'],
    [13, 'full'],
    [11, 'other'],
    [26, 'other'],
    [19, undefined],
    [2067, undefined],
    [1, undefined],
  ])('%d is %s', (errcode, condition) => {
    expect(conditionOf(Object.assign(new Error('sqlite'), { code: 'ERR_SQLITE_ERROR', errcode }))).toBe(condition)
  })
})

function large(i: number) {
  return run({
    runId: `r${i}`,
    workflowId: `w${i}`,
    arguments: { codec: 'avro', blob: 'x'.repeat(40_000) },
  })
}

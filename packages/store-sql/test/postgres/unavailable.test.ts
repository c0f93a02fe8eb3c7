// What a server and a network may do to a store: each has its condition, leaves nothing half written, and is over when
// its cause is.

import type { Store } from '@durable-workflow/engine/ports'
import { freshDatabase, onServer, postgresUrl, type TestDatabase } from '@durable-workflow/tests/support/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionOfState } from '../../src/dialects/pg-error.ts'
import { openStore, type StoreOptions } from '../../src/index.ts'
import { changes, run } from '../support/make.ts'
import { endConnections } from '../support/postgres.ts'
import { write } from '../support/suite.ts'
import { relayTo, type TcpRelay } from '../support/tcp-relay.ts'

const insert = (runId: string) => changes({ runs: { inserted: [run({ runId, workflowId: `of-${runId}` })] } })

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: StoreUnavailableError', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  async function withStore(use: (store: Store) => Promise<void>, options: StoreOptions = {}): Promise<void> {
    const store = await openStore(database.url, options)
    try {
      await use(store)
    } finally {
      await store.close()
    }
  }

  test('full: the write that does not fit leaves nothing; the next one that does is written', () =>
    withStore(async (store) => {
      await onServer(
        database.url,
        `create function no_room() returns trigger language plpgsql as
           $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
      )
      await onServer(
        database.url,
        `create trigger no_room before insert on runs for each row when (new.run_id = 'large') execute function no_room()`,
      )
      await expect(
        write(store, changes({ runs: { inserted: [run(), run({ runId: 'large' })] } })),
      ).rejects.toMatchObject({ name: 'StoreUnavailableError', condition: 'full' })
      expect(await hasRun(store, 'r1')).toBe(false)
      await write(store, insert('small'))
      expect(await hasRun(store, 'small')).toBe(true)
    }))

  test('read_only: reading goes on, writing is refused, and works again once the database may be written', () =>
    withStore(async (store) => {
      await onServer(database.url, `alter database ${database.name} set default_transaction_read_only = on`)
      await endConnections(database)
      await expect(write(store, insert('read-only'))).rejects.toMatchObject({ condition: 'read_only' })
      expect(await hasRun(store, 'read-only')).toBe(false)
      await onServer(
        database.url,
        `begin read write; alter database ${database.name} reset default_transaction_read_only; commit`,
      )
      await write(store, insert('read-only'))
      expect(await hasRun(store, 'read-only')).toBe(true)
    }))

  test('locked: a lock that another server holds is waited for, then given up; and free again', () =>
    withStore(
      async (store) => {
        const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
        const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
        const other = await openStore(database.url)
        const holding = other.transact(['one'], async () => {
          hold()
          await gate
        })
        await isHeld
        const before = performance.now()
        await expect(store.transact(['one'], async () => 'worked')).rejects.toMatchObject({ condition: 'locked' })
        expect(performance.now() - before).toBeGreaterThan(190)
        expect(await store.transact(['two'], async () => 'worked')).toBe('worked')
        openGate()
        await holding
        expect(await store.transact(['one'], async () => 'worked')).toBe('worked')
        await other.close()
      },
      { lockWaitMs: 200 },
    ))

  test('unreachable: connections that the server ends while nobody uses them are not noticed', () =>
    withStore(async (store) => {
      await write(store, insert('before-end'))
      await endConnections(database)
      await write(store, insert('after-end'))
      await endConnections(database)
      expect(await hasRun(store, 'after-end')).toBe(true)
    }))

  test('unreachable: a transaction whose connection is ended leaves nothing; the next one works', () =>
    withStore(async (store) => {
      const outcome = store.transact(['one'], async (transaction) => {
        await transaction.write(insert('ended'))
        await endConnections(database)
        await transaction.write(insert('ended too'))
      })
      await expect(outcome).rejects.toMatchObject({ name: 'StoreUnavailableError', condition: 'unreachable' })
      expect(await hasRun(store, 'ended')).toBe(false)
      await write(store, insert('ended'))
      expect(await hasRun(store, 'ended')).toBe(true)
    }))

  test.each([
    ['nobody listens', (url: URL) => Object.assign(url, { port: '1' })],
    ['no such database', (url: URL) => Object.assign(url, { pathname: '/dw_test_nowhere' })],
    ['no such user', (url: URL) => Object.assign(url, { username: 'dw_test_nobody' })],
  ])('unreachable: %s', async (_name, elsewhere) => {
    const { href } = elsewhere(new URL(database.url))
    await expect(openStore(href)).rejects.toMatchObject({ name: 'StoreUnavailableError', condition: 'unreachable' })
  })

  test('unreachable: a network that swallows everything ends by time, and connections are made anew', async () => {
    await using relay = await relayTo(database.url)
    const store = await openStore(relay.url, { lockWaitMs: 100, answerMs: 1_200, notifications: false })
    await store.ping()
    relay.fault = 'swallow everything'
    const asked = [store.ping(), write(store, insert('swallowed'))]
    for (const one of await Promise.allSettled(asked)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { condition: 'unreachable' } })
    }
    relay.fault = undefined
    await write(store, insert('not swallowed'))
    expect(await hasRun(store, 'swallowed')).toBe(false)
    await store.close()
  })
})

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: UW7 a commit whose answer is lost', () => {
  let database: TestDatabase
  let relay: TcpRelay
  let store: Store
  let onCommit = () => {}
  beforeAll(async () => {
    database = await freshDatabase()
    relay = await relayTo(database.url)
    store = await openStore(relay.url, {
      notifications: false,
      lockWaitMs: 100,
      answerMs: 1_200,
      onStatement: (text) => {
        if (text !== 'commit') return
        onCommit()
        onCommit = () => {}
      },
    })
  })
  afterAll(async () => {
    await store.close()
    await relay.close()
    await database.drop()
  })

  const during = (fault: TcpRelay['fault'], isOpen: boolean) => {
    onCommit = () => {
      relay.fault = fault
      relay.isOpen = isOpen
    }
  }
  /** The network heals as soon as the fault has met a connection. */
  const heal = (afterMs: number) =>
    setTimeout(() => {
      relay.fault = undefined
      relay.isOpen = true
    }, afterMs)

  test('it was committed: found out on another connection, the caller hears of nothing', async () => {
    during('lose replies', true)
    const writing = write(store, insert('committed'))
    heal(300)
    await writing
    expect(await hasRun(store, 'committed')).toBe(true)
  })

  test('the server never saw it: nothing was written, and that is certain', async () => {
    during('lose requests', true)
    const writing = write(store, insert('unseen'))
    heal(300)
    await expect(writing).rejects.toMatchObject({ name: 'StoreUnavailableError', condition: 'unreachable' })
    expect(await hasRun(store, 'unseen')).toBe(false)
  })

  test('the server still waits for it behind a network that swallowed it: ended there, and certain', async () => {
    during('swallow everything', true)
    const writing = write(store, insert('swallowed'))
    heal(500)
    await expect(writing).rejects.toMatchObject({ name: 'StoreUnavailableError', condition: 'unreachable' })
    expect(await hasRun(store, 'swallowed')).toBe(false)
  })

  test('nobody can be asked: it is unknown, and said so', async () => {
    during('lose replies', false)
    await expect(write(store, insert('unknown'))).rejects.toMatchObject({ name: 'CommitUnknownError' })
    relay.fault = undefined
    relay.isOpen = true
    expect(await hasRun(store, 'unknown')).toBe(true)
  })
})

describe('conditions of SQLSTATEs', () => {
  test.each([
    ['53100', 'full'],
    ['25006', 'read_only'],
    ['55P03', 'locked'],
    ['40P01', 'locked'],
    ['40001', 'locked'],
    ['57014', 'locked'],
    ['57P01', 'unreachable'],
    ['57P02', 'unreachable'],
    ['57P03', 'unreachable'],
    ['25P03', 'unreachable'],
    ['53300', 'unreachable'],
    ['08006', 'unreachable'],
    ['28P01', 'unreachable'],
    ['3D000', 'unreachable'],
    ['53200', 'other'],
    ['58030', 'other'],
    ['XX001', 'other'],
    ['42501', 'other'],
    ['23505', undefined],
    ['42601', undefined],
    ['22P02', undefined],
    ['25P02', undefined],
  ])('%s is %s', (sqlState, condition) => {
    expect(conditionOfState(sqlState)).toBe(condition)
  })
})

async function hasRun(store: Store, runId: string): Promise<boolean> {
  return (await store.load([{ of: 'run', runId }])).runs.length === 1
}

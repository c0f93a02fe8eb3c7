import type { Hint, Store } from '@durable-workflow/engine/ports'
import { freshDatabase, postgresUrl, type TestDatabase } from '@durable-workflow/tests/support/postgres'
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { heardIn, notificationsOf } from '../../src/dialects/pg-hints.ts'
import { openStore } from '../../src/index.ts'
import { endConnections } from '../support/postgres.ts'

const odd = `quote ' double " back \\ umlaut ä emoji 👍🏽 nul \0 end`
const hints: readonly Hint[] = [
  { kind: 'ready', task: 'activity', namespace: odd, taskQueue: odd, availableAt: 1_700_000_000_000 },
  { kind: 'due', at: 1_700_000_000_001 },
  { kind: 'outcome', key: `closed:${odd}` },
  { kind: 'registration', namespace: 'n', workerId: odd, registrationId: 'r' },
  { kind: 'registration', namespace: 'n', workerId: odd, registrationId: undefined },
  { kind: 'missed' },
]

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: hints between servers', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await (await openStore(database.url)).close()
  })
  afterAll(() => database.drop())

  /** Two servers that know of each other; what each heard after that. */
  async function pair(): Promise<Pair> {
    const [a, b] = await Promise.all([listening(), listening()])
    await Promise.all([isHeardBy(a, b), isHeardBy(b, a)])
    a.heard.length = 0
    b.heard.length = 0
    return {
      a,
      b,
      async [Symbol.asyncDispose]() {
        await Promise.all([a.store.close(), b.store.close()])
      },
    }
  }

  async function listening(): Promise<Listening> {
    const heard: Hint[] = []
    const statements: string[] = []
    const store = await openStore(database.url, { onStatement: (text) => statements.push(text) })
    store.wakes?.listen((some) => heard.push(...some.filter((hint) => !isQuestion(hint))))
    let isThere = false
    store.wakes?.listen((some) => {
      isThere ||= some.some(isQuestion)
    })
    return {
      store,
      heard,
      statements,
      forgetQuestions: () => {
        isThere = false
      },
      hasHeardQuestion: () => isThere,
    }
  }

  test('what one server tells the others hear, as it was, and itself does not', async () => {
    await using servers = await pair()
    const { a, b } = servers
    a.store.wakes?.tell(hints)
    await waitFor('b heard everything', () => b.heard.length >= hints.length)
    expect(b.heard).toStrictEqual(hints)
    expect(a.heard).toStrictEqual([])
  })

  test('thousands at once arrive in a few notifications', async () => {
    await using servers = await pair()
    const { a, b } = servers
    const many: Hint[] = Array.from({ length: 3000 }, (_, i) => ({
      kind: 'outcome',
      key: `run:${i}-${'x'.repeat(30)}`,
    }))
    a.statements.length = 0
    for (const hint of many) a.store.wakes?.tell([hint])
    await waitFor('b heard everything', () => b.heard.length >= many.length)
    expect(b.heard).toStrictEqual(many)
    const told = a.statements.filter((text) => text.includes('pg_notify'))
    expect(told.length).toBeLessThan(40)
  })

  test('a listener whose connection ends comes back by itself, and says that it may have missed something', async () => {
    await using servers = await pair()
    const { a, b } = servers
    await endConnections(database, `query ~ 'pg_notify|listen'`)
    await waitFor('b is back', () => b.heard.some((hint) => hint.kind === 'missed'))
    await waitFor('a is back', () => a.heard.some((hint) => hint.kind === 'missed'))
    await isHeardBy(b, a)
  })

  test('a lonely server tells nobody anything but that it is there', async () => {
    const lonely = await listening()
    await waitFor('it listens', () => lonely.heard.length > 0)
    lonely.statements.length = 0
    for (let turn = 0; turn < 100; turn++) lonely.store.wakes?.tell(hints)
    await lonely.store.ping()
    expect(lonely.statements.filter((text) => text.includes('pg_notify')).length).toBeLessThan(2)
    await lonely.store.close()
  })

  test('without notifications there is nobody to tell', async () => {
    const store = await openStore(database.url, { notifications: false })
    expect(store.wakes).toBeUndefined()
    await store.close()
  })
})

describe('hints as text', () => {
  test('no notification is longer than PostgreSQL takes, and nothing is lost on the way', () => {
    const many: Hint[] = Array.from({ length: 1000 }, (_, i) => ({
      kind: 'outcome',
      key: `query:${'ä'.repeat(i % 90)}`,
    }))
    const notifications = notificationsOf('me', many)
    for (const text of notifications) expect(Buffer.byteLength(text)).toBeLessThan(8_000)
    expect(notifications.map((text) => heardIn(text).teller)).toStrictEqual(notifications.map(() => 'me'))
    expect(notifications.flatMap((text) => heardIn(text).hints)).toStrictEqual(many)
  })

  test('a hint that fits into no notification is not told; its neighbours are', () => {
    const huge: Hint = { kind: 'outcome', key: `run:${'x'.repeat(9_000)}` }
    expect(notificationsOf('me', [huge, { kind: 'missed' }]).flatMap((text) => heardIn(text).hints)).toStrictEqual([
      { kind: 'missed' },
    ])
  })

  test.each(['', 'hello', '{}', '[]', '["x", 1, null, [], ["later", 1], ["due", "soon"], ["ready", "rest", 1, 2, 3]]'])(
    'what others than we send hints nothing: %s',
    (text) => {
      expect(heardIn(text).hints).toStrictEqual([])
    },
  )
})

interface Listening {
  readonly store: Store
  readonly heard: Hint[]
  readonly statements: string[]
  hasHeardQuestion(): boolean
  forgetQuestions(): void
}

const question: Hint = { kind: 'outcome', key: 'run:are you there' }
const isQuestion = (hint: Hint) => hint.kind === question.kind && hint.key === question.key

interface Pair extends AsyncDisposable {
  readonly a: Listening
  readonly b: Listening
}

/** Whether `teller` knows that somebody listens, and `hearer` does. */
async function isHeardBy(teller: Listening, hearer: Listening): Promise<void> {
  hearer.forgetQuestions()
  await waitFor('one hears the other', () => {
    teller.store.wakes?.tell([question])
    return hearer.hasHeardQuestion()
  })
}

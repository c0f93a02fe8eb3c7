// What stands while cells run: which steps are whose, what a cell may do to processes, and what is left in the end.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { leftProcesses } from '../src/acceptance/leftovers.ts'
import { makePlace, type Place } from '../src/acceptance/place.ts'
import { makeStand, type Stand } from '../src/acceptance/stand.ts'
import { readSuite, type Step } from '../src/acceptance/suite.ts'
import { emptyCell, emptySuite } from './kit/suite.ts'

// Programs of no product: a database that is a word, a server that listens, a worker that ends when it is told to.
const untilTerm = `process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000)\n`
const programs = {
  database: `
    import { existsSync } from 'node:fs'
    const left = existsSync('kept') ? ['database a'] : []
    if (existsSync('locked') && process.argv[2] === 'remove') throw new Error('somebody holds it')
    console.log(JSON.stringify(process.argv[2] === 'prepare' ? { url: 'word:a', version: '1.2', sha256: null } : { left }))`,
  server: `
    import { createServer } from 'node:net'
    const server = createServer().listen(0, '127.0.0.1', () =>
      console.log(JSON.stringify({ ready: true, url: 'http://127.0.0.1:' + server.address().port })))
    ${untilTerm}`,
  worker: `
    import { existsSync } from 'node:fs'
    setInterval(() => existsSync('die') && process.exit(7), 5)
    ${untilTerm}
    console.log(JSON.stringify({ ready: true }))`,
  driver: `
    import { createServer } from 'node:net'
    import { writeFileSync } from 'node:fs'
    import { createInterface } from 'node:readline'
    const relay = createServer().listen(0, '127.0.0.1', () =>
      console.log(JSON.stringify({ ready: true, url: 'http://127.0.0.1:' + relay.address().port })))
    const steps = {
      identify: () => ({ value: { pid: 42, startedAt: 'then' } }),
      begin: () => ({}),
      histories: () => ({ value: 'a history' }),
      hold: () => ({ assertions: 2 }),
      refuse: () => ({ ok: false, trouble: 'that does not hold' }),
      kill: () => writeFileSync('die', '') ?? undefined,
    }
    process.on('SIGTERM', () => process.exit(0))
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, step } = JSON.parse(line)
      const answer = steps[step.do]()
      if (answer) console.log(JSON.stringify({ id, ok: true, assertions: 0, ...answer }))
    }`,
}

let folder = ''
let place: Place
let stand: Stand
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stand-')))
  const suite = readSuite(emptySuite(join(folder, 'suite'), programs))
  place = makePlace(suite)
  stand = makeStand({ place, suite, database: 'word', databaseUrl: '' })
  expect(await stand.begin()).toEqual({
    database: { version: '1.2', sha256: null },
    worker: { pid: 42, startedAt: 'then' },
  })
})
afterEach(async () => {
  await stand.end()
  rmSync(place.folder, { recursive: true })
  rmSync(folder, { recursive: true })
})

const run = (steps: readonly Step[], rounds = 1) => stand.run({ ...emptyCell, id: 'cell', steps, rounds })

test('a step that is not about processes is the driver’s; its assertions are counted in every round', async () => {
  expect(await run([{ do: 'hold' }, { do: 'hold' }], 3)).toMatchObject({
    trouble: null,
    assertions: 12,
    history: 'a history',
  })
})

test('a step that does not hold ends the cell with the driver’s words', async () => {
  expect(await run([{ do: 'refuse' }, { do: 'hold' }])).toMatchObject({
    trouble: 'refuse: that does not hold',
    assertions: 0,
    history: null,
  })
})

test('a worker that ends during a step fails the cell at once', async () => {
  const { trouble } = await run([{ do: 'kill' }])
  expect(trouble).toMatch(/^the worker ended with code 7/)
})

test('a cell may start, kill and leave workers of its own; they are gone when it ends', async () => {
  const before = leftProcesses(place).length
  const steps: readonly Step[] = [
    { do: 'startWorker', as: 'one', queue: 'q' },
    { do: 'startWorker', as: 'two', queue: 'q' },
    { do: 'killWorker', as: 'one' },
  ]
  expect((await run(steps)).trouble).toBeNull()
  expect(leftProcesses(place)).toHaveLength(before)
})

test('a cell cannot kill a worker that it did not start', async () => {
  expect((await run([{ do: 'killWorker', as: 'worker' }])).trouble).toMatch(/started no worker worker/)
})

test('a server that a cell killed is there again for the next', async () => {
  const before = leftProcesses(place).length
  expect((await run([{ do: 'killServer' }])).trouble).toBeNull()
  expect(leftProcesses(place)).toHaveLength(before)
  expect((await run([{ do: 'killServer' }, { do: 'startServer' }, { do: 'hold' }])).trouble).toBeNull()
})

test('P-52 a database that its program cannot remove is named', async () => {
  writeFileSync(join(place.consumer, 'kept'), '')
  expect((await stand.end()).rows).toEqual(['database a'])
})

test('P-52 a program that cannot even try to remove its database is no clean end; everything else ends', async () => {
  writeFileSync(join(place.consumer, 'locked'), '')
  const { rows, processes } = await stand.end()
  expect(rows).toEqual([expect.stringContaining('somebody holds it')])
  expect(processes).toEqual([])
  expect(leftProcesses(place)).toEqual([])
})

test('P-52 a server that never becomes ready is ended, and the database that was made for it is removed', async () => {
  const suite = readSuite(emptySuite(join(folder, 'broken'), { ...programs, server: 'process.exit(3)' }))
  const elsewhere = makePlace(suite)
  try {
    const broken = makeStand({ place: elsewhere, suite, database: 'word', databaseUrl: '' })
    await expect(broken.begin()).rejects.toThrow(/^server ended with code 3 before ready line/)
    expect(await broken.end()).toEqual({ processes: [], ports: [], rows: [] })
    expect(broken.logs().get('database-remove.log')).toContain('"left":[]')
  } finally {
    rmSync(elsewhere.folder, { recursive: true })
  }
})

test('P-52 after the end nothing lives and nothing listens, and the log of each program is kept without the driver’s answers', async () => {
  await run([{ do: 'hold' }])
  expect(await stand.end()).toEqual({ processes: [], ports: [], rows: [] })
  expect(leftProcesses(place)).toEqual([])
  const logs = stand.logs()
  expect([...logs.keys()].toSorted()).toEqual([
    'database-prepare.log',
    'database-remove.log',
    'driver.log',
    'server.log',
    'worker.log',
  ])
  expect(logs.get('driver.log')).toMatch(/^pid \d+, ended with code 0\nout \{"ready":true.*\n$/)
})

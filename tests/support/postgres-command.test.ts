// `pnpm postgres`: a private server for one command, which leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'

const script = resolve(import.meta.dirname, '../../scripts/postgres.mjs')
const notInstalled = 2

function start(command: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { DW_TEST_POSTGRES_URL: _given, ...others } = process.env
  return spawn(process.execPath, [script, ...command], {
    env: { ...others, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

async function ended(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'close')
  return Number(code)
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no standard output')
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
}

async function answerOf(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url, query_timeout: 5_000 })
  // A connection that breaks is an answer of its own: the query rejects with it.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows[0]
  } finally {
    await client.end()
  }
}

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('durable-workflow-postgres-'))
const isInstalled = (await ended(start(['true']))) !== notInstalled

test('a server that is given is used as it is, and none is started', async () => {
  const child = start(['sh', '-c', 'echo $DW_TEST_POSTGRES_URL; exit 4'], { DW_TEST_POSTGRES_URL: 'postgres://given' })
  const end = ended(child)
  expect(await firstLine(child)).toBe('postgres://given')
  expect(await end).toBe(4)
})

test.skipIf(!isInstalled)(
  'the command has a PostgreSQL of its own that syncs, its exit code is ours, nothing is left (needs postgres)',
  async () => {
    const child = start(['sh', '-c', 'echo $DW_TEST_POSTGRES_URL; exec sleep 60'])
    const url = await firstLine(child)
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect(await answerOf(url, "select current_setting('fsync'), current_setting('synchronous_commit')")).toEqual([
      'on',
      'on',
    ])
    const mine = folders()
    const end = ended(child)
    child.kill('SIGTERM')
    expect(await end).not.toBe(0)
    await expect(answerOf(url, 'select 1')).rejects.toThrow()
    expect(folders().filter((name) => mine.includes(name)).length).toBeLessThan(mine.length)
  },
)

test.skipIf(!isInstalled)('a failing command: its exit code, and the server is gone (needs postgres)', async () => {
  const child = start(['sh', '-c', 'echo $DW_TEST_POSTGRES_URL; exit 5'])
  const end = ended(child)
  const url = await firstLine(child)
  expect(await end).toBe(5)
  await expect(answerOf(url, 'select 1')).rejects.toThrow()
})

test.skipIf(!isInstalled)(
  'without a command it stays; killed, it takes its server along (needs postgres)',
  async () => {
    const child = start([])
    const [, url] = /^DW_TEST_POSTGRES_URL=(postgres:.*)$/.exec(await firstLine(child)) ?? []
    if (url === undefined) throw new Error('it did not say its URL')
    expect(await answerOf(url, 'select 1')).toEqual([1])
    const end = ended(child)
    child.kill('SIGKILL')
    await end
    const giveUpAt = Date.now() + 20_000
    const isUp = () =>
      answerOf(url, 'select 1').then(
        () => true,
        () => false,
      )
    while (await isUp()) {
      if (Date.now() > giveUpAt) throw new Error('the server lives on')
      await pause(50)
    }
  },
)

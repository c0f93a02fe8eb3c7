// Makes an empty database (`prepare`) and removes it (`remove`), saying what is left of it.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { z } from 'zod'

const Settings = z.object({
  DATABASE_KIND: z.enum(['sqlite', 'postgres']),
  DATABASE_URL: z.string(),
  WORK_FOLDER: z.string(),
})

const { DATABASE_KIND: kind, DATABASE_URL: url, WORK_FOLDER: folder } = Settings.parse(process.env)
const isPreparing = process.argv[2] === 'prepare'
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

const answers = {
  sqlite: async () => (isPreparing ? prepareFile() : { left: removeFiles() }),
  postgres: async () => (isPreparing ? await prepareDatabase() : { left: await removeDatabase() }),
}
console.log(JSON.stringify(await answers[kind]()))

function prepareFile() {
  removeFiles()
  const memory = new DatabaseSync(':memory:')
  const version = memory.prepare('select sqlite_version() as version').get()?.version
  memory.close()
  // SQLite is a part of Node.
  return { url: `sqlite:${join(folder, 'acceptance.db')}`, version, sha256: digestOf(process.execPath) }
}

function removeFiles(): string[] {
  const files = () => readdirSync(folder).filter((name) => name.startsWith('acceptance.db'))
  for (const name of files()) rmSync(join(folder, name))
  return files()
}

async function prepareDatabase() {
  const name = `acceptance_${process.pid}_${Date.now()}`
  const own = new URL(url)
  own.pathname = `/${name}`
  return await onServer(url, async (client) => {
    await client.query(`create database ${name}`)
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return { url: own.href, version: rows[0]?.server_version, sha256: await programOf(client) }
  })
}

/** Digest of the program that answers, where it runs on this machine and says where it lies; null otherwise. */
async function programOf(client: Client): Promise<string | null> {
  const may = await client.query<{ may: boolean }>("select has_table_privilege('pg_config', 'select') as may")
  if (may.rows[0]?.may !== true || !['127.0.0.1', 'localhost'].includes(new URL(url).hostname)) return null
  const { rows } = await client.query<{ setting: string }>("select setting from pg_config where name = 'BINDIR'")
  return digestOf(join(rows[0]?.setting ?? '', 'postgres'))
}

/** The URL is that of the database by now; another one has to be connected to while it is dropped. */
async function removeDatabase(): Promise<string[]> {
  const name = new URL(url).pathname.slice(1)
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  return await onServer(maintenance.href, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname = $1', [
      name,
    ])
    return rows.map(({ datname }) => `database ${datname}`)
  })
}

async function onServer<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

// A PostgreSQL server of one test's own, which the test may stop, kill, fill and start again. Where PostgreSQL is not
// installed there is none, and the tests that want one say so by their name.
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'

const run = promisify(execFile)

/** A server on loopback with one database, whose superuser is `tests` without a password. */
export interface PostgresCluster extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** @param how `fast` ends its sessions, `immediate` is a crash */
  stop(how: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Runs one statement on a connection of its own. */
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export interface ClusterOptions {
  /** Where its data goes, but not its log of writes; default: a fresh temporary folder. */
  readonly dataFolder?: string
}

/** Where initdb and pg_ctl are; undefined where PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...globSync('/usr/lib/postgresql/*/bin')]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
}

/** Makes a server and starts it. @throws Error where PostgreSQL is not installed */
export async function startCluster(options: ClusterOptions = {}): Promise<PostgresCluster> {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed: initdb and pg_ctl are not found.')
  const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-postgres-'))
  const data = join(options.dataFolder ?? folder, 'data')
  await mkdir(data)
  const who = await owner(folder, data)
  const call = (program: string, args: readonly string[]) =>
    run(join(programs, program), args, { cwd: folder, timeout: 60_000, ...who })
  const wal = join(folder, 'wal')
  await call('initdb', [
    '-D',
    data,
    '--waldir',
    wal,
    '-U',
    'tests',
    '--auth',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale',
    'C',
  ])
  const port = await freePort()
  const url = `postgres://tests@127.0.0.1:${port}/postgres`
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  const cluster: PostgresCluster = {
    url,
    port,
    start: async () => {
      await call('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(folder, 'log'), '-o', settings, 'start'])
    },
    stop: async (how) => {
      await call('pg_ctl', ['-D', data, '-w', '-t', '60', '-m', how, 'stop'])
    },
    async query(statement) {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query(statement)).rows
      } finally {
        await client.end()
      }
    },
    async [Symbol.asyncDispose]() {
      if (existsSync(join(data, 'postmaster.pid'))) await cluster.stop('immediate')
      await rm(data, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
  await cluster.start()
  return cluster
}

/** PostgreSQL does not run as root: its own user does then. */
async function owner(...folders: readonly string[]): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  for (const folder of folders) {
    await chmod(folder, 0o700)
    await run('chown', [`${uid}:${gid}`, folder])
  }
  return { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise<void>((done) => server.close(() => done()))
  if (address === null || typeof address === 'string') throw new Error('the free port is none')
  return address.port
}

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const script = join(import.meta.dirname, '../src/main.ts')
const waitMs = 20_000

let directory: string
let running: Program[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dw-main-'))
  running = []
})
afterEach(async () => {
  for (const program of running) if (program.process.exitCode === null) program.process.kill('SIGKILL')
  await rm(directory, { recursive: true })
})

interface Program {
  readonly process: ChildProcessByStdio<null, Readable, Readable>
  readonly exited: Promise<number | null>
  out(): string
  errors(): string
}

/** Starts the program in its own directory, with its own environment. */
function start(env: Readonly<Record<string, string>>, args: readonly string[] = []): Program {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', script, ...args],
    {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let out = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const exited = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
  const program = { process: child, exited, out: () => out, errors: () => errors }
  running.push(program)
  return program
}

interface Ready {
  readonly url: string
  readonly database: string
  readonly worker_protocol: string
}

async function ready(program: Program): Promise<Ready> {
  await vi.waitUntil(() => program.out().includes('\n') || program.process.exitCode !== null, { timeout: waitMs })
  expect(program.out(), program.errors()).not.toBe('')
  return JSON.parse(program.out())
}

const worker = { 'content-type': 'application/json', 'x-durable-workflow-protocol-version': '1.19' }

test(
  'prints one line when it takes polls, and logs to standard error',
  async () => {
    const program = start({ DW_PORT: '0' }, ['--database-url', 'sqlite:runs.db'])
    const line = await ready(program)
    expect(line).toEqual({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      database: expect.stringContaining('runs.db'),
      worker_protocol: '1.19',
    })
    expect(existsSync(join(directory, 'runs.db'))).toBe(true)
    expect((await fetch(`${line.url}/api/ready`)).status).toBe(200)
    await vi.waitUntil(() => program.errors().includes('No token is set'))
    program.process.kill('SIGINT')
    expect(await program.exited).toBe(0)
    expect(program.out().split('\n')).toHaveLength(2)
  },
  waitMs,
)

test(
  'SIGTERM under held polls answers them empty and exits 0',
  async () => {
    const program = start({ DW_PORT: '0', DW_WORKER_PROTOCOL_VERSION: '1.20', DW_LOG_LEVEL: 'debug' })
    const { url, worker_protocol } = await ready(program)
    expect(worker_protocol).toBe('1.20')
    const post = (path: string, body: object) =>
      fetch(`${url}/api/worker/${path}`, { method: 'POST', headers: worker, body: JSON.stringify(body) })
    const registered = await post('register', {
      worker_id: 'w',
      task_queue: 'q',
      runtime: 'typescript',
      supported_workflow_types: ['a'],
      supported_activity_types: ['b'],
      capabilities: ['query_tasks'],
    })
    expect(registered.status).toBe(201)
    const poll = { worker_id: 'w', task_queue: 'q', timeout_seconds: 60 }
    const polls = ['workflow-tasks/poll', 'activity-tasks/poll', 'query-tasks/poll'].map((path) => post(path, poll))
    await vi.waitUntil(() => program.errors().split('request is held').length === 1 + polls.length, { timeout: waitMs })
    program.process.kill('SIGTERM')
    for (const answer of await Promise.all(polls)) {
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ task: null, poll_status: 'empty' })
    }
    expect(await program.exited).toBe(0)
    await expect(fetch(`${url}/api/health`)).rejects.toThrow()
  },
  waitMs,
)

test(
  'what was started before a stop is there after the next start',
  async () => {
    const env = { DW_PORT: '0', DW_DATABASE_URL: 'sqlite:kept.db' }
    const control = { 'content-type': 'application/json', 'x-durable-workflow-control-plane-version': '2' }
    const first = start(env)
    const { url } = await ready(first)
    const body = JSON.stringify({ workflow_id: 'kept', workflow_type: 't' })
    expect((await fetch(`${url}/api/workflows`, { method: 'POST', headers: control, body })).status).toBe(201)
    first.process.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    const second = await ready(start(env))
    const described = await fetch(`${second.url}/api/workflows/kept`, { headers: control })
    expect(await described.json()).toMatchObject({ status: 'pending' })
  },
  waitMs,
)

test(
  'with a token nothing is open, and nothing is said about tokens',
  async () => {
    const program = start({ DW_PORT: '0', DW_AUTH_TOKEN: 'token-of-all' })
    const { url } = await ready(program)
    expect((await fetch(`${url}/api/cluster/info`)).status).toBe(401)
    expect((await fetch(`${url}/api/cluster/info`, { headers: { authorization: 'Bearer token-of-all' } })).status).toBe(
      200,
    )
    program.process.kill('SIGTERM')
    await program.exited
    expect(program.errors()).not.toContain('No token is set')
  },
  waitMs,
)

test(
  '--help and --version answer on standard output and start nothing, whatever the settings',
  async () => {
    const help = start({ DW_PROT: '1' }, ['--help'])
    expect(await help.exited).toBe(0)
    expect(help.out()).toContain('--database-url')
    const version = start({}, ['--port', '0', '--version'])
    expect(await version.exited).toBe(0)
    expect(version.out()).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await readdir(directory)).toEqual([])
  },
  waitMs,
)

test(
  'cluster info names the version of the program',
  async () => {
    const program = start({ DW_PORT: '0', DW_DATABASE_URL: 'sqlite::memory:' })
    const { url } = await ready(program)
    const version = start({}, ['--version'])
    await version.exited
    const info = await fetch(`${url}/api/cluster/info`)
    expect(await info.json()).toMatchObject({ version: version.out().trim() })
    program.process.kill('SIGTERM')
    await program.exited
  },
  waitMs,
)

test.each([
  [{ DW_PROT: '1' }, 2, 'DW_PROT is no setting of this server'],
  [{ DW_PORT: 'x' }, 2, 'DW_PORT "x" must be a whole number'],
  [{ DW_PORT: '0', DW_TEST_BARRIER: 'x' }, 2, 'DW_TEST_BARRIER "x" must be POINT:KIND:DIR'],
  [
    { DW_PORT: '0', DW_DATABASE_URL: 'sqlite:/nowhere/at/all/x.db' },
    1,
    'DW_DATABASE_URL sqlite:/nowhere/at/all/x.db cannot be used now (unreachable: ',
  ],
])(
  '%j stops the start with exit code %i',
  async (env, code, sentence) => {
    const program = start(env)
    expect(await program.exited).toBe(code)
    expect(program.errors()).toContain(sentence)
    expect(program.out()).toBe('')
  },
  waitMs,
)

test(
  'a database that is not there stops the start with a sentence, without the password',
  async () => {
    const program = start({ DW_PORT: '0', DW_DATABASE_URL: 'postgres://someone:pass@word@127.0.0.1:1/none' })
    expect(await program.exited).toBe(1)
    expect(program.errors()).toContain('DW_DATABASE_URL postgres://127.0.0.1:1/none cannot be used now (unreachable: ')
    expect(program.errors()).not.toMatch(/pass|word/)
  },
  waitMs,
)

test(
  'a port that is taken stops the start with a sentence that names it',
  async () => {
    const first = start({ DW_PORT: '0' })
    const { port } = new URL((await ready(first)).url)
    const second = start({ DW_PORT: port, DW_DATABASE_URL: 'sqlite:second.db' })
    expect(await second.exited).toBe(2)
    expect(second.errors()).toContain(`DW_PORT ${port} of 127.0.0.1 is in use`)
  },
  waitMs,
)

test(
  'durable-workflow.config.ts in the working directory is read',
  async () => {
    await writeFile(
      join(directory, 'durable-workflow.config.ts'),
      "export default { server: { port: 0, databaseUrl: 'sqlite:of-file.db' } }",
    )
    const program = start({})
    expect((await ready(program)).database).toContain('of-file.db')
    program.process.kill('SIGTERM')
    expect(await program.exited).toBe(0)
  },
  waitMs,
)

test(
  'L-07 the test barrier holds a group at its point until it is released, and says so at the start',
  async () => {
    const program = start({
      DW_PORT: '0',
      DW_DATABASE_URL: 'sqlite:barrier.db',
      DW_TEST_BARRIER: `gathered:startWorkflow:${directory}`,
    })
    const { url } = await ready(program)
    await vi.waitUntil(() => program.errors().includes('DW_TEST_BARRIER is set'))
    let answered = false
    const starting = fetch(`${url}/api/workflows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-durable-workflow-control-plane-version': '2' },
      body: JSON.stringify({ workflow_type: 't' }),
    }).finally(() => {
      answered = true
    })
    await vi.waitUntil(async () => (await readdir(directory)).includes(`reached-${program.process.pid}`), {
      timeout: waitMs,
    })
    expect(answered).toBe(false)
    await writeFile(join(directory, 'release'), '')
    expect((await starting).status).toBe(201)
    program.process.kill('SIGTERM')
    expect(await program.exited).toBe(0)
  },
  waitMs,
)

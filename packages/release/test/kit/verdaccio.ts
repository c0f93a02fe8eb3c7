// Verdaccio on 127.0.0.1: a real registry, with a storage of its own and nothing above it.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const require = createRequire(import.meta.url)

/** A running Verdaccio. */
export interface Verdaccio {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string
  /** Bearer token of its one user. */
  readonly token: string
  /** A private npmrc that holds the token and nothing else. */
  readonly userconfig: string
  /** Where packages lie: `STORAGE/@x/spec/spec-1.0.0.tgz`. */
  readonly storage: string
  readonly pid: number
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * Starts one below a folder; ready when it answers. Without uplinks it knows only what was published to it. A folder where one ran
 * before has its packages and its user still.
 *
 * @param given the port; a free one without
 *
 * @throws Error with what it wrote when it ends before it answers
 */
export async function startVerdaccio(folder: string, given?: number): Promise<Verdaccio> {
  const storage = join(folder, 'storage')
  mkdirSync(storage, { recursive: true })
  const port = given ?? (await freePort())
  const url = `http://127.0.0.1:${port}/`
  const config = join(folder, 'config.yaml')
  writeFileSync(config, configOf(storage, join(folder, 'htpasswd')))
  const log = join(folder, 'verdaccio.log')
  const out = openSync(log, 'a')
  const program = join(dirname(require.resolve('verdaccio/package.json')), 'bin/verdaccio')
  const child = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ['ignore', out, out],
    env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production', VERDACCIO_HANDLE_KILL_SIGNALS: 'true' },
  })
  closeSync(out)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { pid } = child
  if (pid === undefined) throw new Error('Verdaccio did not start')
  while (!(await answers(`${url}-/ping`))) {
    if (child.exitCode !== null) throw new Error(`Verdaccio ended: ${readFileSync(log, 'utf8')}`)
    await setTimeout(20)
  }
  const userconfig = join(folder, 'userconfig')
  const token = tokenIn(userconfig) ?? (await addUser(url))
  writeFileSync(userconfig, `//127.0.0.1:${port}/:_authToken=${token}\n`, { mode: 0o600 })
  return {
    url,
    token,
    userconfig,
    storage,
    pid,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const configOf = (storage: string, htpasswd: string): string => `storage: ${storage}
auth:
  htpasswd: { file: ${htpasswd}, max_users: 1 }
uplinks: {}
packages:
  '**': { access: $all, publish: $authenticated, unpublish: $authenticated }
max_body_size: 100mb
server: { keepAliveTimeout: 5 }
web: { enable: false }
log: { type: stdout, format: json, level: warn }
`

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address === null || typeof address === 'string' ? reject(new Error('no port')) : resolve(address.port),
      )
    })
  })
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await send('GET', url)).status === 200
  } catch {
    return false // not listening yet: that is what is asked
  }
}

const tokenIn = (userconfig: string): string | undefined =>
  existsSync(userconfig) ? /_authToken=(.+)/.exec(readFileSync(userconfig, 'utf8'))?.[1] : undefined

async function addUser(url: string): Promise<string> {
  const user = { name: 'publisher', password: randomBytes(12).toString('hex') }
  const { status, body } = await send('PUT', `${url}-/user/org.couchdb.user:publisher`, JSON.stringify(user))
  const said: unknown = JSON.parse(body)
  if (status !== 201 || typeof said !== 'object' || said === null || !('token' in said)) {
    throw new Error(`Verdaccio gave no token: ${status} ${body}`)
  }
  return `${said.token}`
}

function send(method: string, url: string, body = ''): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/json' } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

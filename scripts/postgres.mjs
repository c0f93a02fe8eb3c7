// A private PostgreSQL for tests: `pnpm postgres` until Ctrl-C, `pnpm postgres COMMAND …` for one command.
//
// Owns:      a cluster in a temporary folder on a free port of loopback, a password made anew, fsync on; its end.
// Does not:  install PostgreSQL (`.ci/run` does), touch another cluster, keep anything.
//
// The command runs with DW_TEST_POSTGRES_URL, and its exit code is ours. Where that is set already, its server is used and
// none is started. Plain JavaScript without dependencies, as scripts/run.mjs: it may run before anything is installed.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, chownSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const role = 'durable_workflow'
const readyWithinMs = 30_000
const lookAgainMs = 50
const say = (text) => console.error(`[postgres] ${text}`)

/** The folder of initdb, postgres and pg_isready: of PATH, or the newest where Debian puts them. */
function programsFolder() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.find((folder) => ['initdb', 'postgres', 'pg_isready'].every((name) => isProgram(join(folder, name))))
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // for the question asked here that is "no"
  }
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function owner() {
  if (process.getuid?.() !== 0) return {}
  const idOf = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

// Its standard input is a pipe from here: it ends when this process does, killed or not, and takes the cluster with it.
const keeper = `
"$1" -D "$2/data" -p "$3" -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 >"$2/log" 2>&1 &
server=$!
cat >/dev/null
kill -INT "$server" 2>/dev/null
wait "$server"
rm -rf "$2"
`

async function startCluster(programs) {
  const user = owner()
  const folder = mkdtempSync(join(tmpdir(), 'durable-workflow-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o644 })
  const options = ['-D', join(folder, 'data'), '-U', role, '--pwfile', passwordFile, '--auth=scram-sha-256']
  try {
    execFileSync(join(programs, 'initdb'), [...options, '--encoding=UTF8', '--locale=C'], { ...user, cwd: folder })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const port = await freePort()
  const child = spawn('sh', ['-c', keeper, 'keeper', join(programs, 'postgres'), folder, String(port)], {
    ...user,
    cwd: folder,
    detached: true, // Ctrl-C is for the command; the cluster ends after it
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const stop = () => {
    child.stdin.end()
    return ended
  }
  const isReady = () =>
    new Promise((resolve) => {
      const probe = spawn(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
      probe.once('close', (code) => resolve(code === 0))
    })
  const giveUpAt = Date.now() + readyWithinMs
  while (!(await isReady())) {
    if (Date.now() > giveUpAt) {
      const log = execFileSync('tail', ['-n', '20', join(folder, 'log')], { encoding: 'utf8' })
      await stop()
      throw new Error(`it does not take connections after ${readyWithinMs / 1000} s; its log ends with:\n${log}`)
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
  return { url: `postgres://${role}:${password}@127.0.0.1:${port}/postgres`, stop }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs the command; resolves with its exit code. A signal for us is a signal for it, and we wait for its end. */
function run([file, ...args], url) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, DW_TEST_POSTGRES_URL: url } })
    const pass = (signal) => child.kill(signal)
    for (const signal of signals) process.on(signal, pass)
    child.once('error', (error) => {
      say(`${file} did not start: ${error.message}`)
      resolve(127)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}

const untilSignal = () =>
  new Promise((resolve) => {
    const alive = setInterval(() => {}, 60_000)
    for (const signal of signals)
      process.once(signal, () => {
        clearInterval(alive)
        resolve(0)
      })
  })

async function main(command) {
  const given = process.env.DW_TEST_POSTGRES_URL
  if (given !== undefined && command.length > 0) return run(command, given)
  const programs = programsFolder()
  if (programs === undefined) {
    say(
      'initdb, postgres and pg_isready are not on this machine; install PostgreSQL (Debian: apt-get install postgresql)',
    )
    return 2
  }
  const cluster = await startCluster(programs)
  try {
    if (command.length > 0) return await run(command, cluster.url)
    console.log(`DW_TEST_POSTGRES_URL=${cluster.url}`)
    say('set this where the tests run; Ctrl-C ends the cluster and removes it')
    return await untilSignal()
  } finally {
    await cluster.stop()
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  say(error.message)
  process.exitCode = 1
}

// The newcomer's door: `npm start` and `npm test` on a machine with nothing but Node 20 and npm.
//
// Owns:      fetching the pinned pnpm, the install when it is needed, passing signals on.
// Does not:  know what start and test do; that is `start:here` and `test:here` in package.json.
//
// Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const pnpm = manifest.packageManager
const stamp = join(root, 'node_modules/.installed')
const startedAt = Date.now()
const stopGraceMs = 30_000

const [command, ...rest] = process.argv.slice(2)
const say = (text) => console.error(`[${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${text}`)

/** What an install depends on; equal digests mean that node_modules is current. */
function wantedInstall() {
  const digest = createHash('sha256')
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])
    digest.update(readFileSync(join(root, file)))
  return digest.digest('hex')
}

function isInstalled() {
  return (
    existsSync(stamp) &&
    existsSync(join(root, 'node_modules/.bin/node')) &&
    readFileSync(stamp, 'utf8') === wantedInstall()
  )
}

const groupLives = (pid) => {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

const signalGroup = (pid, signal) => {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error // already gone: nothing to tell
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs a command in a process group of its own, so that Ctrl-C and `kill` reach it and all below it once and alike, and
 * resolves when the whole group has ended: the first process may go before those that it started.
 */
async function runGroup(file, args, env = {}) {
  const child = spawn(file, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, ...env },
  })
  let stoppedBy
  const pass = (signal) => {
    stoppedBy = signal
    if (child.pid !== undefined) signalGroup(child.pid, signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, pass)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  const giveUpAt = Date.now() + stopGraceMs
  while (child.pid !== undefined && groupLives(child.pid)) {
    if (Date.now() > giveUpAt) signalGroup(child.pid, 'SIGKILL')
    else if (stoppedBy === undefined) signalGroup(child.pid, 'SIGTERM')
    await pause(50)
  }
  for (const signal of signals) process.off(signal, pass)
  return { code, stoppedBy }
}

/**
 * Runs a script of package.json as pnpm does, with the installed programs first in PATH, Node 24 among them. Not by pnpm
 * itself: it takes every signal for a failure, and Ctrl-C is none.
 */
function runScript(name, args) {
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const line = `exec ${manifest.scripts[name]} "$@"`
  return runGroup('sh', ['-c', line, name, ...args], { PATH: path, RUN_STARTED_AT: String(startedAt) })
}

async function install() {
  if (isInstalled()) return say('dependencies are current')
  say(`installing dependencies with ${pnpm} and Node 24 from the lockfile`)
  const { code, stoppedBy } = await runGroup('npx', [
    '-y',
    pnpm,
    'install',
    '--frozen-lockfile',
    '--reporter=append-only',
  ])
  if (stoppedBy !== undefined) process.exit(130)
  if (code !== 0) {
    say(
      `the install failed with exit code ${code}; its reason stands above. Behind a proxy, set npm's \`registry\` and \`https-proxy\`, then run the same command again.`,
    )
    process.exit(code)
  }
  writeFileSync(stamp, wantedInstall())
  say('dependencies installed')
}

if (command !== 'start' && command !== 'test') {
  console.error(`usage: node scripts/run.mjs start|test [arguments]; got ${command ?? 'nothing'}`)
  process.exit(2)
}
await install()
say(command === 'start' ? 'starting (stop with Ctrl-C)' : 'testing')
const { code, stoppedBy } = await runScript(`${command}:here`, rest)
// The last line of a test run is its count; nothing is said after it.
if (stoppedBy === undefined && code !== 0 && command === 'start') say(`start ended with exit code ${code}`)
if (stoppedBy !== undefined) say(`stopped by ${stoppedBy}`)
process.exit(stoppedBy === 'SIGINT' && command === 'start' ? 0 : code)

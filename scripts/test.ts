// Everything that can be tested here, in order, with one count at the end: `N passed, N failed`.
//
//   node scripts/test.ts [--only SUITE …] [--list]
//
// Nothing hides: a suite that cannot start is a failure, and what was skipped is said aloud. Under DW_TEST_REQUIRE
// (`all`, or a list of postgres, python, cargo, registry) a skip for want of that is a failure; a missing ../shared never is.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { forbiddenSkips, skipLines, sum, type Tally, tallyOfLines, tallyOfVitest } from './tally.ts'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')
const reports = mkdtempSync(join(tmpdir(), 'test-reports-'))
const node = ['--conditions=source', '--disable-warning=ExperimentalWarning']

/** The suites by name, in the order in which they run. */
const suites: Readonly<Record<string, () => Promise<Tally>>> = {
  types: () => one(join(bin, 'tsc'), ['-p', '.']),
  arrows: () =>
    one(join(bin, 'depcruise'), [
      '--config',
      'dependency-cruiser.config.mjs',
      'packages',
      'apps',
      'tests',
      'bench',
      'examples',
      'scripts',
    ]),
  house: () => vitest('house'),
  packages: () => vitest('packages'),
  tests: () => vitest('tests'),
  packed: () => vitest('packed'),
  release: () => vitest('release'), // after packed: the packages of others that it filled the cache with are taken from there
  foreign: async () => {
    const { exitCode, lines } = await run(process.execPath, [...node, 'tests/foreign/main.ts'])
    return tallyOfLines(lines, exitCode)
  },
}

interface Ended {
  exitCode: number
  lines: readonly string[]
}

let running: ReturnType<typeof spawn> | undefined
/** The signal that asked to stop: the suite under way is ended, and no other begins. */
let stoppedBy: NodeJS.Signals | undefined

/** Runs a command, shows what it prints, and keeps the lines. */
async function run(command: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  running = child
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line)
    console.log(line)
  })
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      console.log(`${command} did not start: ${error.message}`)
      resolve(127)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
  running = undefined
  return { exitCode, lines }
}

/** A command that is one test: it passes or it does not. */
async function one(command: string, args: readonly string[]): Promise<Tally> {
  const { exitCode } = await run(command, args)
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: [] }
}

async function vitest(project: string): Promise<Tally> {
  const report = join(reports, `${project}.json`)
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { exitCode } = await run(join(bin, 'vitest'), args)
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: [] }
  const tally = tallyOfVitest(JSON.parse(readFileSync(report, 'utf8')))
  // An error outside of any test (an unhandled rejection) shows only in the exit code.
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, list: { type: 'boolean', default: false } },
  })
  if (values.list) {
    console.log(Object.keys(suites).join('\n'))
    return 0
  }
  const unknown = values.only?.filter((name) => suites[name] === undefined) ?? []
  if (unknown.length > 0) {
    console.error(`no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`)
    return 2
  }
  const sharedMissing = !existsSync(join(root, '../shared'))
  const tallies: Tally[] = []
  const wanted = Object.entries(suites).filter(([name]) => values.only?.includes(name) ?? true)
  for (const [at, [name, suite]] of wanted.entries()) {
    if (stoppedBy !== undefined) {
      const left = wanted.slice(at).map(([one]) => one)
      console.log(`\nstopped by ${stoppedBy}; not run: ${left.join(', ')}`)
      tallies.push({ passed: 0, failed: left.length, skipped: [] })
      break
    }
    const began = performance.now()
    console.log(`\n== ${name}`)
    const tally = await suite()
    tallies.push(tally)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(
      `== ${name}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped in ${seconds} s`,
    )
  }
  const { passed, failed, skipped } = sum(tallies)
  console.log('')
  if (sharedMissing) console.log('SKIP what needs ../shared: it is missing')
  for (const line of skipLines(skipped)) console.log(`SKIP ${line}`)
  const forbidden = forbiddenSkips(skipped, process.env.DW_TEST_REQUIRE ?? '', sharedMissing)
  if (forbidden.length > 0) {
    console.log(
      `${forbidden.length} of these skips count as failed, because DW_TEST_REQUIRE=${process.env.DW_TEST_REQUIRE}`,
    )
  }
  console.log(`${passed} passed, ${failed + forbidden.length} failed`)
  return failed + forbidden.length > 0 ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stoppedBy = signal
    running?.kill(signal)
  })
}
try {
  process.exitCode = await main()
} finally {
  rmSync(reports, { recursive: true, force: true })
}

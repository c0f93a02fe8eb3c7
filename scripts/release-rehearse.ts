// The whole path of a release on one machine, against a registry on loopback: `pnpm release:rehearse`.
//
//   node --conditions=source scripts/release-rehearse.ts [--out DIR] [--resume DIR] [--with-changes]
//                                                        [--postgres URL | --without postgres] [--keep]
//
// Owns:      the order of the steps, the registry and the PostgreSQL beside them, the words at the end.
// Does not:  judge anything: every step is `rel` as a process, and its exit code.
//
// PostgreSQL: the server of --postgres or DW_TEST_POSTGRES_URL, else a private one of scripts/postgres.mjs. Nothing is published
// but to 127.0.0.1. Ctrl-C ends what runs and says how to go on. Exit codes as those of `rel`: 0, 2, 10, 30; 130 after Ctrl-C.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startVerdaccio } from '../packages/release/test/kit/verdaccio.ts'
import { root } from './published.ts'
import { Children, Stopped } from './rehearsal/children.ts'
import { databasesFor, type Found } from './rehearsal/databases.ts'
import { cloneHead, git, uncommitted } from './rehearsal/head.ts'
import { type Places, placesIn } from './rehearsal/places.ts'
import { Rehearsal, StepFailed } from './rehearsal/rehearsal.ts'
import { readState, type State, writeState } from './rehearsal/state.ts'
import { steps } from './rehearsal/steps.ts'

const began = performance.now()
const say = (line: string): void => console.log(line)
const secondsSince = (from: number): number => (performance.now() - from) / 1000
const children = new Children()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => children.stop(signal))

/** The rehearsal cannot begin as things are; the message says what to do. */
class CannotBegin extends Error {
  override readonly name = 'CannotBegin'
}

type Options = ReturnType<typeof optionsOf>

function optionsOf(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      out: { type: 'string' },
      resume: { type: 'string' },
      'with-changes': { type: 'boolean', default: false },
      postgres: { type: 'string' },
      without: { type: 'string', multiple: true, default: [] },
      keep: { type: 'boolean', default: false },
    },
  }).values
}

/** A new rehearsal, or one that was stopped. */
function begin(values: Options): { places: Places; state: State } {
  const commit = git(root, 'rev-parse', 'HEAD')
  const changes = uncommitted()
  if (values.resume !== undefined) {
    const places = placesIn(realpathSync(values.resume))
    const state = readState(places.out)
    if (state.commit !== commit) {
      throw new CannotBegin(`this rehearsal is of ${state.commit}, and the checkout is at ${commit}; begin a new one`)
    }
    // Changesets that were consumed by half are consumed anew.
    if (state.passed.version === undefined) cloneHead(places.head, values['with-changes'] ? changes : [])
    return { places, state }
  }
  if (changes.length > 0 && !values['with-changes']) {
    const some = changes.slice(0, 5).join(', ')
    throw new CannotBegin(
      `${changes.length} files differ from the commit (${some}); commit or stash them, or give --with-changes to rehearse them as well`,
    )
  }
  const places = placesIn(folderFor(values.out))
  for (const folder of [places.logs, places.registry, places.ledger]) mkdirSync(folder, { recursive: true })
  cloneHead(places.head, changes)
  return { places, state: { commit, databases: [], port: null, passed: {} } }
}

function folderFor(out: string | undefined): string {
  if (out === undefined) return realpathSync(mkdtempSync(join(tmpdir(), 'release-rehearsal-')))
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0)
    throw new CannotBegin(`${resolve(out)} is not empty; name a folder that is, or --resume it`)
  return realpathSync(out)
}

async function main(values: Options): Promise<void> {
  const { places, state: before } = begin(values)
  say(`rehearsal of ${before.commit} in ${places.out}`)
  const found = await databasesFor(values.postgres, values.without, before.databases, join(places.logs, 'postgres.txt'))
  for (const line of found.aloud) say(line)
  try {
    await rehearse(places, before, found)
  } catch (error) {
    say(`to go on from the last record: pnpm release:rehearse --resume ${places.out}`)
    throw error
  } finally {
    await found.stop()
    rmSync(places.temporary, { recursive: true, force: true })
  }
  if (values.keep || values.out !== undefined || values.resume !== undefined) say(`kept: ${places.out}`)
  else for (const folder of [places.head, places.consumer]) rmSync(folder, { recursive: true, force: true })
}

async function rehearse(places: Places, before: State, { databases }: Found): Promise<void> {
  const registry = await startVerdaccio(places.registry, before.port ?? undefined)
  try {
    let state: State = {
      ...before,
      databases: databases.map(({ name }) => name),
      port: Number(new URL(registry.url).port),
    }
    writeState(places.out, state)
    say(`registry ${registry.url}, nothing above it`)
    const rehearsal = new Rehearsal(places, databases, registry, children, say)
    for (const [at, step] of steps.entries()) {
      const title = `step ${at + 1} of ${steps.length}: ${step.name}`
      if (state.passed[step.name] !== undefined) {
        say(`${title}: passed before`)
        continue
      }
      say(`${title}: ${step.says}`)
      const from = performance.now()
      rehearsal.begin(`${String(at + 1).padStart(2, '0')}-${step.name}`)
      const word = await step.run(rehearsal)
      const seconds = Number(secondsSince(from).toFixed(1))
      state = { ...state, passed: { ...state.passed, [step.name]: seconds } }
      writeState(places.out, state)
      say(`  ${step.name} passed in ${seconds} s: ${word}`)
    }
    tellEnd(places)
  } finally {
    await registry.stop()
  }
}

function tellEnd({ evidence, ledger }: Places): void {
  say('')
  say(readFileSync(join(evidence, 'tuple.json'), 'utf8').trimEnd())
  say('')
  say(readFileSync(join(evidence, 'SHA256SUMS'), 'utf8').trimEnd())
  say('')
  say(`evidence: ${evidence}`)
  say(`ledger:   ${ledger}`)
  say(`check it: cd ${evidence} && sha256sum -c SHA256SUMS && rel verify .`)
  say(`rehearsed in ${secondsSince(began).toFixed(0)} s`)
}

try {
  await main(optionsOf(process.argv.slice(2)))
} catch (error) {
  if (error instanceof Stopped) {
    say(`stopped by ${error.message}; what was running has ended`)
    process.exitCode = 130
  } else if (error instanceof CannotBegin || error instanceof StepFailed) {
    say(`not rehearsed: ${error.message}`)
    process.exitCode = 10
  } else if (error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS')) {
    console.error(error.message)
    process.exitCode = 2
  } else {
    console.error(error)
    process.exitCode = 30
  }
}

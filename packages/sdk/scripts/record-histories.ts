// Records new histories for spec/vectors/histories: every scenario of the catalogue on a real server, under several schedules.
//
//   pnpm histories:record [--seed N] [--rounds N] [MODULE …]
//
// A MODULE is a file that exports `scenarios` of its own, such as those of an example; without one the catalogue is recorded. A
// recording is kept when its workflow has none of that shape yet and fewer than its scenario allows, and only if it replays.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { installGuard } from '../src/guard/guard.ts'
import { catalogue } from '../test/corpus/catalogue.ts'
import {
  type RecordedHistory,
  readHistoryFile,
  readIndex,
  shapeOf,
  writeHistoryFile,
} from '../test/corpus/recorded-history.ts'
import { coldCommands, recordedCommands, stickyCommands } from '../test/corpus/replay-turns.ts'
import type { Scenario } from '../test/corpus/scenario.ts'
import { record } from './histories/record.ts'
import { scheduleOf } from './histories/schedule.ts'
import { startServer } from './histories/server.ts'

const shapesDefault = 3
const atOnce = 6

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, rounds: { type: 'string', default: '12' } },
  allowPositionals: true,
})

async function scenariosOf(modules: readonly string[]): Promise<readonly Scenario[]> {
  if (modules.length === 0) return catalogue
  const loaded: unknown[] = await Promise.all(modules.map((path) => import(pathToFileURL(resolve(path)).href)))
  return loaded.flatMap((module, index) => {
    if (typeof module === 'object' && module !== null && 'scenarios' in module && Array.isArray(module.scenarios)) {
      return module.scenarios
    }
    throw new Error(`${modules[index]} exports no list named scenarios`)
  })
}

/** What is wrong with a recording; undefined for one that replays. */
async function problemOf(scenario: Scenario, recorded: RecordedHistory): Promise<string | undefined> {
  const guard = installGuard()
  try {
    const expected = JSON.stringify(recordedCommands(recorded))
    const cold = JSON.stringify(await coldCommands(guard, scenario, recorded))
    if (cold !== expected) return `cold replay sends ${cold}, recorded is ${expected}`
    const sticky = JSON.stringify(await stickyCommands(guard, scenario, recorded))
    return sticky === expected ? undefined : `sticky replay sends ${sticky}, recorded is ${expected}`
  } finally {
    guard.uninstall()
  }
}

/** Records scenarios on one server; returns what went wrong. */
async function recordAll(server: string, scenarios: readonly Scenario[]): Promise<readonly string[]> {
  const shapesOf = new Map<string, Set<string>>()
  for (const recorded of readIndex().map(readHistoryFile)) {
    const { workflow_type: name } = recorded
    shapesOf.set(name, (shapesOf.get(name) ?? new Set()).add(shapeOf(recorded)))
  }
  const problems: string[] = []
  let number = 0

  const recordRound = async (scenario: Scenario, shapes: Set<string>, round: number): Promise<void> => {
    number += 1
    const recorded = await record(server, scenario, scheduleOf(Number(values.seed), round), number)
    const crossesNoChange = scenario.before !== undefined && recorded.turns.every((turn) => turn.before_change === true)
    if (shapes.has(shapeOf(recorded)) || crossesNoChange) return
    const problem = await problemOf(scenario, recorded)
    if (problem !== undefined) throw new Error(problem)
    shapes.add(shapeOf(recorded))
    const name = writeHistoryFile(recorded)
    console.log(`${name}  ${recorded.history_events.length} events, ${recorded.turns.length} turns`)
  }

  const recordScenario = async (scenario: Scenario): Promise<void> => {
    const { name } = scenario.workflow
    const shapes = shapesOf.get(name) ?? new Set<string>()
    for (let round = 0; round < Number(values.rounds) && shapes.size < (scenario.shapes ?? shapesDefault); round += 1) {
      try {
        await recordRound(scenario, shapes, round)
      } catch (error) {
        const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
        problems.push(`${name}, round ${round}: ${said}`)
      }
    }
  }

  const waiting = [...scenarios]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await recordScenario(next)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return problems
}

async function main(): Promise<number> {
  await using server = await startServer()
  const problems = await recordAll(server.url, await scenariosOf(positionals))
  for (const problem of problems) console.error(problem)
  return problems.length === 0 ? 0 : 1
}

// Workers that died in a recording still wait for a server; nothing of theirs is needed any more.
process.exit(await main())

// Every history that was ever recorded replays in every build: spec/vectors/histories, as spec/vectors/README.md describes it.
//
//   the files are as they were recorded · each turn sends the same bytes, cold and going on · today's code fits the whole
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type Guard, installGuard } from '../../src/guard/guard.ts'
import { replayVersions } from '../../src/replay/versions.ts'
import { replayHistory } from '../../src/replay.ts'
import { catalogue } from './catalogue.ts'
import { endsAtOnce, runsAnother } from './changed.ts'
import { filesPresent, readHistoryFile, readIndex } from './recorded-history.ts'
import { coldCommands, recordedCommands, stickyCommands } from './replay-turns.ts'

/**
 * Recordings whose turns send something else since a change of replay behaviour, with the number of that change in
 * src/replay/versions.ts. An entry that is not needed any more fails.
 */
const changedSince: Readonly<Record<string, number>> = {}

/** What the index had when this line was written: the oldest names stay, in their order, for ever. */
const floor = { files: 127, digest: 'd95287c3485fd03bda0a46df49e703935b2e7b1820e3a83b584376477894984e' }

const index = readIndex()
const scenarios = new Map(catalogue.map((scenario) => [scenario.workflow.name, scenario]))
const recordings = index.map((name) => {
  const recorded = readHistoryFile(name)
  return { name, recorded, scenario: scenarios.get(recorded.workflow_type) }
})
const ofCatalogue = recordings.flatMap(({ name, recorded, scenario }) =>
  scenario === undefined ? [] : [{ name, recorded, scenario }],
)

const endings: ReadonlyMap<string, string> = new Map([
  ['WorkflowCompleted', 'completed'],
  ['WorkflowFailed', 'failed'],
  ['WorkflowCancelled', 'closed'],
  ['WorkflowTerminated', 'closed'],
])

/** Workflows of the examples; each example replays its own. */
const ofExamples: ReadonlySet<string> = new Set(['checkout', 'transfer'])

let guard: Guard
beforeAll(() => {
  guard = installGuard()
})
afterAll(() => guard.uninstall())

describe('the files', () => {
  test('are those of the index, each under the digest of its bytes', () => {
    expect(filesPresent().toSorted()).toEqual(index.toSorted())
    expect(new Set(index).size).toBe(index.length)
  })

  test('only become more', () => {
    const oldest = index.slice(0, floor.files)
    expect(createHash('sha256').update(oldest.join('\n')).digest('hex')).toBe(floor.digest)
  })

  test('are few and small: at most 150 and 1.5 MB', () => {
    expect(index.length).toBeLessThanOrEqual(150)
    const bytes = recordings.reduce((sum, { recorded }) => sum + JSON.stringify(recorded).length, 0)
    expect(bytes).toBeLessThan(1_500_000)
  })

  test('cover every workflow of the catalogue, and no other but those of the examples', () => {
    const recorded = new Set(recordings.map(({ recorded: { workflow_type } }) => workflow_type))
    expect([...scenarios.keys()].filter((name) => !recorded.has(name))).toEqual([])
    expect([...recorded].filter((name) => !scenarios.has(name) && !ofExamples.has(name))).toEqual([])
  })
})

describe('every turn sends what was recorded, byte for byte', () => {
  it.each(ofCatalogue)('$name', async ({ name, recorded, scenario }) => {
    const expected = recordedCommands(recorded)
    const cold = await coldCommands(guard, scenario, recorded)
    expect(await stickyCommands(guard, scenario, recorded)).toEqual(cold)
    const changed = changedSince[name]
    if (changed === undefined) return expect(cold).toEqual(expected)
    expect(replayVersions.map(({ number }) => number)).toContain(changed)
    expect(recorded.replay_version).toBeLessThan(changed)
    expect(cold).not.toEqual(expected)
  })
})

describe("today's code fits the whole history, from every place where a worker may start over", () => {
  it.each(ofCatalogue)('$name', async ({ recorded, scenario }) => {
    const report = await replayHistory(scenario.workflow, recorded)
    if (!report.ok) throw report.mismatch
    const last = recorded.history_events.at(-1)?.event_type ?? ''
    expect(report).toMatchObject({ events: recorded.history_events.length, ending: endings.get(last) ?? 'open' })
  })
})

test('code that runs another activity, or ends at once, fits none that has run one', async () => {
  for (const { recorded } of ofCatalogue) {
    if (!recorded.history_events.some(({ event_type }) => event_type === 'ActivityScheduled')) continue
    for (const code of [runsAnother, endsAtOnce]) {
      const report = await replayHistory(code(recorded.workflow_type), recorded)
      expect(report.ok, recorded.workflow_type).toBe(false)
    }
  }
})

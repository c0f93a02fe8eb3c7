// Servers and workers are killed with SIGKILL at instants that follow from a seed, while 500 runs go on. Effects are
// counted outside the database; the judge (kills/judge.ts) says what must hold, and is shown planted faults at the end.
//
// DW_TEST_SEED repeats the choice of victims and instants; what they meet depends on the machine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openClient } from '../drills/open-client.ts'
import { openReader } from '../support/database-reader.ts'
import { type DatabaseName, eachDatabase } from '../support/databases.ts'
import { cleanEnvironment, startProgram } from '../support/process.ts'
import { waitFor } from '../support/wait-for.ts'
import { chanceOf, seedOf } from './kills/chance.ts'
import type { Shape } from './kills/contracts.ts'
import { effectsIn, evidenceOf, type StartedRun } from './kills/evidence.ts'
import { type Fleet, type MemberKind, startFleet } from './kills/fleet.ts'
import { judge } from './kills/judge.ts'
import { openSender } from './kills/sender.ts'
import { refusalsIn, unexplainedLines } from './kills/worker-log.ts'

const runCount = 500
const killCount = 52
const leaseSeconds = 3
const taskQueue = 'kills'
/** Members that are up when one is killed; what else is down comes back meanwhile. */
const aliveMin = 3
/** Runs that wait for their signal while the progress checker looks. */
const waitingCount = 20
const shapes: readonly Shape[] = ['chained', 'timed', 'signalled', 'parallel', 'marked']
const fleets: Readonly<Record<DatabaseName, { readonly servers: number; readonly workers: number }>> = {
  sqlite: { servers: 1, workers: 4 },
  postgres: { servers: 2, workers: 4 },
}

eachDatabase((on) => {
  const { servers, workers } = fleets[on]
  test(`${killCount} kills of ${servers} servers and ${workers} workers while ${runCount} runs go on: each completes once, each step is recorded once, no effect is lost or unexplained`, {
    timeout: 300_000,
  }, async () => {
    const seed = seedOf()
    console.log(`DW_TEST_SEED=${seed}`)
    const began = Date.now()
    const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-kills-'))
    await using stack = new AsyncDisposableStack()
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    const fleet = stack.use(await startFleet({ on, servers, workers, leaseSeconds, taskQueue, folder }))
    const sender = stack.use(openSender(fleet.urls))
    const database = stack.use(openReader(fleet.databaseUrl))

    const storm = await rage(fleet, sender, chanceOf(seed))
    await fleet.settled()
    await waitFor(
      'only the runs that wait for a signal are open',
      () => database.row('select count(*) as open from runs where closed_at is null'),
      { until: ({ open }) => open === waitingCount, timeoutMs: 90_000, intervalMs: 100 },
    )
    await waitFor(
      'they wait for nothing else',
      () => database.row('select count(*) as busy from runs where closed_at is null and open_signal_waits = 0'),
      { until: ({ busy }) => busy === 0, timeoutMs: 30_000 },
    )
    expect(await checkRuns(fleet.databaseUrl)).toEqual([{ openRuns: waitingCount, problems: 0 }])
    for (const { workflowId } of storm.waiting) await sender.signal(workflowId)
    await waitFor(
      'every run is closed',
      () => database.row('select count(*) as open from runs where closed_at is null'),
      { until: ({ open }) => open === 0, timeoutMs: 60_000 },
    )
    await fleet.stopWorkers()

    await using client = openClient(fleet.urls[0] ?? '')
    const runs = await evidenceOf(storm.started, database, client)
    const effects = effectsIn(folder)
    const judged = judge(runs, effects)
    const lines = fleet.workerLines()
    const repairs = await database.row('select sum(repair_count) as repairs from workflow_tasks')
    const report = {
      seed,
      kills: storm.kills,
      workersThatExited: fleet.ownEnds.length,
      runs: runs.length,
      steps: judged.steps,
      effects: effects.length,
      lostAttempts: judged.lostAttempts,
      effectsOfLostAttempts: judged.explainedEffects,
      recoveredWorkflowTasks: Number(repairs.repairs),
      refusals: refusalsIn(lines),
      seconds: Math.round((Date.now() - began) / 1_000),
    }
    console.log(`random kills on ${on}: ${JSON.stringify(report)}`)
    expect(judged.problems).toEqual([])
    expect(unexplainedLines([...lines, ...fleet.ownEnds.filter((end) => !end.includes('"level":"fatal"'))])).toEqual([])
    expect(runs).toHaveLength(runCount)
    expect(storm.kills.server + storm.kills.worker).toBe(killCount)
    expect(storm.kills.server).toBeGreaterThan(0)
    expect(storm.kills.worker).toBeGreaterThan(0)

    // The same judge over the same evidence with one thing wrong.
    expect(judge(runs, effects.slice(1)).problems, 'a lost effect').toHaveLength(1)
    expect(judge(runs, [...effects, ...effects.slice(0, 1)]).problems, 'an unexplained effect').toHaveLength(1)
    const [first, ...others] = runs
    if (first === undefined) throw new Error('no run')
    const step = first.events.findIndex(({ type }) => type === 'ActivityScheduled')
    const doubled = { ...first, events: first.events.toSpliced(step, 0, ...first.events.slice(step, step + 1)) }
    expect(judge([doubled, ...others], effects).problems.join('\n'), 'a doubled step').toMatch(/recorded twice/)
  })
})

interface Storm {
  readonly started: readonly StartedRun[]
  /** Started, and not yet signalled. */
  readonly waiting: readonly StartedRun[]
  readonly kills: Readonly<Record<MemberKind, number>>
}

/** Starts the runs in as many portions as there are kills; between two kills passes a time that follows from the seed. */
async function rage(fleet: Fleet, sender: ReturnType<typeof openSender>, chance: () => number): Promise<Storm> {
  const started: StartedRun[] = []
  const unsignalled: (StartedRun & { readonly starting: Promise<void> })[] = []
  const kills = { server: 0, worker: 0 }
  const sending: Promise<void>[] = []
  for (let kill = 1; kill <= killCount; kill += 1) {
    const target = Math.round((runCount * kill) / killCount)
    while (started.length < target) {
      const shape = shapes[started.length % shapes.length] ?? 'chained'
      const run = { workflowId: `kills-${started.length}`, shape }
      started.push(run)
      const starting = sender.start(shape, run.workflowId, taskQueue)
      sending.push(starting)
      if (shape === 'signalled') unsignalled.push({ ...run, starting })
    }
    // Signals go to runs of some portions ago: most wait by then, some do not yet.
    for (const { workflowId, starting } of unsignalled.splice(0, Math.max(unsignalled.length - waitingCount, 0)))
      sending.push(starting.then(() => sender.signal(workflowId)))
    await pause(200 + chance() * 1_000)
    // On a slow machine the dead come back slowly: there must be something to kill, and something that goes on.
    await fleet.settled(aliveMin)
    const up = fleet.members.filter(({ isUp }) => isUp)
    const victim = up[Math.floor(chance() * up.length)]
    if (victim === undefined) throw new Error('nobody can be killed')
    await victim.kill(chance() * 500)
    kills[victim.kind] += 1
  }
  await Promise.all(sending)
  return { started, waiting: unsignalled, kills }
}

/** The progress checker as operators run it: its lines. */
async function checkRuns(databaseUrl: string): Promise<unknown[]> {
  const program = await startProgram({
    name: 'check-runs',
    command: process.execPath,
    args: ['--conditions=source', '--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts', 'check-runs'],
    cwd: resolve(import.meta.dirname, '../..'),
    env: cleanEnvironment({ DW_DATABASE_URL: databaseUrl }),
  })
  await program.waitForExit({ timeoutMs: 60_000 })
  return program.stdout.map((line): unknown => JSON.parse(line))
}

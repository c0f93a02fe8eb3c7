// Random workers on a started engine: they poll, think, answer, answer twice, vanish, come back; time goes on by itself.
//
// Whatever they do, every run ends, each activity result is recorded once, every signal is in history once, nothing is
// left open, and no loop of the engine met an error.

import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Operation } from '../src/core/decision/operation.ts'
import {
  completeActivityTask,
  completeWorkflowTask,
  type Engine,
  failWorkflowTask,
  type PollResult,
} from '../src/index.ts'
import { pollOf, registerOn, replyOf, startEngine, startOn } from './support/engine.ts'
import { expectWorld } from './support/histories.ts'
import {
  type AnyCommand,
  activityCommand,
  completeCommand,
  inGroup,
  sendSignal,
  signalCommand,
  timerCommand,
} from './support/operations.ts'
import { onEachDatabase, openSqlite } from './support/stores.ts'
import { apply, emptyWorld } from './support/world.ts'

const seed = Number(process.env.DW_TEST_SEED ?? Date.now() % 2 ** 31)
afterAll(() => console.log(`workers.property: seed ${seed} (DW_TEST_SEED repeats it)`))

/** What a worker does with a task that it got. */
type Mood = 'answer' | 'answer twice' | 'vanish'
const mood = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Mood>('answer') },
  { weight: 2, arbitrary: fc.constant<Mood>('answer twice') },
  { weight: 2, arbitrary: fc.constant<Mood>('vanish') },
)

/** One authored program: its stages, one after the other; it goes by what history shows, as a replay would. */
const stages: readonly (readonly AnyCommand[])[] = [
  inGroup(
    [
      activityCommand({ retry_policy: { max_attempts: 9, backoff_seconds: [0, 1] } }),
      timerCommand({ delay_seconds: 1 }),
      activityCommand(),
    ],
    'mixed',
  ),
  [timerCommand({ delay_seconds: 2 }), signalCommand()],
  [completeCommand()],
]

/** @param repeatsGroups as the Python SDK does, whose worker sends an open group again whenever it is woken */
function nextCommands(types: readonly string[], repeatsGroups: boolean): readonly AnyCommand[] | undefined {
  const count = (type: string) => types.filter((one) => one === type).length
  if (count('ActivityScheduled') === 0) return stages[0]
  if (count('ActivityCompleted') < 2 || count('TimerFired') < 1) return repeatsGroups ? stages[0] : undefined
  if (count('SignalWaitOpened') === 0) return stages[1]
  return count('TimerFired') === 2 && count('SignalApplied') === 1 ? stages[2] : undefined
}

interface Worker {
  readonly engine: Engine
  readonly workerId: string
  /** Whether its reports offer slots; what is handed over is worked on at once. */
  readonly offers: boolean
  readonly repeatsGroups: boolean
  /** What it does with the next task; after a while everybody behaves, so that everything can end. */
  nextMood(): Mood
}

function reportOf(result: PollResult, { workerId, repeatsGroups }: Worker) {
  const reporter = { namespace: 'default', leaseOwner: workerId }
  if (result.kind === 'activity') {
    const { activity, attemptId } = result.claim
    const { activityId } = activity
    return completeActivityTask({ ...reporter, activityId, attemptId, result: undefined, reportDigest: attemptId })
  }
  if (result.kind !== 'workflow') return undefined
  const { task, history } = result.claim
  const { taskId, attempt } = task
  const report = { ...reporter, taskId, attempt, reportDigest: `${taskId}x${attempt}`, historyCached: false }
  const commands = nextCommands(
    history.events.map((event) => event.type),
    repeatsGroups,
  )
  if (commands !== undefined) return completeWorkflowTask({ ...report, commands, resolvedWaits: [] })
  const failure = { message: 'x', type: 'WorkflowTaskWaitingForHistory', reason: undefined, step: undefined }
  return failWorkflowTask({ ...report, failure })
}

async function act(worker: Worker, result: PollResult): Promise<void> {
  const does = worker.nextMood()
  if (does === 'vanish') return
  const handed: PollResult[] = []
  for (let n = 0; n < (does === 'answer twice' ? 2 : 1); n++) {
    const report: Operation<{ readonly repeated: boolean }> | undefined = reportOf(result, worker)
    if (report === undefined) return
    const pollRequestId = `${worker.workerId}-${JSON.stringify(report.slice)}`
    const offer = {
      namespace: 'default',
      workerId: worker.workerId,
      pollRequestId,
      protocolVersion: '1.19',
      workflowTasks: 1,
      activityTasks: 2,
    }
    const { handedOver } = await worker.engine.report(report, worker.offers ? offer : undefined)
    // The second answer repeats what the first one carried.
    handed.splice(0, handed.length)
    for (const claim of handedOver?.workflowTasks ?? []) handed.push({ kind: 'workflow', claim })
    for (const claim of handedOver?.activityTasks ?? []) handed.push({ kind: 'activity', claim })
  }
  for (const one of handed) await act(worker, one)
}

onEachDatabase((open) => {
  const runs = open === openSqlite ? 25 : 5
  test('L-01 L-04 L-15 DI1 DI4 random workers finish every run, each thing once', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(mood, { minLength: 20, maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        fc.boolean(),
        async (moods, workerCount, runCount, offers, repeatsGroups) => {
          await using made = await startEngine({
            open,
            settings: { workflowTaskLeaseMs: 4_000, activityTaskLeaseMs: 5_000 },
          })
          const { engine, clock, store } = made
          let met = 0
          let isOver = false
          const nextMood = () => moods[met++] ?? 'answer'
          const loop = async (workerId: string, kind: 'workflow' | 'activity') => {
            while (!isOver) {
              const result = await engine.poll(pollOf(kind, { workerId, timeoutMs: 3_000 }))
              if (result.kind !== 'empty') await act({ engine, workerId, offers, repeatsGroups, nextMood }, result)
            }
          }
          const workers = Array.from({ length: workerCount }, (_, n) => `worker-${n}`)
          for (const workerId of workers) await registerOn(made, { workerId })
          const loops = workers.flatMap((workerId) => [loop(workerId, 'workflow'), loop(workerId, 'activity')])
          for (let n = 0; n < runCount; n++) await startOn(made, `order-${n}`)
          for (let n = 0; n < runCount; n++)
            replyOf(await made.settled(engine.execute(sendSignal({ workflowId: `order-${n}` }))))
          for (let seconds = 0; seconds < 120 && !isDone(store.commits.reduce(apply, emptyWorld).runs); seconds++)
            await clock.advance(1_000)
          isOver = true
          await clock.advance(4_000)
          await Promise.all(loops)
          const world = store.commits.reduce(apply, emptyWorld)
          expectWorld(world)
          expect(world.runs.map((run) => run.status)).toEqual(Array.from({ length: runCount }, () => 'completed'))
          const completed = world.events.filter((event) => event.type === 'ActivityCompleted').length
          expect(completed).toBe(runCount * 2)
          expect(world.events.filter((event) => event.type === 'ActivityScheduled')).toHaveLength(runCount * 2)
          expect(made.errors).toEqual([])
        },
      ),
      { seed, numRuns: Number(process.env.DW_TEST_RUNS ?? runs), endOnFailure: true },
    )
  })
})

function isDone(runs: readonly { readonly status: string }[]): boolean {
  return runs.length > 0 && runs.every((run) => run.status === 'completed')
}

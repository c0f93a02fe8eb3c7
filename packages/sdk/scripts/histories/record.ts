// One run of a scenario under one schedule, on a real server, with real workers, written down.
import { setTimeout as pause } from 'node:timers/promises'
import { RefusedError } from '../../src/authoring/failure.ts'
import type { WorkflowImplementation } from '../../src/authoring/workflow.ts'
import { createClient, type StartedRun } from '../../src/client/client.ts'
import type { ActivityImplementation, MaybeSchema, Message } from '../../src/index.ts'
import { replayVersions } from '../../src/replay/versions.ts'
import { openTransport } from '../../src/transport/undici.ts'
import { createWorker, type Worker } from '../../src/worker/worker.ts'
import type { RecordedHistory } from '../../test/corpus/recorded-history.ts'
import type { Scenario } from '../../test/corpus/scenario.ts'
import type { Schedule } from './schedule.ts'
import { createTape, type Tape, tap } from './tap.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const runTimeoutMs = 20_000

type Run = StartedRun<MaybeSchema, Message>

/** @throws Error when the run does not come to its end, or a task of it fails */
export async function record(
  server: string,
  scenario: Scenario,
  schedule: Schedule,
  number: number,
): Promise<RecordedHistory> {
  const taskQueue = `histories-${number}`
  const tape = createTape()
  const client = createClient({ server })
  const workers = createWorkers(server, scenario, schedule, tape, taskQueue)
  try {
    const run: Run = await client.start(scenario.workflow, {
      id: `${scenario.workflow.name}-${number}`,
      taskQueue,
      input: scenario.input,
    })
    if (schedule.messages === 'early') await sendAll(run, scenario, schedule)
    await workers.begin()
    if (schedule.messages !== 'early') await sendAll(run, scenario, schedule)
    await reachEnd(run, scenario, tape)
    return await written(run, tape, taskQueue)
  } finally {
    await workers.stop()
    await client.close()
  }
}

/** The worker of a run, and the one that takes over when it dies. */
function createWorkers(server: string, scenario: Scenario, schedule: Schedule, tape: Tape, taskQueue: string) {
  const running: { readonly worker: Worker; readonly run: Promise<void> }[] = []
  let isDead = false
  const activities = scenario.activities.map((each) => delayed(each, schedule))

  const start = async (workflow: WorkflowImplementation, isBefore: boolean, mayDie: boolean): Promise<void> => {
    const transport = tap(openTransport({ origin: server }), tape, isBefore, {
      losesReply: () => schedule.next() < schedule.replyLoss,
      onTurn: (count) => {
        if (!mayDie || isDead || count < diesAt) return
        isDead = true
        transport.die()
        void start(scenario.workflow, false, false)
      },
    })
    const worker = await createWorker({
      server,
      taskQueue,
      workflows: [workflow],
      activities,
      transport,
      stickyCacheBytes: schedule.stickyCacheBytes,
      pollers: { workflow: 1, activity: 4, query: 1 },
      reportRetry: { attemptsMax: 5, firstMs: 1, longestMs: 5 },
      shutdownTimeout: '1s',
      log: silent,
    })
    const run = worker.run()
    // A dead worker has nothing to say, and the run's own end tells of the others.
    run.catch(() => undefined)
    running.push({ worker, run })
  }
  const diesAt = schedule.diesAtTurn ?? (scenario.before === undefined ? Number.POSITIVE_INFINITY : 1)

  return {
    begin: () => start(scenario.before ?? scenario.workflow, scenario.before !== undefined, true),
    async stop() {
      await Promise.allSettled(running.map(({ worker }) => worker.stop()))
      await Promise.allSettled(running.map(({ run }) => run))
    },
  }
}

function delayed(activity: ActivityImplementation, schedule: Schedule): ActivityImplementation {
  return {
    ...activity,
    async fn(input, ctx) {
      await pause(schedule.next() * schedule.delayMsMax)
      try {
        return await activity.fn(input, ctx)
      } catch (error) {
        throw withoutFolder(error)
      }
    },
  }
}

const repository = new URL('../../../../', import.meta.url).href

/** Stacks are recorded, and the folder of a checkout is nobody's business. */
function withoutFolder(error: unknown): unknown {
  if (error instanceof Error) error.stack = error.stack?.replaceAll(repository, 'file:///')
  return error
}

async function sendAll(run: Run, { workflow, messages = [] }: Scenario, schedule: Schedule): Promise<void> {
  const queries = workflow.handles.filter((message) => message.kind === 'query')
  for (const { signal, payload } of messages) {
    if (schedule.messages === 'late') await until('the run waits', async () => isWaiting(run))
    if (schedule.messages === 'mixed') await pause(schedule.next() * 40)
    try {
      await run.signal(signal, payload)
      if (schedule.asksQueries && schedule.messages !== 'early') for (const query of queries) await run.query(query)
    } catch (error) {
      // A run that has ended takes no more messages, and asks for none.
      if (!RefusedError.is(error)) throw error
    }
  }
}

async function isWaiting(run: Run): Promise<boolean> {
  const { status } = await run.describe()
  return status === 'waiting' || !['pending', 'running'].includes(status)
}

async function reachEnd(run: Run, { ends = 'closed' }: Scenario, tape: Tape): Promise<void> {
  if (ends !== 'closed') {
    let before = -1
    await until('the run waits and nothing comes any more', async () => {
      const { length } = await rowsOf(run)
      const isQuiet = length === before && tape.turns.length > 0 && (await isWaiting(run))
      before = length
      await pause(150)
      return isQuiet
    })
    if (ends === 'cancelled') await run.cancel('no longer needed')
    if (ends === 'terminated') await run.terminate('no longer needed')
    return
  }
  try {
    await run.result({ signal: AbortSignal.timeout(runTimeoutMs) })
  } catch (error) {
    // A run may fail: that is an end. One that does not end says why.
    if (error instanceof Error && error.name === 'TimeoutError') throw new Error((await run.explain()).join(' '))
  }
  const isTerminal = ({ type }: { type: string }) => type === 'complete_workflow' || type === 'fail_workflow'
  await until('the last turn is noted', async () => tape.turns.at(-1)?.commands.some(isTerminal) === true)
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const latest = Date.now() + runTimeoutMs
  while (!(await holds())) {
    if (Date.now() > latest) throw new Error(`not within ${runTimeoutMs} ms: ${what}`)
    await pause(3)
  }
}

async function written(run: Run, tape: Tape, taskQueue: string): Promise<RecordedHistory> {
  if (tape.failure !== undefined) throw new Error(`a task failed: ${JSON.stringify(tape.failure)}`)
  if (tape.arguments === undefined) throw new Error('no task was taken')
  const { workflowType, namespace } = await run.describe()
  return {
    schema: 'durable-workflow.recorded-history/v1',
    workflow_type: workflowType,
    workflow_id: run.workflowId,
    run_id: run.runId,
    namespace,
    task_queue: taskQueue,
    payload_codec: 'avro',
    arguments: tape.arguments,
    millisecond_durations: true,
    replay_version: replayVersions.at(-1)?.number ?? 1,
    history_events: await rowsOf(run),
    turns: tape.turns,
  }
}

async function rowsOf(run: Run): Promise<RecordedHistory['history_events']> {
  const rows: RecordedHistory['history_events'] = []
  for await (const { sequence, type, recordedAt, payload } of run.history()) {
    const instant = recordedAt?.toISOString().replace('Z', '000Z') ?? ''
    rows.push({ sequence, event_type: type, recorded_at: instant, payload: { ...payload } })
  }
  return rows
}

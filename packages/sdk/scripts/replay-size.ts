// Measures what a suspended replay really holds, beside what `replay.size` says: the bound of the sticky cache rests on it.
//
//   node --conditions=source --expose-gc packages/sdk/scripts/replay-size.ts
//
// Prints one line of JSON a shape of run: bytes of heap an entry, the estimate, and real / estimate. Estimates must not be below
// the real figure by much: the constants in src/replay/size.ts are made from these lines.

import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import { installGuard } from '../src/guard/guard.ts'
import { activity, signal, type, type WorkflowImplementation, workflow } from '../src/index.ts'
import { createReplay, type Replay } from '../src/replay/replay.ts'

const work = activity('work', { input: type<string>(), output: type<string>() })
const poke = signal('poke', type<string>())
const kept = 1_000

interface Shape {
  readonly flow: WorkflowImplementation
  readonly events: (run: number) => HistoryEvent[]
}

function rows(...payloads: readonly (readonly [string, Record<string, unknown>])[]): HistoryEvent[] {
  return payloads.map(([event_type, payload], index) => ({
    id: `event-${index + 1}`,
    sequence: index + 1,
    event_type,
    payload,
    recorded_at: '2026-11-30T08:00:00.000000Z',
    workflow_task_id: null,
    workflow_command_id: null,
  }))
}

const started = ['WorkflowStarted', { workflow_type: 'x' }] as const
const done = (sequence: number, value: string) =>
  [
    ['ActivityScheduled', { sequence, activity_type: 'work', activity_execution_id: `x-${sequence}` }],
    ['ActivityCompleted', { sequence, activity_type: 'work', result: encodeEnvelope(value), payload_codec: 'avro' }],
  ] as const

const order = activity('order', { output: type<unknown>() })
const orders = workflow('orders', {}, async (ctx) => {
  const kept: unknown[] = []
  for (let index = 0; index < 50; index += 1) kept.push(await ctx.run(order))
  await ctx.sleep('1h')
  return kept
})
const line = (index: number) => ({ sku: `sku-${index}`, count: index, price: index * 1.5, gift: index % 2 === 0 })
const orderOf = (run: number, index: number) => ({
  id: `${run}-${index}`,
  lines: Array.from({ length: 10 }, (_, at) => line(at)),
})

const chain = (length: number, keep: boolean) =>
  workflow('chain', {}, async (ctx) => {
    const results: string[] = []
    for (let index = 0; index < length; index += 1) {
      const result = await ctx.run(work, 'x')
      if (keep) results.push(result)
    }
    await ctx.sleep('1h')
    return results
  })
const chained = (length: number, bytes: number) => (run: number) =>
  rows(started, ...Array.from({ length }, (_, index) => done(index + 1, `${run}-${index}`.padEnd(bytes, 'x'))).flat())

const shapes: Readonly<Record<string, Shape>> = {
  'waits for its first step': {
    flow: workflow('first', {}, async (ctx) => ctx.run(work, 'x')),
    events: () => rows(started),
  },
  'one step of 1 KiB input open': {
    flow: workflow('input', {}, async (ctx) => ctx.run(work, `${ctx.info.runId}`.padEnd(1_024, 'x'))),
    events: () => rows(started),
  },
  '10 steps of 20 bytes done, results forgotten': { flow: chain(10, false), events: chained(10, 20) },
  '100 steps done, results forgotten': { flow: chain(100, false), events: chained(100, 20) },
  '100 steps done, results of 1 KiB kept': { flow: chain(100, true), events: chained(100, 1_024) },
  '50 orders of 10 lines kept': {
    flow: orders,
    events: (run) =>
      rows(
        started,
        ...Array.from(
          { length: 50 },
          (_, index) =>
            [
              'ActivityCompleted',
              { sequence: index + 1, activity_type: 'order', result: encodeEnvelope(orderOf(run, index)) },
            ] as const,
        ),
      ),
  },
  '100 steps open': {
    flow: workflow('fan', {}, async (ctx) => Promise.all(Array.from({ length: 100 }, () => ctx.run(work, 'x')))),
    events: () => rows(started),
  },
  '100 steps open in a group': {
    flow: workflow('group', {}, async (ctx) => ctx.all(Array.from({ length: 100 }, () => ctx.run(work, 'x')))),
    events: () => rows(started),
  },
  '100 signals of 1 KiB unread': {
    flow: workflow('signals', { handles: [poke] }, async (ctx) => ctx.sleep('1h')),
    events: (run) =>
      rows(
        started,
        ...Array.from(
          { length: 100 },
          (_, index) =>
            [
              'SignalReceived',
              {
                signal_id: `s${index}`,
                signal_name: 'poke',
                arguments: encodeArguments([`${run}-${index}`.padEnd(1_024, 'x')]),
              },
            ] as const,
        ),
      ),
  },
}

const guard = installGuard()
const drain = () => new Promise<void>((resolve) => setImmediate(resolve))

function open(flow: WorkflowImplementation, run: number): Replay {
  const replay: Replay = createReplay({
    workflow: flow,
    run: {
      workflowId: `order-${run}`,
      runId: `run-${run}`,
      workflowType: flow.name,
      namespace: 'default',
      taskQueue: 'orders',
      attempt: 1,
      startedAt: 0,
      historyBytes: 0,
      continueAsNewSuggested: false,
    },
    arguments: [],
    capabilities: { millisecondDurations: false },
    drain,
    enter: (fn) => guard.enter(replay, fn),
    inside: () => guard.current() === replay,
    log: () => undefined,
  })
  return replay
}

async function settledHeap(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    await drain()
    globalThis.gc?.()
  }
  return process.memoryUsage().heapUsed
}

async function measure(name: string, { flow, events }: Shape): Promise<void> {
  const warm = open(flow, -1)
  await warm.step(events(-1), {})
  warm.dispose()
  const before = await settledHeap()
  const replays: Replay[] = []
  for (let run = 0; run < kept; run += 1) {
    const replay = open(flow, run)
    await replay.step(events(run), {})
    replays.push(replay)
  }
  const real = Math.round(((await settledHeap()) - before) / kept)
  const estimate = replays.reduce((sum, replay) => sum + replay.size, 0) / kept
  console.log(JSON.stringify({ shape: name, real, estimate, factor: Number((real / estimate).toFixed(2)) }))
  for (const replay of replays) replay.dispose()
}

if (globalThis.gc === undefined) throw new Error('Run it with --expose-gc: without it garbage is measured too.')
for (const [name, shape] of Object.entries(shapes)) await measure(name, shape)
guard.uninstall()

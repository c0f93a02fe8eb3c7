// Runs that the published Python and Rust workers have taken, turn by turn: the same workflow written here answers every
// recorded history with the commands that they sent.
import { existsSync, readFileSync } from 'node:fs'
import { decodeArguments, decodeEnvelope } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { activity, signal, type, type WorkflowImplementation, workflow } from '../../src/index.ts'
import { cold, event, numbered } from './history.ts'

const folder = new URL('../../../../../shared/foreign/', import.meta.url)
const isPresent = existsSync(folder)
if (!isPresent)
  console.warn('SKIPPED: recordings of the published SDKs are not beside the repository (../shared/foreign)')

const Row = z.looseObject({ event_type: z.string(), payload: z.record(z.string(), z.unknown()) })
const Polled = z.object({ task: z.looseObject({ task_id: z.string(), history_events: z.array(Row) }) })
const Command = z.looseObject({ type: z.string() })
const Completed = z.object({ commands: z.array(Command) })
type Command = z.infer<typeof Command>
// One name for each of the two recorders' words.
const Line = z
  .looseObject({ path: z.string() })
  .transform(({ path, ...line }) => ({ path, sent: line.request ?? line.body, got: line.response ?? line.reply }))

interface Turn {
  readonly history: HistoryEvent[]
  readonly commands: readonly Command[]
}

/** What the worker was given and what it sent, for every completed workflow task. */
function turnsOf(file: string): Turn[] {
  const given = new Map<string, HistoryEvent[]>()
  const turns: Turn[] = []
  for (const text of readFileSync(new URL(file, folder), 'utf8').trim().split('\n')) {
    const line = Line.parse(JSON.parse(text))
    const polled = line.path.endsWith('/workflow-tasks/poll') ? Polled.safeParse(line.got) : undefined
    if (polled?.success === true) {
      const { task_id: id, history_events: rows } = polled.data.task
      given.set(
        id,
        numbered(
          rows.map((row) => event(row.event_type, row.payload)),
          1,
        ),
      )
    }
    const history = given.get(/\/workflow-tasks\/([^/]+)\/complete$/.exec(line.path)?.[1] ?? '')
    if (history !== undefined) turns.push({ history, commands: Completed.parse(line.sent).commands })
  }
  return turns
}

/** What must be the same: all but queue and retry policy, which each SDK fills in its own way; payloads by their values. */
function compared(command: Command): Record<string, unknown> {
  const { queue: _queue, retry_policy: _policy, arguments: args, result, ...rest } = command
  return {
    ...rest,
    ...(args === undefined ? {} : { arguments: decodeArguments(args) }),
    ...(result === undefined ? {} : { result: decodeEnvelope(result) }),
  }
}

const add = activity('py.add', { args: [type<number>(), type<number>()], output: type<number>() })
const slowEcho = activity('py.slow_echo', { args: [type<string>(), type<number>()], output: type<string>() })
const double = activity('double', { input: type<number>(), output: type<number>() })
const note = signal('note', type<string>())

const pyParallel = workflow('py.Parallel', { output: type<unknown>() }, async (ctx) => {
  const first = await ctx.run(add, [0, 1])
  const values = await ctx.all([
    ctx.run(slowEcho, ['a', 0.6]),
    ctx.run(slowEcho, ['b', 0]),
    ctx.run(slowEcho, ['c', 0.3]),
  ])
  return { values, last: await ctx.run(add, [first, values.length]) }
})

const pyWaitingGroup = workflow('py.WaitingGroup', { output: type<unknown>(), handles: [note] }, async (ctx) => {
  const notes: string[] = []
  ctx.handle(note, (text) => void notes.push(text))
  const echoed = await ctx.all([ctx.run(slowEcho, ['slow', 1.5]), ctx.run(slowEcho, ['quick', 0.1])])
  return { echoed, notes }
})

/** `drawn` stands for chance: what the recorded run drew, so that its first turn can be compared too. */
const pyMarkers = (drawn: unknown) =>
  workflow('py.Markers', { output: type<unknown>() }, async (ctx) => {
    const found = await ctx.sideEffect('draw', () => drawn)
    const version = ctx.version('pricing', { min: 1, max: 3 })
    const patched = ctx.version('rounding', { min: -1, max: 1 }) === 1
    await ctx.sleep('1s')
    const total = await ctx.run(add, [version, ctx.version('pricing', { min: 1, max: 3 })])
    return { drawn: found, version, patched, total }
  })

const rsEffect = (drawn: unknown) =>
  workflow('rs.effect', { output: type<unknown>() }, async (ctx) => {
    const first = await ctx.sideEffect('uuid', () => drawn)
    const version = ctx.version('change-1', { min: 1, max: 2 })
    await ctx.sleep('1s')
    const second = await ctx.sideEffect('second', () => 'second')
    return [String(first).length, second, version, ctx.version('change-1', { min: 1, max: 2 })]
  })

const rsParallel = workflow('rs.parallel', { output: type<unknown>() }, async (ctx) =>
  ctx.all([1, 2, 3].map((number) => ctx.run(double, number))),
)

/** The value of the first side effect of a recording. */
const drawnIn = (turns: readonly Turn[]) =>
  decodeEnvelope(turns.flatMap(({ commands }) => commands).find(({ type }) => type === 'record_side_effect')?.result)

describe.skipIf(!isPresent)('recorded turns', () => {
  it.each<[string, number, (turns: readonly Turn[]) => WorkflowImplementation]>([
    ['python/recordings/parallel.jsonl', 4, () => pyParallel],
    ['python/recordings/waiting_group.jsonl', 2, () => pyWaitingGroup],
    ['python/recordings/markers.jsonl', 3, (turns) => pyMarkers(drawnIn(turns))],
    ['rust/recordings/side-effect.jsonl', 2, (turns) => rsEffect(drawnIn(turns))],
    ['rust/recordings/parallel.jsonl', 2, () => rsParallel],
  ])('%s: %i turns, the same commands', async (file, count, flowOf) => {
    const turns = turnsOf(file)
    expect(turns).toHaveLength(count)
    for (const { history, commands } of turns) {
      const step = await cold(flowOf(turns), history)
      expect(step.commands.map(compared)).toEqual(commands.map(compared))
    }
  })
})

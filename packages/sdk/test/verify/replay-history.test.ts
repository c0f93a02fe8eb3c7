// Recorded histories against today's code, as a program outside of a worker proves it.
//
//   ways a history comes · what is found · where it starts over · what is no history
import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { ContractError, type WorkflowImplementation, workflow } from '../../src/index.ts'
import { type HistoryInput, type ReplayHistoryOptions, type ReplayReport, replayHistory } from '../../src/replay.ts'
import {
  completed,
  event,
  history,
  numbered,
  scheduled,
  startedAt,
  type TestEvent,
  timerFired,
  timerScheduled,
} from '../replay/history.ts'
import { approved, charge, email } from '../replay/shop.ts'

const buy = workflow('buy', { input: z.object({ cents: z.int() }), output: z.string() }, async (ctx, { cents }) => {
  const payment = await ctx.run(charge, { cents })
  await ctx.sleep('5s')
  return `${payment} at ${ctx.now()}`
})
const input = { cents: 7 }
const output = `p1 at ${startedAt + 4_000}`
const ended = event('WorkflowCompleted', { output: encodeEnvelope(output) })
const closed = [scheduled(1, 'charge'), completed(1, 'p1'), timerScheduled(2, 5), timerFired(2, 5), ended]

const recorded = (...rows: readonly TestEvent[]) =>
  numbered(
    [
      event('WorkflowStarted', { workflow_type: 'buy', workflow_instance_id: 'order-1', workflow_run_id: 'run-1' }),
      ...rows,
    ],
    1,
  )

const replayed = (flow: WorkflowImplementation, events: HistoryInput, options: ReplayHistoryOptions = { input }) =>
  replayHistory(flow, events, options)

const reasonOf = (report: ReplayReport) => (report.ok ? 'ok' : report.mismatch.reason)

/** Rows as `handle.history()` yields them. */
const asClient = (events: readonly HistoryEvent[]) =>
  events.map(({ sequence, event_type, recorded_at, payload }) => ({
    sequence,
    type: event_type,
    recordedAt: new Date(recorded_at),
    payload,
  }))

describe('a history comes', () => {
  const events = recorded(...closed)
  const flowing = async function* () {
    yield* asClient(events)
  }
  it.each<[string, () => HistoryInput, ReplayHistoryOptions]>([
    ['as rows of the wire', () => events, { input }],
    ['as the client yields it', flowing, { input }],
    ['as a list of what the client yields', () => asClient(events), { input }],
    ['as an export', () => ({ history_events: events }), { input }],
    ['as an export that has the arguments', () => ({ events, arguments: encodeArguments([input]) }), {}],
    ['through JSON', () => JSON.parse(JSON.stringify({ history: asClient(events) })), { input }],
  ])('%s', async (_name, open, options) => {
    expect(await replayHistory(buy, open(), options)).toEqual({
      ok: true,
      events: 6,
      steps: 2,
      replays: 4,
      ending: 'completed',
    })
  })
})

describe('what is found', () => {
  it.each<[string, readonly TestEvent[], string]>([
    ['a run that waits', closed.slice(0, 3), 'open'],
    ['a run that has just begun', [], 'open'],
    ['a run whose task is under way', closed.slice(0, 2), 'open'],
    ['a run that was cancelled', [...closed.slice(0, 1), event('WorkflowCancelled', {})], 'closed'],
    [
      'a run that was cancelled when the code was at its end',
      [...closed.slice(0, 4), event('WorkflowCancelled', {})],
      'closed',
    ],
    [
      'a run that a server failed',
      [event('WorkflowFailed', { message: 'too large', failure_category: 'structural_limit' })],
      'closed',
    ],
  ])('%s fits: %s', async (_name, rows, ending) => {
    expect(await replayed(buy, recorded(...rows))).toMatchObject({ ok: true, ending })
  })

  const failing = workflow('buy', {}, async () => {
    throw new RangeError('out of stock')
  })
  const failed = (fields: Record<string, unknown>) =>
    recorded(event('WorkflowFailed', { failure_category: 'application', exception_type: 'RangeError', ...fields }))

  test('a run that its code failed fits with the same failure', async () => {
    expect(await replayed(failing, failed({ message: 'out of stock' }), {})).toMatchObject({
      ok: true,
      ending: 'failed',
    })
  })

  it.each<[string, WorkflowImplementation, HistoryEvent[], string]>([
    ['another message of the failure', failing, failed({ message: 'sold out' }), 'recorded_failure_mismatch'],
    [
      'another type of the failure',
      failing,
      failed({ exception_type: 'Error', message: 'out of stock' }),
      'recorded_failure_mismatch',
    ],
    ['a failure where the code goes on', buy, failed({ message: 'out of stock' }), 'recorded_command_mismatch'],
    ['another call', buy, recorded(scheduled(1, 'refund')), 'activity_identity_mismatch'],
    [
      'a call too many in history',
      buy,
      recorded(...closed.slice(0, 4), timerScheduled(3, 5)),
      'recorded_commands_unconsumed',
    ],
    ['an end that the code does not come to', buy, recorded(...closed.slice(0, 2), ended), 'recorded_command_mismatch'],
    [
      'a result with other bytes',
      buy,
      recorded(...closed.slice(0, 4), event('WorkflowCompleted', { output: encodeEnvelope('p2') })),
      'recorded_result_mismatch',
    ],
    [
      'a call before the end that history does not have',
      workflow('buy', { input: buy.input }, async (ctx, order) => {
        const result = await buy.fn(ctx, order)
        void ctx.run(email, 'thanks')
        return result
      }),
      recorded(...closed),
      'recorded_command_mismatch',
    ],
    [
      'code that does what the guard refuses',
      workflow('buy', { input: buy.input }, async () => fetch('http://127.0.0.1:9/')),
      recorded(),
      'not_deterministic',
    ],
  ])('%s is a mismatch', async (_name, flow, events, reason) => {
    const report = await replayed(flow, events)
    expect(reasonOf(report)).toBe(reason)
    expect(report).toMatchObject({ ok: false, events: events.length })
  })

  test('the mismatch says run, step, both commands and what to do', async () => {
    const report = await replayed(buy, recorded(...closed.slice(0, 2), timerScheduled(2, 6)))
    expect(report).toMatchObject({
      mismatch: {
        name: 'NonDeterminismError',
        facts: {
          workflowId: 'order-1',
          runId: 'run-1',
          sequence: 2,
          historySequence: 4,
          expected: 'TimerScheduled 6 s',
        },
        remedy: expect.stringContaining('Deploy code'),
      },
    })
  })

  test('the clock of the process is restored, whatever was found', async () => {
    const { now } = Date
    await replayed(buy, recorded(...closed))
    await replayed(buy, recorded(scheduled(1, 'refund')))
    expect(Date.now).toBe(now)
  })
})

describe('it starts over', () => {
  test('before the rows of every task, and finds code that only a second start gives away', async () => {
    let starts = 0
    const flow = workflow('buy', {}, async (ctx) => {
      starts += 1
      await ctx.sleep(starts === 3 ? '6s' : '5s')
      await ctx.sleep('5s')
    })
    const rows = [
      timerScheduled(1, 5),
      timerFired(1, 5),
      timerScheduled(2, 5),
      timerFired(2, 5),
      event('WorkflowCompleted', {}),
    ]
    expect(reasonOf(await replayed(flow, recorded(...rows), {}))).toBe('timer_delay_mismatch')
    expect(starts).toBe(3)
    expect(reasonOf(await replayed(flow, recorded(...rows), { cuts: 2 }))).toBe('ok')
    expect(starts).toBe(6)
  })

  test('runs no side effect, and takes every version from history', async () => {
    let computed = 0
    const flow = workflow('buy', {}, async (ctx) => {
      const version = ctx.version('pack-first', { max: 3 })
      const drawn = await ctx.sideEffect('draw', () => (computed += 1))
      await ctx.sleep('5s')
      const later = ctx.version('later', { max: 1 })
      return [version, drawn, later, await ctx.sideEffect('draw', () => (computed += 1))]
    })
    const rows = [
      event('VersionMarkerRecorded', {
        sequence: 1,
        change_id: 'pack-first',
        version: 2,
        min_supported: -1,
        max_supported: 2,
      }),
      event('SideEffectRecorded', { sequence: 2, result: encodeEnvelope(5) }),
      timerScheduled(3, 5),
      timerFired(3, 5),
      event('SideEffectRecorded', { sequence: 4, result: encodeEnvelope(6) }),
      event('WorkflowCompleted', { output: encodeEnvelope([2, 5, -1, 6]) }),
    ]
    expect(await replayed(flow, recorded(...rows), {})).toMatchObject({ ok: true, steps: 4, ending: 'completed' })
    expect(computed).toBe(0)
  })

  test('a row that arrived while a task was under way is told from what the task saw', async () => {
    const flow = workflow('buy', {}, async (ctx) => {
      const later = ctx.run(charge, { cents: 1 }).then(() => ctx.run(email, 'paid'))
      await ctx.sleep('1s')
      await ctx.sleep('2s')
      await later
    })
    const rows = [
      scheduled(1, 'charge'),
      timerScheduled(2, 1),
      timerFired(2, 1),
      completed(1, 'p1'),
      timerScheduled(3, 2),
      scheduled(4, 'email'),
      completed(4, null),
      timerFired(3, 2),
      event('WorkflowCompleted', {}),
    ]
    expect(await replayed(flow, recorded(...rows), {})).toMatchObject({ ok: true, ending: 'completed' })
  })
})

describe('no history', () => {
  it.each<[string, HistoryInput, string]>([
    ['nothing', [], 'invalid_history'],
    ['rows without the start', history().slice(1), 'invalid_history'],
    ['an object that is no export', JSON.parse('{ "rows": [] }'), 'invalid_history'],
    ['a row without a type', [{ sequence: 1, payload: {} }], 'invalid_history'],
    ['a payload that is text', [{ sequence: 1, type: 'WorkflowStarted', payload: 'x' }], 'invalid_history'],
    ['a position that is none', [{ sequence: 'first', type: 'WorkflowStarted' }], 'invalid_history'],
    [
      'a result that no codec reads',
      recorded(
        scheduled(1, 'charge'),
        event('ActivityCompleted', { sequence: 1, result: 'AA==', payload_codec: 'json' }),
      ),
      'invalid_history',
    ],
    ['arguments that are no payload', { events: recorded(), arguments: 7 }, 'invalid_history'],
    ['the history of another workflow', history(), 'history_of_another_workflow'],
  ])('%s', async (_name, rows, reason) => {
    const error = await replayed(buy, rows).catch((caught: unknown) => caught)
    expect(ContractError.is(error) && error.reason).toBe(reason)
  })

  test('without the input that the contract declares', async () => {
    await expect(replayHistory(buy, recorded())).rejects.toMatchObject({
      reason: 'history_without_input',
      message: expect.stringContaining('{ input }'),
    })
    await expect(replayHistory(buy, recorded(), { input: { cents: 'many' } })).rejects.toMatchObject({
      reason: 'invalid_input',
    })
  })

  test('a workflow that waits for a signal needs none', async () => {
    const waiting = workflow('buy', { handles: [approved] }, async (ctx) => (await ctx.waitFor(approved)).by)
    expect(await replayHistory(waiting, recorded())).toMatchObject({ ok: true, ending: 'open' })
  })
})

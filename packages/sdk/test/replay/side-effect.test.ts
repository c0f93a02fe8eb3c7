// Side effects: computed once, then what history holds.
import { decodeEnvelope, encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, it } from 'vitest'
import { activity, signal, type, workflow } from '../../src/index.ts'
import { cold, completed, event, history, openReplay, scheduled, timerScheduled } from './history.ts'

const charge = activity('charge', { output: type<string>() })
const poke = signal('poke')

const effect = (sequence: number, value: unknown) =>
  event('SideEffectRecorded', { sequence, result: encodeEnvelope(value), payload_codec: 'avro' })

describe('side effect', () => {
  /** A workflow with one side effect that counts how often it is computed. */
  function drawing(fn: () => unknown) {
    let computed = 0
    const flow = workflow('drawing', {}, async (ctx) => {
      const drawn = await ctx.sideEffect('draw', () => {
        computed += 1
        return fn()
      })
      await ctx.run(charge)
      return drawn
    })
    return { flow, computed: () => computed }
  }

  it('is computed once, its value travels with the commands of the same turn', async () => {
    const { flow, computed } = drawing(() => ({ seat: '1A' }))
    const step = await cold(flow, history())
    expect(step.commands).toMatchObject([
      { type: 'record_side_effect', result: encodeEnvelope({ seat: '1A' }) },
      { type: 'schedule_activity' },
    ])
    expect(step.steps).toEqual([1, 2])
    expect(computed()).toBe(1)
  })

  it('is not computed where history has it: the code gets what was recorded', async () => {
    const { flow, computed } = drawing(() => 'another')
    const step = await cold(flow, history(effect(1, 'first'), scheduled(2, 'charge'), completed(2, 'p1')))
    expect(step.outcome.kind).toBe('completed')
    const [end] = step.commands
    expect(end?.type === 'complete_workflow' && decodeEnvelope(end.result)).toBe('first')
    expect(computed()).toBe(0)
  })

  it('is not computed again in a kept replay whose next events show it', async () => {
    const { flow, computed } = drawing(() => 'once')
    const { replay } = openReplay(flow)
    const rows = history(effect(1, 'once'), scheduled(2, 'charge'), completed(2, 'p1'))
    await replay.step(rows.slice(0, 1), {})
    const step = await replay.step(rows.slice(1), {})
    const [end] = step.commands
    expect(end?.type === 'complete_workflow' && decodeEnvelope(end.result)).toBe('once')
    expect(computed()).toBe(1)
  })

  it('gives the first run the very value that a replay will get', async () => {
    const seen: unknown[] = []
    const flow = workflow('plain', {}, async (ctx) => {
      seen.push(await ctx.sideEffect('nothing', () => undefined))
      seen.push(await ctx.sideEffect('members', () => ({ kept: 1, left: undefined })))
    })
    const { commands } = await cold(flow, history())
    const recorded = commands.flatMap((command) => (command.type === 'record_side_effect' ? [command.result] : []))
    expect(seen).toEqual([null, { kept: 1 }])
    const rows = recorded.map((result, index) => event('SideEffectRecorded', { sequence: index + 1, result }))
    await cold(flow, history(...rows))
    expect(seen.slice(2)).toEqual(seen.slice(0, 2))
  })

  it('reads the bare payload that other SDKs write', async () => {
    const { flow } = drawing(() => 'another')
    const bare = event('SideEffectRecorded', {
      sequence: 1,
      result: encodeEnvelope('bare').blob,
      payload_codec: 'avro',
    })
    const step = await cold(flow, history(bare, scheduled(2, 'charge'), completed(2, 'p1')))
    const [end] = step.commands
    expect(end?.type === 'complete_workflow' && decodeEnvelope(end.result)).toBe('bare')
  })

  it('of two branches: each gets the value at its own step, in authored order', async () => {
    const flow = workflow('branches', {}, async (ctx) => {
      const branch = async (name: string) => [name, await ctx.sideEffect(name, () => 'new'), await ctx.run(charge)]
      return Promise.all([branch('a'), branch('b')])
    })
    const rows = [effect(1, 'of a'), effect(2, 'of b'), scheduled(3, 'charge'), scheduled(4, 'charge')]
    const step = await cold(flow, history(...rows, completed(4, 'B'), completed(3, 'A')))
    const [end] = step.commands
    expect(end?.type === 'complete_workflow' && decodeEnvelope(end.result)).toEqual([
      ['a', 'of a', 'A'],
      ['b', 'of b', 'B'],
    ])
  })

  it('in a signal handler of a long tail is computed for each signal', async () => {
    let computed = 0
    const flow = workflow('tail', { handles: [poke] }, async (ctx) => {
      ctx.handle(poke, async () => {
        computed += await ctx.sideEffect('one', () => 1)
      })
      await ctx.run(charge)
    })
    const signals = Array.from({ length: 500 }, (_, index) =>
      event('SignalReceived', { signal_id: `s${index}`, signal_name: 'poke' }),
    )
    const step = await cold(flow, history(scheduled(1, 'charge'), ...signals))
    expect(step.commands).toHaveLength(500)
    expect(computed).toBe(500)
  })

  it('runs out of the guard, and may not call ctx', async () => {
    const entered: string[] = []
    const flow = workflow('outside', {}, async (ctx) => {
      await ctx.sideEffect('out', () => entered.push('computed'))
    })
    await cold(flow, history(), {
      outside: (fn) => {
        entered.push('outside')
        return fn()
      },
    })
    expect(entered).toEqual(['outside', 'computed'])
    const calling = workflow('calling', {}, async (ctx) => {
      await ctx.sideEffect('in', () => ctx.uuid())
    })
    await expect(cold(calling, history())).rejects.toMatchObject({
      name: 'GuardError',
      reason: 'side_effect_failed',
      cause: { reason: 'context_in_side_effect' },
    })
  })

  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new RangeError('no seats')
      },
      'side_effect_failed',
    ],
    ['is no data', () => Symbol('x'), 'side_effect_failed'],
    ['is a promise', async () => 1, 'side_effect_asynchronous'],
    ['is too large', () => 'x'.repeat(2_000), 'payload_too_large'],
  ])('that %s fails the task, not the run, also where the code catches it', async (_name, fn, reason) => {
    const flow = workflow('failing', {}, async (ctx) => {
      try {
        // The compiler refuses an asynchronous function; plain JavaScript does not.
        await ctx.sideEffect('draw', () => fn())
      } catch {
        return 'caught'
      }
      return 'went on'
    })
    await expect(cold(flow, history(), { payloadBytesMax: 1_000 })).rejects.toMatchObject({
      reason,
      message: expect.stringContaining('draw'),
    })
  })

  it('is not computed for a query that comes before its task', async () => {
    const { flow, computed } = drawing(() => 'x')
    const { replay } = openReplay(flow)
    expect((await replay.step(history(), { readOnly: true })).commands).toEqual([])
    expect(computed()).toBe(0)
  })

  it('is not computed in a run that closed before it', async () => {
    const { flow, computed } = drawing(() => 'x')
    await cold(flow, history(event('WorkflowTerminated', {})))
    expect(computed()).toBe(0)
  })

  it('another step in history at its place is a mismatch with both places', async () => {
    const { flow, computed } = drawing(() => 'x')
    await expect(cold(flow, history(timerScheduled(1, 5)))).rejects.toMatchObject({
      name: 'NonDeterminismError',
      reason: 'recorded_command_mismatch',
      facts: {
        runId: 'run-1',
        sequence: 1,
        expected: 'TimerScheduled 5 s',
        actual: 'record_side_effect',
        actualPlace: expect.stringMatching(/side-effect\.test\.ts:\d+:\d+$/),
      },
    })
    expect(computed()).toBe(0)
  })
})

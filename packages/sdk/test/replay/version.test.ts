// Versions: what a run is pinned to, known at the call.
import { decodeEnvelope } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import { describe, expect, it } from 'vitest'
import { activity, query, type, type WorkflowContext, workflow } from '../../src/index.ts'
import { cold, completed, event, history, numbered, openReplay, scheduled, type TestEvent } from './history.ts'

const charge = activity('charge', { output: type<string>() })
const pack = activity('pack', { output: type<string>() })

const marker = (sequence: number, change_id: string, version: unknown, more: Record<string, unknown> = {}) =>
  event('VersionMarkerRecorded', { sequence, change_id, version, min_supported: -1, max_supported: 9, ...more })

describe('version', () => {
  const asking = (max: number, min?: number) =>
    workflow('asking', {}, async (ctx) => {
      const version = ctx.version('packing', { max, min })
      if (version >= 2) await ctx.run(pack)
      await ctx.run(charge)
      return version
    })
  const sent = async (rows: HistoryEvent[], flow = asking(2)) =>
    (await cold(flow, rows)).commands.map((command) =>
      command.type === 'schedule_activity' ? command.activity_type : command.type,
    )

  it('of a new run is the newest, recorded with the range of the code', async () => {
    const step = await cold(asking(2, 1), history())
    expect(step.commands).toMatchObject([
      { type: 'record_version_marker', change_id: 'packing', version: 2, min_supported: 1, max_supported: 2 },
      { type: 'schedule_activity', activity_type: 'pack' },
    ])
    expect(step.steps).toEqual([1, 2])
  })

  it('of a run with a marker is the recorded one, whatever the newest is now', async () => {
    expect(await sent(history(marker(1, 'packing', 2)), asking(5))).toEqual(['pack'])
    expect(await sent(history(marker(1, 'packing', 1)), asking(5))).toEqual(['charge'])
  })

  it('of a run that was past the place before the change is -1, and takes no step', async () => {
    const step = await cold(asking(2), history(scheduled(1, 'charge'), completed(1, 'p1')))
    const [end] = step.commands
    expect(end?.type === 'complete_workflow' && decodeEnvelope(end.result)).toBe(-1)
  })

  it('of a run that closed without a marker is -1', async () => {
    const flow = workflow('closed', {}, async (ctx) => {
      ctx.version('packing', { max: 2 })
    })
    expect(await cold(flow, history(event('WorkflowCompleted', {})))).toMatchObject({ outcome: { kind: 'completed' } })
  })

  it('of a run that was closed from outside before the call is the newest: nothing says that it passed there', async () => {
    const view = query('view', { output: type<number>() })
    const flow = workflow('stopped', { handles: [view] }, async (ctx) => {
      let seen = 0
      ctx.handle(view, () => seen)
      await ctx.run(charge)
      seen = ctx.version('packing', { max: 3, min: 2 })
    })
    const { replay } = openReplay(flow)
    const rows = [scheduled(1, 'charge'), completed(1, 'p1'), event('WorkflowTerminated', {})]
    expect((await replay.step(history(...rows), { readOnly: true })).commands).toEqual([])
    expect(await replay.query('view', [])).toBe(3)
  })

  it('leaves the order of branches as it was: an old run replays with the call put into one of them', async () => {
    const branches = (change: (ctx: WorkflowContext<never>) => void) =>
      workflow('branches', {}, async (ctx) => {
        const first = async () => {
          change(ctx)
          return ctx.run(charge)
        }
        return Promise.all([first(), ctx.run(pack)])
      })
    const old = history(scheduled(1, 'charge'), scheduled(2, 'pack'), completed(1, 'c'), completed(2, 'p'))
    const asked = branches((ctx) => void ctx.version('packing', { max: 1 }))
    expect(await cold(asked, old)).toMatchObject({ outcome: { kind: 'completed' } })
  })

  it('is decided once a change: the second call takes no step, and a marker for it is passed over', async () => {
    const twice = workflow('twice', {}, async (ctx) => {
      const versions = [ctx.version('packing', { max: 2 }), ctx.version('packing', { max: 2 })]
      await ctx.run(charge)
      return versions
    })
    expect((await cold(twice, history())).commands.map(({ type }) => type)).toEqual([
      'record_version_marker',
      'schedule_activity',
    ])
    const each = history(marker(1, 'packing', 2), marker(2, 'packing', 2), scheduled(3, 'charge'), completed(3, 'x'))
    expect(await cold(twice, each)).toMatchObject({ outcome: { kind: 'completed' } })
    const conflicting = history(marker(1, 'packing', 2), marker(2, 'packing', 1), scheduled(3, 'charge'))
    await expect(cold(twice, conflicting)).rejects.toMatchObject({
      name: 'NonDeterminismError',
      facts: { sequence: 2 },
    })
  })

  it('a call put before another one is -1 in runs that have only the other', async () => {
    const both = workflow('both', {}, async (ctx) => {
      const versions = [ctx.version('newer', { max: 1 }), ctx.version('older', { max: 3 })]
      await ctx.run(charge)
      return versions
    })
    const step = await cold(both, history(marker(1, 'older', 2), scheduled(2, 'charge'), completed(2, 'x')))
    const [end] = step.commands
    expect(end?.type === 'complete_workflow' && decodeEnvelope(end.result)).toEqual([-1, 2])
  })

  it('of a kept replay stays when its marker shows', async () => {
    const { replay } = openReplay(asking(2))
    const rows = history(marker(1, 'packing', 2), scheduled(2, 'pack'), completed(2, 'x'))
    await replay.step(rows.slice(0, 1), {})
    expect((await replay.step(rows.slice(1), {})).commands).toMatchObject([{ activity_type: 'charge' }])
  })

  it.each<[string, TestEvent[], { readonly max: number; readonly min: number }, string, string]>([
    [
      'too old for the code',
      [marker(1, 'packing', 1)],
      { max: 3, min: 2 },
      'version_marker_incompatible_range',
      'version 1',
    ],
    [
      'from before the change',
      [scheduled(1, 'charge')],
      { max: 3, min: 1 },
      'version_marker_incompatible_range',
      'version -1, from before the change',
    ],
    [
      'newer than the code',
      [marker(1, 'packing', 4)],
      { max: 3, min: -1 },
      'version_marker_incompatible_range',
      'version 4',
    ],
    [
      'no whole number',
      [marker(1, 'packing', '2')],
      { max: 3, min: -1 },
      'version_marker_history_range_invalid',
      'whole numbers',
    ],
    [
      'outside of its own range',
      [marker(1, 'packing', 2, { max_supported: 1 })],
      { max: 3, min: -1 },
      'version_marker_history_range_invalid',
      'between',
    ],
  ])(
    '%s: a mismatch that says the range, the version and what to do',
    async (_name, rows, { max, min }, reason, text) => {
      const error = await cold(asking(max, min), history(...rows)).catch((caught: unknown) => caught)
      expect(error).toMatchObject({
        name: 'NonDeterminismError',
        reason,
        message: expect.stringContaining(text),
        facts: {
          runId: 'run-1',
          sequence: 1,
          actual: `record_version_marker "packing" version ${min} to ${max}`,
          actualPlace: expect.stringMatching(/version\.test\.ts:\d+:\d+$/),
        },
      })
    },
  )

  it('renamed is named with the call that asked for the other change', async () => {
    await expect(cold(asking(2), history(marker(1, 'wrapping', 2), scheduled(2, 'pack')))).rejects.toMatchObject({
      reason: 'version_change_id_mismatch',
      facts: { sequence: 1, expected: 'VersionMarkerRecorded "wrapping" version 2' },
      message: expect.stringContaining('ctx.version(packing)'),
    })
  })

  it('that changed places with another call is a mismatch at its own call', async () => {
    const swapped = workflow('swapped', {}, async (ctx) => {
      ctx.version('b', { max: 1 })
      ctx.version('a', { max: 1 })
      await ctx.run(charge)
    })
    await expect(cold(swapped, history(marker(1, 'a', 1), marker(2, 'b', 1)))).rejects.toMatchObject({
      reason: 'version_change_id_mismatch',
      facts: { sequence: 1 },
      message: expect.stringContaining('ctx.version(b)'),
    })
  })

  it.each([
    ['min above max', 'x', { max: 1, min: 2 }, 'version_range_invalid'],
    ['a fraction', 'x', { max: 1.5 }, 'version_range_invalid'],
    ['beyond 32 bits', 'x', { max: 2_147_483_648 }, 'version_range_invalid'],
    ['no id', '', { max: 1 }, 'version_change_id_invalid'],
  ])('%s fails the task with what is allowed', async (_name, id, options, reason) => {
    const flow = workflow('wrong', {}, async (ctx) => {
      ctx.version(id, options)
    })
    await expect(cold(flow, history())).rejects.toMatchObject({ name: 'GuardError', reason })
  })

  it('fails the task also where the code catches the mismatch', async () => {
    const flow = workflow('catching', {}, async (ctx) => {
      try {
        return ctx.version('packing', { max: 3, min: 2 })
      } catch {
        return -2
      }
    })
    await expect(cold(flow, history(marker(1, 'packing', 1)))).rejects.toMatchObject({ name: 'NonDeterminismError' })
  })

  it('follows histories that number with gaps', async () => {
    const rows = [scheduled(3, 'charge'), completed(3, 'a'), marker(7, 'packing', 1), scheduled(9, 'charge')]
    const flow = workflow('gaps', {}, async (ctx) => {
      await ctx.run(charge)
      const version = ctx.version('packing', { max: 4 })
      await ctx.run(charge)
      return version
    })
    const step = await cold(flow, numbered([event('WorkflowStarted', {}), ...rows, completed(9, 'b')], 1))
    const [end] = step.commands
    expect(end?.type === 'complete_workflow' && decodeEnvelope(end.result)).toBe(1)
  })
})

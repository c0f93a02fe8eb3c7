// `ctx.all`: one wire group, and what may be a member.
import { decodeEnvelope } from '@durable-workflow/codec'
import type { Command } from '@durable-workflow/protocol'
import { describe, expect, it } from 'vitest'
import { activity, type GroupMember, signal, type, type WorkflowContext, workflow } from '../../src/index.ts'
import { cold, completed, event, failed, history, numbered, openReplay, scheduled, type TestEvent } from './history.ts'

const charge = activity('charge', { output: type<string>() })
const pack = activity('pack', { output: type<string>() })
const nudged = signal('nudged')

const entry = (id: string, kind: string, base: number, size: number, index: number) => ({
  parallel_group_id: id,
  parallel_group_kind: kind,
  parallel_group_base_sequence: base,
  parallel_group_size: size,
  parallel_group_index: index,
})
type Entry = ReturnType<typeof entry>
const path = (...entries: readonly Entry[]) => ({ ...entries.at(-1), parallel_group_path: entries })
const inGroup = (one: TestEvent, ...entries: readonly Entry[]): TestEvent => ({
  ...one,
  payload: { ...one.payload, ...path(...entries) },
})

const flow = (body: (ctx: WorkflowContext<typeof nudged>) => Promise<unknown>) =>
  workflow('flow', { output: type<unknown>(), handles: [nudged] }, body)
const resultOf = ([command]: readonly Command[]) =>
  command?.type === 'complete_workflow' ? decodeEnvelope(command.result) : command

describe('on the wire', () => {
  it('every member carries the group, its place, and the path', async () => {
    const { commands, steps } = await cold(
      flow((ctx) => ctx.all([ctx.run(charge), ctx.run(pack)])),
      history(),
    )
    const id = 'parallel-activities:1:2'
    expect(commands).toMatchObject([
      { type: 'schedule_activity', activity_type: 'charge', ...path(entry(id, 'activity', 1, 2, 0)) },
      { type: 'schedule_activity', activity_type: 'pack', ...path(entry(id, 'activity', 1, 2, 1)) },
    ])
    expect(steps).toEqual([1, 2])
  })

  it('timers are a group of timers; two kinds are mixed; steps before it move its base', async () => {
    const { commands } = await cold(
      flow(async (ctx) => {
        ctx.version('before', { max: 1 })
        return ctx.all([ctx.sleep('5s'), ctx.run(charge)])
      }),
      history(),
    )
    expect(commands.slice(1)).toMatchObject([
      { type: 'start_timer', ...path(entry('parallel-calls:2:2', 'mixed', 2, 2, 0)) },
      { type: 'schedule_activity', ...path(entry('parallel-calls:2:2', 'mixed', 2, 2, 1)) },
    ])
    const timers = await cold(
      flow((ctx) => ctx.all([ctx.sleep('5s')])),
      history(),
    )
    expect(timers.commands).toMatchObject([{ ...path(entry('parallel-timers:1:1', 'timer', 1, 1, 0)) }])
  })

  it('groups within a group count flattened leaves', async () => {
    const { commands } = await cold(
      flow((ctx) => ctx.all([ctx.run(charge), ctx.all([ctx.sleep('1s'), ctx.sleep('2s')]), ctx.run(pack)])),
      history(),
    )
    const outer = (index: number) => entry('parallel-calls:1:4', 'mixed', 1, 4, index)
    const inner = (index: number) => entry('parallel-timers:2:2', 'timer', 2, 2, index)
    expect(commands).toMatchObject([path(outer(0)), path(outer(1), inner(0)), path(outer(2), inner(1)), path(outer(3))])
  })

  it('members of one group may lie at several depths', async () => {
    const { commands } = await cold(
      flow((ctx) =>
        ctx.all([
          ctx.run(charge),
          ctx.all([ctx.run(pack), ctx.all([ctx.sleep('1s'), ctx.sleep('2s')])]),
          ctx.run(pack),
        ]),
      ),
      history(),
    )
    const outer = (index: number) => entry('parallel-calls:1:5', 'mixed', 1, 5, index)
    const middle = (index: number) => entry('parallel-calls:2:3', 'mixed', 2, 3, index)
    const inner = (index: number) => entry('parallel-timers:3:2', 'timer', 3, 2, index)
    expect(commands).toMatchObject([
      path(outer(0)),
      path(outer(1), middle(0)),
      path(outer(2), middle(1), inner(0)),
      path(outer(3), middle(2), inner(1)),
      path(outer(4)),
    ])
  })

  it('an empty group costs nothing, also within another', async () => {
    const step = await cold(
      flow(async (ctx) => [await ctx.all([]), await ctx.all([ctx.all([])])]),
      history(),
    )
    expect(resultOf(step.commands)).toEqual([[], [[]]])
    expect(step.steps).toEqual([undefined])
  })

  it('Promise.all stays separate commands', async () => {
    const { commands } = await cold(
      flow((ctx) => Promise.all([ctx.run(charge), ctx.sleep('1s')])),
      history(),
    )
    for (const command of commands) expect(Object.keys(command)).not.toContain('parallel_group_id')
  })
})

describe('ends when all members have ended', () => {
  const pair = flow((ctx) => ctx.all([ctx.run(charge), ctx.run(pack)]))
  const id = 'parallel-activities:1:2'
  const of = (index: number) => entry(id, 'activity', 1, 2, index)
  const opened = [inGroup(scheduled(1, 'charge'), of(0)), inGroup(scheduled(2, 'pack'), of(1))]

  it('with results in declaration order', async () => {
    const half = await cold(pair, history(...opened, inGroup(completed(2, 'packed'), of(1))))
    expect(half).toMatchObject({ commands: [], outcome: { kind: 'waiting' } })
    const rows = [...opened, inGroup(completed(2, 'packed'), of(1)), inGroup(completed(1, 'paid'), of(0))]
    expect(resultOf((await cold(pair, history(...rows))).commands)).toEqual(['paid', 'packed'])
  })

  it('with the failure that is declared first, not the one that came first', async () => {
    const rows = [...opened, inGroup(failed(2, 'no box'), of(1))]
    expect(await cold(pair, history(...rows))).toMatchObject({ commands: [], outcome: { kind: 'waiting' } })
    const step = await cold(pair, history(...rows, inGroup(failed(1, 'no money'), of(0))))
    expect(step.commands).toMatchObject([{ type: 'fail_workflow', message: 'no money' }])
  })

  it('an inner group first, then the outer one', async () => {
    const nested = flow(async (ctx) => {
      const seen: string[] = []
      const inner = ctx.all([ctx.run(charge), ctx.run(pack)])
      const outer = ctx.all([inner, ctx.sleep('1s')])
      inner.then(() => seen.push('inner'))
      const all = await outer
      return [seen, all]
    })
    const outer = (index: number) => entry('parallel-calls:1:3', 'mixed', 1, 3, index)
    const rows = [
      inGroup(scheduled(1, 'charge'), outer(0), of(0)),
      inGroup(scheduled(2, 'pack'), outer(1), of(1)),
      inGroup(event('TimerScheduled', { sequence: 3, timer_id: 't', delay_seconds: 1 }), outer(2)),
      inGroup(event('TimerFired', { sequence: 3, timer_id: 't', delay_seconds: 1 }), outer(2)),
      inGroup(completed(2, 'packed'), outer(1), of(1)),
      inGroup(completed(1, 'paid'), outer(0), of(0)),
    ]
    expect(resultOf((await cold(nested, history(...rows))).commands)).toEqual([['inner'], [['paid', 'packed'], null]])
  })

  it('replays a history of which the group is not part: it was joined later', async () => {
    const rows = [scheduled(1, 'charge'), scheduled(2, 'pack'), completed(2, 'packed'), completed(1, 'paid')]
    expect(resultOf((await cold(pair, history(...rows))).commands)).toEqual(['paid', 'packed'])
  })

  it('follows a history that numbers with gaps', async () => {
    const base = entry('parallel-activities:4:2', 'activity', 4, 2, 0)
    const rows = [
      event('WorkflowStarted', {}),
      inGroup(scheduled(4, 'charge'), base),
      inGroup(scheduled(5, 'pack'), { ...base, parallel_group_index: 1 }),
    ]
    expect(await cold(pair, numbered(rows, 1))).toMatchObject({ commands: [], outcome: { kind: 'waiting' } })
  })

  it('is reported with its place when nobody awaits it', async () => {
    const careless = flow(async (ctx) => {
      ctx.all([ctx.run(charge)])
    })
    const { replay, lines } = openReplay(careless)
    await replay.step(history(), {})
    expect(lines).toMatchObject([{ level: 'warn', message: expect.stringMatching(/^ctx\.all at .*group\.test\.ts/) }])
  })
})

describe('another shape in history', () => {
  const of = (size: number, index: number) => entry(`parallel-activities:1:${size}`, 'activity', 1, size, index)

  it.each<[string, TestEvent, (ctx: WorkflowContext) => Promise<unknown>]>([
    ['the code leaves the group', inGroup(scheduled(1, 'charge'), of(2, 0)), (ctx) => ctx.run(charge)],
    [
      'the group has another size',
      inGroup(scheduled(1, 'charge'), of(3, 0)),
      (ctx) => ctx.all([ctx.run(charge), ctx.run(pack)]),
    ],
    [
      'a key more',
      inGroup(scheduled(1, 'charge'), { ...of(1, 0), ...{ parallel_group_mode: 'select' } }),
      (ctx) => ctx.all([ctx.run(charge)]),
    ],
    ['a group around it', inGroup(scheduled(1, 'charge'), of(1, 0), of(1, 0)), (ctx) => ctx.all([ctx.run(charge)])],
  ])('%s: a mismatch that names both groups', async (_name, row, body) => {
    await expect(cold(flow(body), history(row))).rejects.toMatchObject({
      name: 'NonDeterminismError',
      reason: 'parallel_group_shape_mismatch',
      message: expect.stringMatching(/member of .*parallel-activities:1:/),
      facts: { sequence: 1, actualPlace: expect.stringMatching(/group\.test\.ts:\d+:\d+$/) },
    })
  })

  it('five fields without a path are a group of one level', async () => {
    const { parallel_group_path: _, ...flat } = path(of(1, 0))
    const row = { ...scheduled(1, 'charge'), payload: { sequence: 1, activity_type: 'charge', ...flat } }
    expect(
      await cold(
        flow((ctx) => ctx.all([ctx.run(charge)])),
        history(row),
      ),
    ).toMatchObject({ commands: [], outcome: { kind: 'waiting' } })
  })
})

describe('what is no member', () => {
  // What plain JavaScript may hand in, where the compiler does not look.
  const anything = (value: unknown): GroupMember<unknown> => {
    if (isMember(value)) return value
    throw new Error('not reached')
  }
  function isMember(_value: unknown): _value is GroupMember<unknown> {
    return true
  }

  it.each<[string, (ctx: WorkflowContext<typeof nudged>) => Promise<unknown>, RegExp]>([
    [
      'a promise of its own',
      (ctx) => ctx.all([anything(Promise.resolve(1))]),
      /member 0 is not a promise that ctx\.run/,
    ],
    ['a derived promise', (ctx) => ctx.all([anything(ctx.run(charge).then(() => 1))]), /member 0 is not a promise/],
    ['a signal wait', (ctx) => ctx.all([anything(ctx.waitFor(nudged))]), /member 0 is not a promise/],
    ['a condition', (ctx) => ctx.all([anything(ctx.condition(() => false))]), /member 0 is not a promise/],
    ['a value', (ctx) => ctx.all([ctx.run(charge), anything(7)]), /member 1 is not a promise/],
    [
      'a call of an earlier turn',
      async (ctx) => {
        const early = ctx.run(charge)
        await Promise.resolve()
        return ctx.all([early, ctx.run(pack)])
      },
      /member 0 was called in an earlier turn/,
    ],
    [
      'a call with another between',
      (ctx) => {
        const first = ctx.run(charge)
        ctx.sleep('1s').catch(() => undefined)
        return ctx.all([first, ctx.run(pack)])
      },
      /ctx\.run\(pack\) does not stand next to the member before it/,
    ],
    [
      'calls in another order',
      (ctx) => {
        const first = ctx.run(charge)
        const second = ctx.run(pack)
        return ctx.all([second, first])
      },
      /does not stand next/,
    ],
    [
      'a member of another group',
      (ctx) => {
        const first = ctx.run(charge)
        const group = ctx.all([first])
        return ctx.all([group, first])
      },
      /does not stand next|member of another ctx\.all already/,
    ],
    [
      'a call that a group has already',
      (ctx) => {
        const first = ctx.run(charge)
        ctx.all([first]).catch(() => undefined)
        return ctx.all([first])
      },
      /ctx\.run\(charge\) is a member of another ctx\.all already/,
    ],
  ])('%s fails the task and names Promise.all', async (_name, body, text) => {
    const error = await cold(flow(body), history()).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      name: 'GuardError',
      reason: 'not_a_group_member',
      message: expect.stringMatching(text),
    })
    expect(String(error)).toContain('Promise.all')
  })

  it('a thousand leaves are one group, one more is none', async () => {
    const many = (count: number) => flow((ctx) => ctx.all(Array.from({ length: count }, () => ctx.sleep('1s'))))
    expect((await cold(many(1_000), history())).commands).toHaveLength(1_000)
    await expect(cold(many(1_001), history())).rejects.toMatchObject({
      reason: 'parallel_group_too_large',
      message: expect.stringContaining('1001 members; the limit is 1000'),
    })
  })
})

import { describe, expect, it } from 'vitest'
import { type, workflow } from '../../src/index.ts'
import {
  cold,
  conditionOpened,
  conditionTimedOut,
  event,
  history,
  numbered,
  openReplay,
  received,
  timerFired,
  timerScheduled,
} from './history.ts'
import { nudged, outcomes, resultOf } from './shop.ts'

describe('condition', () => {
  const condition = workflow('condition', { output: type<string>(), handles: [nudged] }, async (ctx) => {
    let nudges = 0
    ctx.handle(nudged, () => {
      nudges += 1
    })
    const held = await ctx.condition(() => nudges >= 2, { timeout: '60s' })
    return held ? 'nudged' : 'gave up'
  })
  const open = conditionOpened(1, 60)

  it('opens once with its step number as key, and takes no step when it holds already', async () => {
    expect((await cold(condition, history())).commands).toEqual([
      { type: 'open_condition_wait', condition_key: '1', timeout_seconds: 60 },
    ])
    const early = [received('s1', 'nudged'), received('s2', 'nudged')]
    const holding = workflow('holding', { handles: [nudged] }, async (ctx) => {
      await ctx.condition(() => true)
      await ctx.sleep('1s')
    })
    expect((await cold(holding, history(...early))).commands).toEqual([{ type: 'start_timer', delay_seconds: 1 }])
  })

  it('still false after a wake: no command, no second opening', async () => {
    expect((await cold(condition, history(open, received('s1', 'nudged')))).commands).toEqual([])
  })

  it('goes on when the predicate holds, without any row that says so, and names the wait it passed', async () => {
    const step = await cold(condition, history(open, received('s1', 'nudged'), received('s2', 'nudged')))
    expect(resultOf(step.commands[0])).toBe('nudged')
    expect(step.resolvedWaits).toEqual([1])
  })

  it('names a wait it passed with the next commands, since a waiting acknowledgement cannot', async () => {
    const beside = workflow('beside', { handles: [nudged] }, async (ctx) => {
      let nudges = 0
      ctx.handle(nudged, () => {
        nudges += 1
      })
      await Promise.all([ctx.condition(() => nudges > 0), ctx.sleep('1h')])
      await ctx.sleep('1s')
    })
    const { replay } = openReplay(beside)
    const rows = history(conditionOpened(1), timerScheduled(2, 3_600), received('s1', 'nudged'))
    expect(await replay.step(rows, {})).toMatchObject({ commands: [], resolvedWaits: [] })
    const fired = numbered([timerFired(2, 3_600)], rows.length + 1)
    expect(await replay.step(fired, {})).toMatchObject({ commands: [{ type: 'start_timer' }], resolvedWaits: [1] })
  })

  it('is not ended by ConditionWaitSatisfied: the predicate is asked over the same history', async () => {
    const satisfied = event('ConditionWaitSatisfied', { sequence: 1, condition_wait_id: 'condition-1' })
    expect((await cold(condition, history(open, received('s1', 'nudged'), satisfied))).outcome).toEqual({
      kind: 'waiting',
    })
    const passed = await cold(condition, history(open, received('s1', 'nudged'), received('s2', 'nudged'), satisfied))
    expect(passed).toMatchObject({ outcome: { kind: 'completed' }, resolvedWaits: [] })
  })

  it.each([
    ['TimerFired', [conditionTimedOut(1)]],
    [
      'TimerFired with its timer row',
      [
        event('TimerScheduled', { sequence: 1, timer_id: 't', delay_seconds: 60, timer_kind: 'condition_timeout' }),
        event('TimerFired', { sequence: 1, timer_id: 't', delay_seconds: 60 }),
      ],
    ],
    ['ConditionWaitTimedOut', [event('ConditionWaitTimedOut', { sequence: 1, condition_wait_id: 'condition-1' })]],
  ])('answers false on %s', async (_name, end) => {
    expect((await outcomes(cold(condition, history(open, received('s1', 'nudged'), ...end)))).result).toBe('gave up')
  })

  it('is not asked again once it has timed out', async () => {
    let asked = 0
    const patient = workflow('patient', { handles: [nudged] }, async (ctx) => {
      let nudges = 0
      ctx.handle(nudged, () => {
        nudges += 1
      })
      await ctx.condition(
        () => {
          asked += 1
          return nudges > 0
        },
        { timeout: '60s' },
      )
      await ctx.sleep('1h')
    })
    const step = await cold(
      patient,
      history(open, conditionTimedOut(1), timerScheduled(2, 3_600), received('s1', 'nudged')),
    )
    expect(step).toMatchObject({ outcome: { kind: 'waiting' }, resolvedWaits: [] })
    expect(asked).toBe(2)
  })

  it('keeps to the row that came first when signal and timeout meet', async () => {
    const before = history(open, received('s1', 'nudged'), received('s2', 'nudged'), conditionTimedOut(1))
    const after = history(open, received('s1', 'nudged'), conditionTimedOut(1), received('s2', 'nudged'))
    expect((await outcomes(cold(condition, before))).result).toBe('nudged')
    expect((await outcomes(cold(condition, after))).result).toBe('gave up')
  })

  it('follows a server that opens the wait again under the same key', async () => {
    const again = event('ConditionWaitOpened', {
      sequence: 2,
      condition_wait_id: 'condition-2',
      condition_key: '1',
      timeout_seconds: 60,
    })
    expect(
      (await outcomes(cold(condition, history(open, received('s1', 'nudged'), again, conditionTimedOut(2))))).result,
    ).toBe('gave up')
  })

  it('throws at the waiting code what the predicate throws', async () => {
    const broken = workflow('broken', { handles: [nudged] }, async (ctx) => {
      let nudges = 0
      ctx.handle(nudged, () => {
        nudges += 1
      })
      await ctx.condition(() => {
        if (nudges > 0) throw new RangeError('too many')
        return false
      })
    })
    const step = await cold(broken, history(conditionOpened(1), received('s1', 'nudged')))
    expect(step.commands).toMatchObject([{ type: 'fail_workflow', exception_type: 'RangeError', message: 'too many' }])
  })
})

import { describe, expect, it } from 'vitest'
import { type, workflow } from '../../src/index.ts'
import { cold, history, openReplay, startedAt, timerFired, timerScheduled } from './history.ts'
import { outcomes } from './shop.ts'

describe('timer', () => {
  const nap = workflow('nap', { output: type<number>() }, async (ctx) => {
    await ctx.sleep('90s')
    return ctx.now()
  })

  it('starts with whole seconds and fires once', async () => {
    expect((await cold(nap, history())).commands).toEqual([{ type: 'start_timer', delay_seconds: 90 }])
    expect((await cold(nap, history(timerScheduled(1, 90)))).commands).toEqual([])
    const step = cold(nap, history(timerScheduled(1, 90), timerFired(1, 90)))
    expect((await outcomes(step)).result).toBe(startedAt + 2_000)
  })

  it('sleeps until an instant, measured by deterministic time; at once when it has passed', async () => {
    const until = (instant: number) => workflow('until', {}, async (ctx) => ctx.sleepUntil(new Date(instant)))
    expect((await cold(until(startedAt + 5_000), history())).commands).toEqual([
      { type: 'start_timer', delay_seconds: 5 },
    ])
    expect((await cold(until(0), history())).commands).toEqual([{ type: 'start_timer', delay_seconds: 0 }])
  })

  it('says once that a server without milliseconds stretches a duration below a second', async () => {
    const blink = workflow('blink', {}, async (ctx) => {
      await Promise.all([ctx.sleep(10), ctx.sleep(20)])
    })
    const { replay, lines } = openReplay(blink)
    const { commands } = await replay.step(history(), {})
    expect(commands.map((command) => command.type === 'start_timer' && command.delay_seconds)).toEqual([1, 1])
    expect(lines.filter((line) => line.level === 'warn')).toHaveLength(1)
  })
})

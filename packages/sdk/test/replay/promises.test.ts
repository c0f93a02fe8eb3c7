// Promise.all, race, any and allSettled over durable calls.
import { decodeArguments } from '@durable-workflow/codec'
import { describe, expect, it } from 'vitest'
import { type, workflow } from '../../src/index.ts'
import { cold, completed, type event, failed, history, scheduled, timerFired, timerScheduled } from './history.ts'
import { charge, email, outcomes } from './shop.ts'

describe('concurrency', () => {
  const both = workflow('both', { output: type<string[]>() }, async (ctx) =>
    Promise.all([ctx.run(charge, { cents: 1 }), ctx.run(charge, { cents: 2 })]),
  )
  const opened = [scheduled(1, 'charge'), scheduled(2, 'charge')]

  it('RP3 emits in authored order and returns in authored order, whichever ends first', async () => {
    expect((await cold(both, history())).steps).toEqual([1, 2])
    const one = cold(both, history(...opened, completed(1, 'a'), completed(2, 'b')))
    const other = cold(both, history(...opened, completed(2, 'b'), completed(1, 'a')))
    expect((await outcomes(one)).result).toEqual(['a', 'b'])
    expect((await outcomes(other)).result).toEqual(['a', 'b'])
  })

  it('emits nothing while members are open', async () => {
    expect((await cold(both, history(...opened, completed(2, 'b')))).commands).toEqual([])
  })

  it('fails Promise.all with the failure that history has first', async () => {
    const step = await cold(both, history(...opened, failed(2, 'second'), failed(1, 'first')))
    expect(step.commands).toMatchObject([{ type: 'fail_workflow', message: 'second' }])
  })

  it('RP2 gives Promise.race to the row that came first', async () => {
    const race = workflow('race', { output: type<string>() }, async (ctx) =>
      Promise.race([ctx.run(charge, { cents: 1 }), ctx.sleep('5s').then(() => 'late')]),
    )
    const open = [scheduled(1, 'charge'), timerScheduled(2, 5)]
    expect((await outcomes(cold(race, history(...open, completed(1, 'paid'), timerFired(2, 5))))).result).toBe('paid')
    expect((await outcomes(cold(race, history(...open, timerFired(2, 5), completed(1, 'paid'))))).result).toBe('late')
  })

  it('RP2 numbers what two branches emit by the order of the rows that woke them', async () => {
    const branches = workflow('branches', {}, async (ctx) => {
      const branch = async (cents: number, text: string) => {
        await ctx.run(charge, { cents })
        await ctx.run(email, text)
      }
      await Promise.all([branch(1, 'one'), branch(2, 'two')])
    })
    const texts = async (...ends: readonly ReturnType<typeof event>[]) => {
      const { commands } = await cold(branches, history(...opened, ...ends))
      return commands.map((command) => command.type === 'schedule_activity' && decodeArguments(command.arguments)[0])
    }
    expect(await texts(completed(1, 'a'), completed(2, 'b'))).toEqual(['one', 'two'])
    expect(await texts(completed(2, 'b'), completed(1, 'a'))).toEqual(['two', 'one'])
  })

  it('lets authored code catch one failure of Promise.allSettled and Promise.any', async () => {
    const settled = workflow('settled', { output: type<unknown>() }, async (ctx) => {
      const results = await Promise.allSettled([ctx.run(charge, { cents: 1 }), ctx.run(charge, { cents: 2 })])
      return results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))
    })
    expect((await outcomes(cold(settled, history(...opened, failed(2, 'no'), completed(1, 'a'))))).result).toEqual([
      'a',
      'no',
    ])
  })
})

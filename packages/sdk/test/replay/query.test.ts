import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { query, workflow } from '../../src/index.ts'
import { cold, event, history, numbered, openReplay, received, startedAt, timerScheduled } from './history.ts'
import { nudged, status } from './shop.ts'

describe('query', () => {
  const counting = workflow('counting', { handles: [status, nudged] }, async (ctx) => {
    let nudges = 0
    ctx.handle(status, () => `${nudges} at ${ctx.now() - startedAt}`)
    ctx.handle(nudged, () => {
      nudges += 1
    })
    await ctx.sleep('1h')
  })

  it('answers from the state after all applied events, as often as asked', async () => {
    const { replay } = openReplay(counting)
    await replay.step(history(timerScheduled(1, 3_600), received('s1', 'nudged')), {})
    expect(await replay.query('status', [])).toBe('1 at 2000')
    expect(await replay.query('status', [])).toBe('1 at 2000')
    await replay.step(numbered([received('s2', 'nudged')], 4), {})
    expect(await replay.query('status', [])).toBe('2 at 3000')
  })

  it('answers a run that has closed', async () => {
    const { replay } = openReplay(counting)
    await replay.step(
      history(
        timerScheduled(1, 3_600),
        received('s1', 'nudged'),
        event('WorkflowTerminated', {}),
        received('s2', 'nudged'),
      ),
      {},
    )
    expect(await replay.query('status', [])).toMatch(/^1 at/)
  })

  it('is refused when unknown, and checks input and output', async () => {
    const echo = query('echo', { input: z.string(), output: z.string() })
    const echoing = workflow('echoing', { handles: [echo] }, async (ctx) => {
      ctx.handle(echo, (text) => text.repeat(2))
      await ctx.sleep('1h')
    })
    const { replay } = openReplay(echoing)
    await replay.step(history(), {})
    await expect(replay.query('other', [])).rejects.toMatchObject({
      name: 'RefusedError',
      reason: 'rejected_unknown_query',
      recorded: false,
    })
    await expect(replay.query('echo', [7])).rejects.toMatchObject({ reason: 'invalid_input' })
    expect(await replay.query('echo', ['ab'])).toBe('abab')
  })

  it('without a handler before the first durable call fails the task and names the query', async () => {
    const late = workflow('late', { handles: [status] }, async (ctx) => {
      await ctx.sleep('1s')
      ctx.handle(status, () => 'late')
    })
    await expect(cold(late, history())).rejects.toMatchObject({
      name: 'MissingHandlerError',
      facts: { queries: ['status'] },
    })
    const never = workflow('never', { handles: [status] }, async () => undefined)
    await expect(cold(never, history())).rejects.toMatchObject({ name: 'MissingHandlerError' })
  })
})

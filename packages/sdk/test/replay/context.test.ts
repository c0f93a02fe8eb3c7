import { describe, expect, it } from 'vitest'
import { type, workflow } from '../../src/index.ts'
import {
  cold,
  completed,
  drain,
  event,
  history,
  numbered,
  openReplay,
  scheduled,
  startedAt,
  timerFired,
  timerScheduled,
} from './history.ts'
import { charge, resultOf, status } from './shop.ts'

describe('log, time and chance', () => {
  const chatty = workflow('chatty', { output: type<unknown[]>() }, async (ctx) => {
    const values: unknown[] = [ctx.now() - startedAt, ctx.random(), ctx.uuid()]
    ctx.log.info('before')
    await ctx.sleep('1s')
    ctx.log.info('after', { step: 1 })
    values.push(ctx.now() - startedAt, ctx.random(), ctx.uuid())
    return values
  })
  const events = history(timerScheduled(1, 1), timerFired(1, 1))

  it('the logger is silent while known history is replayed', async () => {
    const first = openReplay(chatty)
    await first.replay.step(history(), {})
    expect(first.lines.map((line) => line.message)).toEqual(['before'])
    const second = openReplay(chatty)
    await second.replay.step(events, {})
    expect(second.lines).toEqual([{ level: 'info', message: 'after', facts: { step: 1 } }])
  })

  it('time is the newest instant of history, chance comes from the run id', async () => {
    const { commands } = await cold(chatty, events)
    const values = resultOf(commands[0])
    expect(values).toEqual([
      0,
      0.06638790321054733,
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      2_000,
      expect.any(Number),
      expect.any(String),
    ])
    expect(resultOf((await cold(chatty, events)).commands[0])).toEqual(values)
    const run = {
      workflowId: 'order-1',
      runId: 'run-2',
      workflowType: 'chatty',
      namespace: 'default',
      taskQueue: 'q',
      attempt: 1,
      startedAt,
      historyBytes: 0,
      continueAsNewSuggested: false,
    }
    expect(resultOf((await cold(chatty, events, { run })).commands[0])).not.toEqual(values)
  })
})

describe('info', () => {
  const telling = workflow('telling', { output: type<unknown>() }, async (ctx) => {
    const told = () => [
      ctx.info.attempt,
      ctx.info.historyBytes,
      ctx.info.continueAsNewSuggested,
      ctx.info.historyLength,
    ]
    const before = told()
    await ctx.run(charge, { cents: 1 })
    return [before, told()]
  })
  const rows = history(scheduled(1, 'charge'), completed(1, 'p1'))

  it('of a kept replay is that of the task at hand', async () => {
    const { replay } = openReplay(telling)
    await replay.step(rows.slice(0, 1), { attempt: 1, historyBytes: 100, continueAsNewSuggested: false })
    const step = await replay.step(rows.slice(1), { attempt: 7, historyBytes: 90_000, continueAsNewSuggested: true })
    expect(resultOf(step.commands[0])).toEqual([
      [1, 100, false, 1],
      [7, 90_000, true, 3],
    ])
  })

  it('stays where a task says nothing', async () => {
    const { replay } = openReplay(telling)
    await replay.step(rows.slice(0, 1), { attempt: 2, historyBytes: 100 })
    const step = await replay.step(rows.slice(1), {})
    expect(resultOf(step.commands[0])).toEqual([
      [2, 100, false, 1],
      [2, 100, false, 3],
    ])
  })
})

describe('when authored code runs', () => {
  it('RP1 authored code advances only inside step()', async () => {
    const seen: string[] = []
    const traced = workflow('traced', { handles: [status] }, async (ctx) => {
      seen.push('start')
      ctx.handle(status, () => 'x')
      await ctx.sleep('1s')
      seen.push('woken')
      await Promise.resolve().then(() => seen.push('branch'))
    })
    const { replay } = openReplay(traced)
    expect(seen).toEqual([])
    await replay.step(history(timerScheduled(1, 1)), {})
    await replay.query('status', [])
    await drain()
    expect(seen).toEqual(['start'])
    await replay.step(numbered([timerFired(1, 1)], 3), {})
    expect(seen).toEqual(['start', 'woken', 'branch'])
  })

  it('RP1 a disposed replay never goes on, and takes no step', async () => {
    let woken = false
    const nap = workflow('nap', {}, async (ctx) => {
      await ctx.sleep('1s')
      woken = true
    })
    const { replay } = openReplay(nap)
    await replay.step(history(timerScheduled(1, 1)), {})
    replay.dispose()
    await expect(replay.step(numbered([timerFired(1, 1)], 3), {})).rejects.toMatchObject({ reason: 'replay_not_idle' })
    expect(woken).toBe(false)
  })

  it('RP4 a request to cancel in history reaches no authored code by itself', async () => {
    const nap = workflow('nap', {}, async (ctx) => ctx.sleep('1s'))
    const requested = event('CancelRequested', { reason: 'stop' })
    const cooperative = event('CooperativeCancellationRequested', {
      workflow_command_id: 'c',
      workflow_run_id: 'run-1',
    })
    expect(await cold(nap, history(timerScheduled(1, 1), requested, cooperative))).toMatchObject({
      commands: [],
      outcome: { kind: 'waiting' },
    })
  })
})

describe('misuse of ctx', () => {
  const leak: { ctx?: { sleep(duration: number): Promise<void> } } = {}
  const calling = (when: 'query' | 'predicate') =>
    workflow('calling', { handles: [status] }, async (ctx) => {
      leak.ctx = ctx
      ctx.handle(status, () => {
        if (when === 'query') void ctx.sleep(1)
        return 'x'
      })
      if (when === 'predicate') await ctx.condition(() => Boolean(ctx.sleep(1)))
      await ctx.sleep('1h')
    })

  it('from a query throws with the remedy', async () => {
    const { replay } = openReplay(calling('query'))
    await replay.step(history(), {})
    await expect(replay.query('status', [])).rejects.toMatchObject({
      name: 'GuardError',
      reason: 'context_in_query',
      remedy: expect.any(String),
    })
  })

  it('from a predicate fails the task', async () => {
    await expect(cold(calling('predicate'), history())).rejects.toMatchObject({ reason: 'context_in_predicate' })
  })

  it('from outside, from another run and after the end throws with the remedy', async () => {
    const { replay } = openReplay(calling('query'))
    await replay.step(history(), {})
    expect(() => leak.ctx?.sleep(1)).toThrow(expect.objectContaining({ reason: 'context_of_another_run' }))
    const thief = workflow('thief', {}, async () => leak.ctx?.sleep(1))
    await expect(cold(thief, history())).rejects.toMatchObject({ name: 'GuardError', reason: 'context_of_another_run' })
    replay.dispose()
    expect(() => leak.ctx?.sleep(1)).toThrow(expect.objectContaining({ reason: 'context_after_end' }))
  })

  it('of a run that is inside its own step is told from another by the async context', async () => {
    const outsider = openReplay(calling('query'), { inside: () => false })
    await expect(outsider.replay.step(history(), {})).rejects.toMatchObject({ reason: 'context_of_another_run' })
  })

  it('a replay takes nothing after a failure', async () => {
    const { replay } = openReplay(calling('predicate'))
    await expect(replay.step(history(), {})).rejects.toThrow()
    await expect(replay.step([], {})).rejects.toMatchObject({ reason: 'replay_not_idle' })
  })
})

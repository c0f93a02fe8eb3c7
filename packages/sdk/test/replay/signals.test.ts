import { describe, expect, it } from 'vitest'
import { type, workflow } from '../../src/index.ts'
import {
  applied,
  cold,
  conditionOpened,
  failed,
  history,
  numbered,
  openReplay,
  received,
  scheduled,
  signalOpened,
  signalTimedOut,
  timerFired,
  timerScheduled,
} from './history.ts'
import { approved, charge, nudged, outcomes, status } from './shop.ts'

describe('signal wait', () => {
  const wait = workflow('wait', { output: type<string>(), handles: [approved] }, async (ctx) => {
    const first = await ctx.waitFor(approved)
    const second = await ctx.waitFor(approved, { timeout: '3s' })
    return `${first.by}+${second?.by ?? 'nobody'}`
  })
  const first = [
    signalOpened(1, 'approved'),
    received('s1', 'approved', { by: 'ada' }),
    applied(1, 's1', 'approved', { by: 'ada' }),
  ]

  it('opens once for every call; the timeout travels in seconds', async () => {
    expect((await cold(wait, history())).commands).toEqual([{ type: 'open_signal_wait', signal_name: 'approved' }])
    expect((await cold(wait, history(signalOpened(1, 'approved')))).commands).toEqual([])
    expect((await cold(wait, history(...first))).commands).toEqual([
      { type: 'open_signal_wait', signal_name: 'approved', timeout_seconds: 3 },
    ])
  })

  it('takes the value of the SignalApplied at its step, not of a signal that merely came', async () => {
    const early = [received('s1', 'approved', { by: 'ada' }), received('s2', 'approved', { by: 'bob' })]
    const rest = [
      signalOpened(1, 'approved'),
      applied(1, 's2', 'approved', { by: 'bob' }),
      signalOpened(2, 'approved'),
      applied(2, 's1', 'approved', { by: 'ada' }),
    ]
    expect((await outcomes(cold(wait, history(...early, ...rest)))).result).toBe('bob+ada')
  })

  it('gives undefined when the timeout passes first', async () => {
    const step = cold(wait, history(...first, signalOpened(2, 'approved'), signalTimedOut(2, 'approved')))
    expect((await outcomes(step)).result).toBe('ada+nobody')
  })

  it('takes the signal a task resumes for, where history shows it as applied only with the completion', async () => {
    const task = { resumeSourceKind: 'workflow_signal', openWaitId: 'signal-application:s1' }
    const seen = history(signalOpened(1, 'approved'), received('s1', 'approved', { by: 'ada' }))
    const { replay } = openReplay(wait)
    const step = await replay.step(seen, task)
    expect(step).toMatchObject({ appliedSignal: true, commands: [{ type: 'open_signal_wait', timeout_seconds: 3 }] })
    const tail = numbered(
      [applied(1, 's1', 'approved', { by: 'ada' }), signalOpened(2, 'approved'), signalTimedOut(2, 'approved')],
      seen.length + 1,
    )
    expect((await outcomes(replay.step(tail, {}))).result).toBe('ada+nobody')
  })

  it('takes a signal once, also when a task still names it', async () => {
    const task = { resumeSourceKind: 'workflow_signal', openWaitId: 'signal-application:s1' }
    const step = await cold(wait, history(...first, signalOpened(2, 'approved')), { task })
    expect(step).toMatchObject({ appliedSignal: false, commands: [], outcome: { kind: 'waiting' } })
  })

  it('throws at the waiting code what does not fit the contract', async () => {
    const step = await cold(
      wait,
      history(signalOpened(1, 'approved'), received('s1', 'approved', 7), applied(1, 's1', 'approved', 7)),
    )
    expect(step.commands).toEqual([expect.objectContaining({ type: 'fail_workflow', exception_type: 'ContractError' })])
  })

  it('iterates messages with one wait each', async () => {
    const loop = workflow('loop', { output: type<string[]>(), handles: [approved] }, async (ctx) => {
      const names: string[] = []
      for await (const message of ctx.messages(approved)) {
        names.push(message.by)
        if (names.length === 2) break
      }
      return names
    })
    const second = [
      signalOpened(2, 'approved'),
      received('s2', 'approved', { by: 'bob' }),
      applied(2, 's2', 'approved', { by: 'bob' }),
    ]
    expect((await outcomes(cold(loop, history(...first, ...second)))).result).toEqual(['ada', 'bob'])
  })
})

describe('signal handler', () => {
  const collecting = workflow(
    'collecting',
    { output: type<string[]>(), handles: [approved, nudged, status] },
    async (ctx) => {
      const names: string[] = []
      ctx.handle(status, () => names.join())
      ctx.handle(approved, (message) => void names.push(message.by))
      await ctx.condition(() => names.length >= 2)
      return names
    },
  )

  it('reads SignalReceived in history order, also signals that came before it was set', async () => {
    const late = workflow('late', { output: type<string[]>(), handles: [approved] }, async (ctx) => {
      await ctx.sleep('1s')
      const names: string[] = []
      ctx.handle(approved, (message) => void names.push(message.by))
      await ctx.condition(() => names.length === 3)
      return names
    })
    const events = [
      timerScheduled(1, 1),
      received('s1', 'approved', { by: 'ada' }),
      received('s2', 'approved', { by: 'bob' }),
      timerFired(1, 1),
      conditionOpened(2),
      received('s3', 'approved', { by: 'eve' }),
    ]
    expect((await outcomes(cold(late, history(...events)))).result).toEqual(['ada', 'bob', 'eve'])
  })

  it('leaves out a signal that does not fit its contract and says so; the run goes on', async () => {
    const { replay, lines } = openReplay(collecting)
    const events = [
      conditionOpened(1),
      received('s1', 'approved', 7),
      received('s2', 'approved', { by: 'ada' }),
      received('s3', 'approved', { by: 'bob' }),
    ]
    expect((await outcomes(replay.step(history(...events), {}))).result).toEqual(['ada', 'bob'])
    expect(lines).toEqual([
      expect.objectContaining({ level: 'error', message: expect.stringContaining('"approved" was left out') }),
    ])
  })

  it('may await durable calls, and fails the run with what it throws', async () => {
    const branching = workflow('branching', { handles: [nudged] }, async (ctx) => {
      ctx.handle(nudged, async () => {
        await ctx.run(charge, { cents: 1 })
      })
      await ctx.sleep('1h')
    })
    const open = [timerScheduled(1, 3_600), received('s1', 'nudged')]
    expect((await cold(branching, history(...open))).commands).toMatchObject([{ type: 'schedule_activity' }])
    const step = await cold(branching, history(...open, scheduled(2, 'charge'), failed(2, 'declined')))
    expect(step).toMatchObject({
      outcome: { kind: 'failed' },
      commands: [{ type: 'fail_workflow', message: 'declined' }],
    })
  })

  it('is the only reader of its signal', async () => {
    const both = workflow('both', { handles: [approved] }, async (ctx) => {
      ctx.handle(approved, () => undefined)
      await ctx.waitFor(approved)
    })
    await expect(cold(both, history())).rejects.toMatchObject({
      name: 'GuardError',
      reason: 'signal_handled_and_awaited',
    })
  })
})

// Awaited outcomes: found, deadline, abort, wake, a wake that was lost.

import { expect, test } from 'vitest'
import { Outcomes } from '../src/outcomes.ts'
import { isSettled, startEngine, startOn } from './support/engine.ts'
import { t0 } from './support/make.ts'
import { cancel } from './support/operations.ts'
import { VirtualClock } from './support/virtual-clock.ts'

function harness() {
  const clock = new VirtualClock(t0)
  const state: { found: string | undefined; probes: number } = { found: undefined, probes: 0 }
  const probe = async () => {
    state.probes += 1
    return state.found
  }
  return { clock, state, probe, outcomes: new Outcomes(clock, 1_000) }
}

test('what is there is found without waiting', async () => {
  const { outcomes, state, probe, clock } = harness()
  state.found = 'here'
  expect(await outcomes.await('run:1', t0 + 5_000, probe)).toBe('here')
  expect(clock.pending).toBe(0)
})

test('a wake makes it look at once; others’ wakes do not', async () => {
  const { outcomes, state, probe, clock } = harness()
  const answer = outcomes.await('run:1', t0 + 5_000, probe)
  await clock.settle()
  state.found = 'here'
  outcomes.wake('run:2')
  await clock.settle()
  expect(state.probes).toBe(1)
  outcomes.wake('run:1')
  expect(await answer).toBe('here')
})

test('DI3 with its wake lost it is found within one interval', async () => {
  const { outcomes, state, probe, clock } = harness()
  const answer = outcomes.await('run:1', t0 + 5_000, probe)
  await clock.settle()
  state.found = 'here'
  await clock.advance(1_000)
  expect(await answer).toBe('here')
})

test('ten thousand who wait look five hundred times a second together, and each hears its wake at once', async () => {
  const { outcomes, state, probe, clock } = harness()
  const answers = Array.from({ length: 10_000 }, (_, n) => outcomes.await(`run:${n}`, t0 + 200_000, probe))
  await clock.advance(40_000)
  state.probes = 0
  await clock.advance(60_000)
  expect(state.probes).toBeLessThanOrEqual(60 * 500)
  expect(state.probes).toBeGreaterThan(10_000)
  state.found = 'here'
  outcomes.wake('run:42')
  expect(await answers[42]).toBe('here')
  await clock.advance(40_000)
  expect(await Promise.all(answers)).toHaveLength(10_000)
})

test('at the deadline it answers undefined, after a last look', async () => {
  const { outcomes, state, probe, clock } = harness()
  const answer = outcomes.await('run:1', t0 + 2_500, probe)
  await clock.advance(2_499)
  expect(state.probes).toBe(3)
  await clock.advance(1)
  expect(await answer).toBeUndefined()
  expect(state.probes).toBe(4)
  expect(clock.pending).toBe(0)
})

test('a commit between the look and the wait is not missed', async () => {
  const { outcomes, state, clock } = harness()
  const answer = outcomes.await('run:1', t0 + 5_000, async () => {
    state.probes += 1
    if (state.probes === 1) {
      outcomes.wake('run:1')
      return undefined
    }
    return 'here'
  })
  await clock.settle()
  expect(await answer).toBe('here')
})

test('an abort ends the wait', async () => {
  const { outcomes, probe, clock } = harness()
  const leaving = new AbortController()
  const answer = outcomes.await('run:1', t0 + 5_000, probe, leaving.signal)
  await clock.settle()
  leaving.abort()
  expect(await answer).toBeUndefined()
  expect(clock.pending).toBe(0)
})

test('a signal that had been aborted before', async () => {
  const { outcomes, probe, clock } = harness()
  expect(await outcomes.await('run:1', t0 + 5_000, probe, AbortSignal.abort())).toBeUndefined()
  expect(clock.pending).toBe(0)
})

test('a probe that rejects ends the wait with its error', async () => {
  const { outcomes, clock } = harness()
  await expect(outcomes.await('run:1', t0 + 5_000, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(clock.pending).toBe(0)
})

test('a long wait leaves at most one listener on its signal', async () => {
  const { outcomes, probe, clock } = harness()
  const leaving = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = leaving.signal
  leaving.signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners += 1
    addEventListener.apply(leaving.signal, given)
  }
  leaving.signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners -= 1
    removeEventListener.apply(leaving.signal, given)
  }
  const answer = outcomes.await('run:1', t0 + 20_000, probe, leaving.signal)
  await clock.advance(15_000)
  expect(listeners).toBeLessThanOrEqual(1)
  await clock.advance(5_000)
  expect(await answer).toBeUndefined()
  expect(listeners).toBe(0)
})

test('the end of a run is awaited through the engine', async () => {
  await using made = await startEngine()
  const runId = await startOn(made)
  const ended = made.engine.awaitOutcome(`run:${runId}`, t0 + 60_000, async () => {
    const found = await made.engine.views.describe({ namespace: 'default', workflowId: 'order-1', runId })
    return found.kind === 'found' && found.run.closedAt !== undefined ? found.run.status : undefined
  })
  expect(await isSettled(made, ended)).toBe(false)
  await made.settled(made.engine.execute(cancel()))
  expect(await made.settled(ended)).toBe('cancelled')
})

test('an engine that closes ends what is awaited', async () => {
  const made = await startEngine()
  const runId = await startOn(made)
  const never = made.engine.awaitOutcome(`run:${runId}`, t0 + 60_000, async () => undefined)
  await made.clock.settle()
  await made[Symbol.asyncDispose]()
  expect(await isSettled(made, never)).toBe(true)
  expect(made.clock.pending).toBe(0)
})

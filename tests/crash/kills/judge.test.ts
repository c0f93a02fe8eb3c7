// The judge of the kill test, judged: what it must let pass, and each planted fault that it must find.
import { expect, test } from 'vitest'
import { expectedOf } from './contracts.ts'
import { type EffectLine, type EventEvidence, judge, type RunEvidence } from './judge.ts'

const run = 'r1'

/** A chain of four: step b failed once, the first attempt of step c was lost after its effect. */
function chain(): { run: RunEvidence; effects: EffectLine[] } {
  const events: { type: string; payload: Record<string, unknown> }[] = [
    { type: 'WorkflowStarted', payload: {} },
    ...['a', 'b', 'c', 'd'].flatMap((step, at) => {
      const of = { activity_execution_id: step, sequence: at + 1 }
      const start = (attempt: number) => ({
        type: 'ActivityStarted',
        payload: { ...of, activity_attempt_id: `${step}x${attempt}`, attempt_number: attempt },
      })
      const attempts = step === 'b' || step === 'c' ? 2 : 1
      return [
        { type: 'ActivityScheduled', payload: of },
        start(1),
        ...(step === 'b' ? [{ type: 'ActivityRetryScheduled', payload: { ...of, retry_after_attempt: 1 } }] : []),
        ...(attempts === 2 ? [start(2)] : []),
        { type: 'ActivityCompleted', payload: { ...of, activity_attempt_id: `${step}x${attempts}` } },
      ]
    }),
    { type: 'WorkflowCompleted', payload: {} },
  ]
  const effect = (activityId: string, attempt: number): EffectLine => ({ key: `k-${activityId}`, attempt, activityId })
  return {
    run: {
      workflowId: run,
      expected: expectedOf('chained', run),
      runs: [{ runId: 'r1', status: 'completed' }],
      output: expectedOf('chained', run).output,
      events: numbered(events),
      activities: [{ activityId: 'c', closedAttempts: [{ attempt: 1, status: 'expired' }] }],
    },
    effects: [effect('a', 1), effect('b', 1), effect('b', 2), effect('c', 1), effect('c', 2), effect('d', 1)],
  }
}

const numbered = (events: readonly Omit<EventEvidence, 'sequence'>[]): EventEvidence[] =>
  events.map((event, at) => ({ ...event, sequence: at + 1 }))

const without = (events: readonly EventEvidence[], type: string): EventEvidence[] => {
  const at = events.findLastIndex((event) => event.type === type)
  return numbered(events.filter((_, index) => index !== at))
}

const doubled = (events: readonly EventEvidence[], type: string): EventEvidence[] => {
  const at = events.findIndex((event) => event.type === type)
  return numbered(events.flatMap((event, index) => (index === at ? [event, event] : [event])))
}

test('a chain with a failure and a lost attempt is in order, and the loss is counted', () => {
  const { run: good, effects } = chain()
  expect(judge([good], effects)).toEqual({ problems: [], steps: 4, lostAttempts: 1, explainedEffects: 1 })
})

test('a lost attempt may have died before its effect', () => {
  const { run: good, effects } = chain()
  const left = effects.filter(({ activityId, attempt }) => activityId !== 'c' || attempt !== 1)
  expect(judge([good], left)).toMatchObject({ problems: [], lostAttempts: 1, explainedEffects: 0 })
})

const faults: readonly (readonly [string, (all: ReturnType<typeof chain>) => ReturnType<typeof chain>, RegExp])[] = [
  ['a lost effect', ({ run: of, effects }) => ({ run: of, effects: effects.slice(1) }), /a: attempt 1 left 0 effects/],
  [
    'the lost effect of a failed attempt',
    ({ run: of, effects }) => ({ run: of, effects: effects.filter((_, at) => at !== 1) }),
    /b: attempt 1 left 0 effects/,
  ],
  [
    'an attempt that was executed twice',
    ({ run: of, effects }) => ({ run: of, effects: [...effects, ...effects.slice(0, 1)] }),
    /a: attempt 1 left 2 effects/,
  ],
  [
    'a lost attempt that was executed twice',
    ({ run: of, effects }) => ({ run: of, effects: [...effects, ...effects.slice(3, 4)] }),
    /c: attempt 1 left 2 effects and was lost/,
  ],
  [
    'an effect of an attempt that never started',
    ({ run: of, effects }) => ({ run: of, effects: [...effects, { key: 'k-a', activityId: 'a', attempt: 2 }] }),
    /a: an effect of attempt 2, which never started/,
  ],
  [
    'an effect that belongs to nothing',
    ({ run: of, effects }) => ({ run: of, effects: [...effects, { key: 'z', activityId: 'z', attempt: 1 }] }),
    /effects of z, which no history schedules/,
  ],
  [
    'one idempotency key for two executions',
    ({ run: of, effects }) => ({ run: of, effects: effects.map((line) => ({ ...line, key: 'the same' })) }),
    /stands for more than one execution/,
  ],
  [
    'a lost attempt that nobody knows of',
    ({ run: of, effects }) => ({ run: { ...of, activities: [] }, effects }),
    /c: attempt 1 was never reported, and nobody knows/,
  ],
  [
    'a step that was scheduled twice',
    ({ run: of, effects }) => ({ run: { ...of, events: doubled(of.events, 'ActivityScheduled') }, effects }),
    /a step was recorded twice/,
  ],
  [
    'a step that completed twice',
    ({ run: of, effects }) => ({ run: { ...of, events: doubled(of.events, 'ActivityCompleted') }, effects }),
    /5 ActivityCompleted instead of 4/,
  ],
  [
    'a completion that is missing',
    ({ run: of, effects }) => ({ run: { ...of, events: without(of.events, 'ActivityCompleted') }, effects }),
    /3 ActivityCompleted instead of 4/,
  ],
  [
    'an attempt that is missing',
    ({ run: of, effects }) => ({
      run: { ...of, events: numbered(of.events.filter(({ payload }) => payload.activity_attempt_id !== 'cx1')) },
      effects,
    }),
    /c: attempts 2 have a gap/,
  ],
  [
    'a gap in history',
    ({ run: of, effects }) => ({ run: { ...of, events: of.events.filter((_, at) => at !== 3) }, effects }),
    /history is not dense/,
  ],
  [
    'a run that ended twice',
    ({ run: of, effects }) => ({ run: { ...of, events: doubled(of.events, 'WorkflowCompleted') }, effects }),
    /2 WorkflowCompleted instead of 1/,
  ],
  [
    'a second run of the workflow',
    ({ run: of, effects }) => ({ run: { ...of, runs: [...of.runs, { runId: 'r2', status: 'completed' }] }, effects }),
    /2 runs instead of one/,
  ],
  [
    'a run that failed',
    ({ run: of, effects }) => ({ run: { ...of, runs: [{ runId: 'r1', status: 'failed' }] }, effects }),
    /ended as failed/,
  ],
  [
    'a wrong result',
    ({ run: of, effects }) => ({ run: { ...of, output: ['r1 a'] }, effects }),
    /answered \["r1 a"\] instead of/,
  ],
]

test.each(faults)('%s is found', (_, plant, says) => {
  const { run: bad, effects } = plant(chain())
  expect(judge([bad], effects).problems.join('\n')).toMatch(says)
})

// Where code and history differ: which differences count. What the report says: mismatch-report.test.ts.

import { encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, it } from 'vitest'
import { activity, signal, type, workflow } from '../../src/index.ts'
import {
  applied,
  cold,
  completed,
  conditionOpened,
  event,
  history,
  numbered,
  openReplay,
  received,
  scheduled,
  signalOpened,
  type TestEvent,
  timerFired,
  timerScheduled,
} from './history.ts'

const charge = activity('charge', { input: type<number>(), output: type<string>() })
const approved = signal('approved', type<string>())

const buy = workflow('buy', { handles: [approved] }, async (ctx) => {
  await ctx.run(charge, 7)
  await ctx.sleep('5s')
  await ctx.waitFor(approved)
  await ctx.condition(() => false, { timeout: '60s' })
})
const upTo = {
  timer: [scheduled(1, 'charge'), completed(1, 'p1')],
  signal: [scheduled(1, 'charge'), completed(1, 'p1'), timerScheduled(2, 5), timerFired(2, 5)],
  condition: [
    scheduled(1, 'charge'),
    completed(1, 'p1'),
    timerScheduled(2, 5),
    timerFired(2, 5),
    signalOpened(3, 'approved'),
    received('s1', 'approved', 'ada'),
    applied(3, 's1', 'approved', 'ada'),
  ],
}

describe('the report', () => {
  it('says where the code waits when it makes no further call', async () => {
    const shorter = workflow('buy', {}, async (ctx) => {
      await ctx.run(charge, 7)
    })
    await expect(cold(shorter, history(scheduled(1, 'charge'), timerScheduled(2, 5)))).rejects.toMatchObject({
      reason: 'recorded_commands_unconsumed',
      message: expect.stringMatching(/it waits for ctx\.run\(charge\) at .*mismatch\.test\.ts:\d+:\d+/),
    })
    await expect(cold(shorter, history(...upTo.timer, timerScheduled(2, 5)))).rejects.toMatchObject({
      facts: { actual: 'end of the workflow function', sequence: 2 },
    })
  })

  it('comes from the sticky tail as from the whole history', async () => {
    const { replay } = openReplay(buy)
    await replay.step(history(...upTo.timer), {})
    await expect(replay.step(numbered([timerScheduled(2, 6)], 4), {})).rejects.toMatchObject({
      reason: 'timer_delay_mismatch',
    })
  })
})

describe('compared', () => {
  it.each<[string, readonly TestEvent[], string]>([
    ['activity type', [scheduled(1, 'refund')], 'activity_identity_mismatch'],
    [
      'activity type of the snapshot',
      [event('ActivityScheduled', { sequence: 1, activity: { type: 'refund' } })],
      'activity_identity_mismatch',
    ],
    [
      'activity type of the terminal row alone',
      [event('ActivityCompleted', { sequence: 1, activity_type: 'refund', result: encodeEnvelope('x') })],
      'activity_identity_mismatch',
    ],
    [
      'execution mode',
      [event('ActivityScheduled', { sequence: 1, activity_type: 'charge', local_activity: true })],
      'activity_execution_mode_mismatch',
    ],
    ['kind of step', [timerScheduled(1, 7)], 'recorded_command_mismatch'],
    [
      'a step of a kind this code never makes',
      [event('SideEffectRecorded', { sequence: 1, result: encodeEnvelope(1) })],
      'recorded_command_mismatch',
    ],
    ['delay', [...upTo.timer, timerScheduled(2, 6)], 'timer_delay_mismatch'],
    [
      'delay written as null',
      [...upTo.timer, event('TimerScheduled', { sequence: 2, delay_seconds: null })],
      'timer_delay_mismatch',
    ],
    ['signal name', [...upTo.signal, signalOpened(3, 'rejected')], 'signal_wait_identity_mismatch'],
    ['condition timeout', [...upTo.condition, conditionOpened(4, 30)], 'condition_timeout_mismatch'],
    [
      'condition key',
      [...upTo.condition, event('ConditionWaitOpened', { sequence: 4, condition_wait_id: 'c', condition_key: '9' })],
      'condition_key_changed',
    ],
    ['end of the run', [event('WorkflowCompleted', {})], 'recorded_command_mismatch'],
  ])('%s', async (_name, events, reason) => {
    await expect(cold(buy, history(...events))).rejects.toMatchObject({ name: 'NonDeterminismError', reason })
  })
})

describe('not compared', () => {
  it.each<[string, TestEvent]>([
    [
      'arguments, queue, retry policy and timeouts',
      event('ActivityScheduled', {
        sequence: 1,
        activity_type: 'charge',
        activity: { queue: 'other', arguments: 'x', retry_policy: { max_attempts: 1 } },
      }),
    ],
    ['what history does not state', event('ActivityScheduled', { sequence: 1 })],
    [
      'an empty group path',
      event('ActivityScheduled', { sequence: 1, activity_type: 'charge', parallel_group_path: [] }),
    ],
    ['a group path that is null', event('ActivityScheduled', { sequence: 1, parallel_group_path: null })],
    ['unknown keys', event('ActivityScheduled', { sequence: 1, activity_type: 'charge', task: { id: 't' }, later: 1 })],
    ['numbers written as digits', event('ActivityScheduled', { sequence: '1', activity_type: 'charge' })],
  ])('%s', async (_name, opening) => {
    const step = await cold(buy, history(opening, completed(1, 'p1')))
    expect(step.commands).toEqual([{ type: 'start_timer', delay_seconds: 5 }])
  })

  it('event types that this version does not know', async () => {
    const events = [
      event('StartAccepted', {}),
      event('SomethingNew', { sequence: 1 }),
      event('ActivityHeartbeatRecorded', { sequence: 1 }),
    ]
    expect((await cold(buy, history(...events))).commands).toMatchObject([{ type: 'schedule_activity' }])
  })

  it('how dense step numbers are: the next recorded step belongs to the next call', async () => {
    const sparse = [scheduled(3, 'charge'), completed(3, 'p1')]
    const step = await cold(buy, history(...sparse))
    expect(step).toMatchObject({ commands: [{ type: 'start_timer' }], steps: [4] })
  })
})

describe('unreadable history', () => {
  it.each<[string, TestEvent]>([
    ['a result with another codec', event('ActivityCompleted', { sequence: 1, result: 'AA==', payload_codec: 'json' })],
    [
      'a codec that is null',
      event('ActivityCompleted', { sequence: 1, result: encodeEnvelope(1), payload_codec: null }),
    ],
    ['raw JSON where a payload belongs', event('SignalReceived', { signal_name: 'other', arguments: [1] })],
  ])('%s fails the task, also where no code asks for the value', async (_name, bad) => {
    await expect(cold(buy, history(scheduled(1, 'charge'), bad))).rejects.toMatchObject({
      name: 'CodecError',
      reason: 'unsupported_payload_codec',
    })
  })
})

// The whole text of a mismatch, change by change: what was recorded and where it belongs, what the code does and where, what to do.
//
// In the texts below a place in this file reads as the source that stands there, so that each shows the call it names.
import { readFileSync } from 'node:fs'
import { encodeEnvelope } from '@durable-workflow/codec'
import { expect, it, test } from 'vitest'
import { activity, NonDeterminismError, signal, type, type WorkflowContext, workflow } from '../../src/index.ts'
import {
  cold,
  completed,
  conditionOpened,
  event,
  history,
  scheduled,
  signalOpened,
  type TestEvent,
  timerFired,
  timerScheduled,
} from './history.ts'

const charge = activity('charge', { output: type<string>() })
const email = activity('email')
const approved = signal('approved', type<string>())
const rejected = signal('rejected', type<string>())

const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
const placesAsSource = (text: string) =>
  text.replaceAll(/(?:file:\/\/)?[^\s()]*mismatch-report\.test\.ts:(\d+):(\d+)/g, (_place, line, column) => {
    const source = (lines[Number(line) - 1] ?? '').slice(Number(column) - 1)
    return `‹${source.replace(/[;,]$/, '')}›`
  })

/** The error of `code` against recorded rows. */
async function mismatchOf(
  code: (ctx: WorkflowContext<typeof approved | typeof rejected>) => Promise<unknown>,
  rows: readonly TestEvent[],
  overrides: Parameters<typeof cold>[2] = {},
): Promise<NonDeterminismError> {
  const flow = workflow('buy', { handles: [approved, rejected] }, code)
  const error = await cold(flow, history(...rows), overrides).catch((caught: unknown) => caught)
  if (!NonDeterminismError.is(error)) throw new Error(`no mismatch: ${String(error)}`)
  return error
}

const open =
  'The run stays open and no attempt is used up. Deploy code that makes the recorded call, new calls behind ctx.version. A worker whose code differs resumes the run by itself; where it looks the same, handle.repair() does.'
const closed = 'The run is closed. Restore what the code did for this run, or put what is new behind ctx.version.'

const paid = [scheduled(1, 'charge'), completed(1, 'p1')]
const grouped = (row: TestEvent, base: number, size: number, index: number): TestEvent => {
  const entry = {
    parallel_group_id: `parallel-calls:${base}:${size}`,
    parallel_group_kind: 'mixed',
    parallel_group_base_sequence: base,
    parallel_group_size: size,
    parallel_group_index: index,
  }
  return { ...row, payload: { ...row.payload, ...entry, parallel_group_path: [entry] } }
}
const marker = (change_id: string, version: number) =>
  event('VersionMarkerRecorded', { sequence: 2, change_id, version, min_supported: -1, max_supported: version })

interface Changed {
  readonly rows: readonly TestEvent[]
  readonly code: Parameters<typeof mismatchOf>[0]
  readonly step: number
  readonly says: string
  readonly facts: Record<string, unknown>
  readonly ends?: string
}

const changes: Readonly<Record<string, Changed>> = {
  'swapped calls': {
    rows: [...paid, timerScheduled(2, 5), scheduled(3, 'email')],
    code: async (ctx) => {
      await ctx.run(charge)
      const sent = ctx.run(email)
      await Promise.all([ctx.sleep('5s'), sent])
    },
    step: 2,
    says: "recorded is TimerScheduled 5 s (history event 4), after ctx.run(charge) at ‹run(charge)›, which the code makes later in this turn at ‹sleep('5s'), sent])›; the code calls ctx.run(email) at ‹run(email)› (the recorded step is of kind timer, the call of kind activity).",
    facts: {
      reason: 'recorded_command_mismatch',
      expected: 'TimerScheduled 5 s',
      expectedPlace: "‹sleep('5s'), sent])›",
      expectedAfter: 'ctx.run(charge)',
      expectedAfterPlace: '‹run(charge)›',
      actual: 'schedule_activity "email"',
      actualCall: 'ctx.run(email)',
      actualPlace: '‹run(email)›',
    },
  },
  'a renamed activity': {
    rows: [scheduled(1, 'charge')],
    code: async (ctx) => ctx.run(email),
    step: 1,
    says: 'recorded is ActivityScheduled "charge" (history event 2); the code calls ctx.run(email) at ‹run(email)› (activity "charge" is recorded, the code runs "email").',
    facts: {
      reason: 'activity_identity_mismatch',
      expected: 'ActivityScheduled "charge"',
      expectedPlace: undefined,
      actualPlace: '‹run(email)›',
    },
  },
  'a removed call': {
    rows: [...paid, timerScheduled(2, 5), timerFired(2, 5), scheduled(3, 'email')],
    code: async (ctx) => {
      await ctx.run(charge)
      await ctx.run(email)
    },
    step: 2,
    says: 'recorded is TimerScheduled 5 s (history event 4), after ctx.run(charge) at ‹run(charge)›; the code calls ctx.run(email) at ‹run(email)› (the recorded step is of kind timer, the call of kind activity).',
    facts: { reason: 'recorded_command_mismatch', expectedPlace: '‹run(charge)›', actualPlace: '‹run(email)›' },
  },
  'an added call': {
    rows: [...paid, timerScheduled(2, 5)],
    code: async (ctx) => {
      await ctx.run(charge)
      await ctx.run(email)
      await ctx.sleep('5s')
    },
    step: 2,
    says: 'recorded is TimerScheduled 5 s (history event 4), after ctx.run(charge) at ‹run(charge)›; the code calls ctx.run(email) at ‹run(email)› (the recorded step is of kind timer, the call of kind activity).',
    facts: { reason: 'recorded_command_mismatch', actual: 'schedule_activity "email"', historySequence: 4 },
  },
  'an added call that nobody awaits': {
    rows: [...paid, timerScheduled(2, 5)],
    code: async (ctx) => {
      await ctx.run(charge)
      void ctx.run(email)
      await ctx.sleep('5s')
    },
    step: 2,
    says: "recorded is TimerScheduled 5 s (history event 4), after ctx.run(charge) at ‹run(charge)›, which the code makes later in this turn at ‹sleep('5s')›; the code calls ctx.run(email) at ‹run(email)› (the recorded step is of kind timer, the call of kind activity).",
    facts: { expectedPlace: "‹sleep('5s')›", actualPlace: '‹run(email)›' },
  },
  'a changed timer': {
    rows: [timerScheduled(1, 5)],
    code: async (ctx) => ctx.sleep('10s'),
    step: 1,
    says: "recorded is TimerScheduled 5 s (history event 2); the code calls ctx.sleep at ‹sleep('10s')› (delay_seconds 5 is recorded, the code's is 10).",
    facts: { reason: 'timer_delay_mismatch', expected: 'TimerScheduled 5 s', actual: 'start_timer 10 s' },
  },
  'a changed group': {
    rows: [grouped(scheduled(1, 'charge'), 1, 2, 0), grouped(timerScheduled(2, 5), 1, 2, 1)],
    code: async (ctx) => Promise.all([ctx.run(charge), ctx.sleep('5s')]),
    step: 1,
    says: 'recorded is ActivityScheduled "charge" (history event 2); the code calls ctx.run(charge) at ‹run(charge), ctx.sleep(\'5s\')])› (the recorded step is a member of parallel-calls:1:2[0], the call of no group).',
    facts: { reason: 'parallel_group_shape_mismatch', actual: 'schedule_activity "charge"' },
  },
  'a changed signal name': {
    rows: [signalOpened(1, 'approved')],
    code: async (ctx) => ctx.waitFor(rejected),
    step: 1,
    says: 'recorded is SignalWaitOpened "approved" (history event 2); the code calls ctx.waitFor(rejected) at ‹waitFor(rejected)› (signal_name "approved" is recorded, the code\'s is "rejected").',
    facts: { reason: 'signal_wait_identity_mismatch', actual: 'open_signal_wait "rejected"' },
  },
  'a changed condition': {
    rows: [conditionOpened(1, 30)],
    code: async (ctx) => ctx.condition(() => false, { timeout: '60s' }),
    step: 1,
    says: "recorded is ConditionWaitOpened \"1\" 30 s (history event 2); the code calls ctx.condition at ‹condition(() => false, { timeout: '60s' })› (timeout_seconds 30 is recorded, the code's is 60).",
    facts: { reason: 'condition_timeout_mismatch', actual: 'open_condition_wait "1" 60 s' },
  },
  'a condition that became another call': {
    rows: [...paid, conditionOpened(2)],
    code: async (ctx) => {
      await ctx.run(charge)
      await ctx.sideEffect('draw', () => 1)
    },
    step: 2,
    says: 'recorded is ConditionWaitOpened "2" (history event 4), after ctx.run(charge) at ‹run(charge)›; the code calls ctx.sideEffect(draw) at ‹sideEffect(\'draw\', () => 1)› (the recorded step is of kind condition wait, the call of kind side effect).',
    facts: { reason: 'recorded_command_mismatch', actual: 'record_side_effect', actualCall: 'ctx.sideEffect(draw)' },
  },
  'code that ended too early': {
    rows: [...paid, timerScheduled(2, 5)],
    code: async (ctx) => ctx.run(charge),
    step: 2,
    says: 'recorded is TimerScheduled 5 s (history event 4), after ctx.run(charge) at ‹run(charge)›; the workflow function has ended.',
    facts: {
      reason: 'recorded_commands_unconsumed',
      expectedPlace: '‹run(charge)›',
      actual: 'end of the workflow function',
      actualPlace: undefined,
    },
  },
  'code that failed too early': {
    rows: [...paid, timerScheduled(2, 5)],
    code: async (ctx) => {
      await ctx.run(charge)
      throw new RangeError('out of stock')
    },
    step: 2,
    says: "recorded is TimerScheduled 5 s (history event 4), after ctx.run(charge) at ‹run(charge)›; the workflow function has failed at ‹new RangeError('out of stock')› with RangeError: out of stock.",
    facts: {
      reason: 'recorded_commands_unconsumed',
      actual: 'failure of the workflow function',
      actualPlace: "‹new RangeError('out of stock')›",
    },
  },
  'code that waits where history goes on': {
    rows: [scheduled(1, 'charge'), timerScheduled(2, 5)],
    code: async (ctx) => {
      await ctx.run(charge)
      await ctx.sleep('5s')
    },
    step: 2,
    says: 'recorded is TimerScheduled 5 s (history event 3), after ctx.run(charge) at ‹run(charge)›; the code makes no further call; it waits for ctx.run(charge) at ‹run(charge)›.',
    facts: { reason: 'recorded_commands_unconsumed', actual: 'no call', actualPlace: '‹run(charge)›' },
  },
  'code that goes on after the recorded end': {
    rows: [...paid, event('WorkflowCompleted', { output: encodeEnvelope('p1') })],
    code: async (ctx) => {
      await ctx.run(charge)
      await ctx.run(email)
    },
    step: 2,
    says: 'recorded is WorkflowCompleted (history event 4), after ctx.run(charge) at ‹run(charge)›; the code calls ctx.run(email) at ‹run(email)›.',
    facts: { reason: 'recorded_command_mismatch', expected: 'WorkflowCompleted', actual: 'schedule_activity "email"' },
    ends: closed,
  },
  'code that fails where the run completed': {
    rows: [...paid, event('WorkflowCompleted', { output: encodeEnvelope('p1') })],
    code: async (ctx) => {
      await ctx.run(charge)
      throw new RangeError('out of stock')
    },
    step: 2,
    says: "recorded is WorkflowCompleted (history event 4), after ctx.run(charge) at ‹run(charge)›; the workflow function has failed at ‹new RangeError('out of stock')› with RangeError: out of stock.",
    facts: { reason: 'recorded_command_mismatch' },
    ends: closed,
  },
  'a changed version range': {
    rows: [...paid, marker('pack-first', 1)],
    code: async (ctx) => {
      await ctx.run(charge)
      ctx.version('pack-first', { min: 2, max: 3 })
    },
    step: 2,
    says: 'recorded is VersionMarkerRecorded "pack-first" version 1 (history event 4), after ctx.run(charge) at ‹run(charge)›; the code calls ctx.version(pack-first) at ‹version(\'pack-first\', { min: 2, max: 3 })›, which asks for record_version_marker "pack-first" version 2 to 3 (the run is pinned to version 1, and the code runs 2 to 3; keep the code of version 1 until no open run needs it).',
    facts: { reason: 'version_marker_incompatible_range', expected: 'VersionMarkerRecorded "pack-first" version 1' },
  },
  'a version that no run from before the change has': {
    rows: [...paid, timerScheduled(2, 5)],
    code: async (ctx) => {
      await ctx.run(charge)
      ctx.version('pack-first', { min: 1, max: 2 })
      await ctx.sleep('5s')
    },
    step: 2,
    says: 'recorded is no marker of this change, after ctx.run(charge) at ‹run(charge)›; the code calls ctx.version(pack-first) at ‹version(\'pack-first\', { min: 1, max: 2 })›, which asks for record_version_marker "pack-first" version 1 to 2 (the run is pinned to version -1, from before the change, and the code runs 1 to 2; keep the code of version -1 until no open run needs it).',
    facts: { reason: 'version_marker_incompatible_range', expected: 'no marker of this change' },
  },
  'a change with another name': {
    rows: [...paid, marker('pack-first', 1), timerScheduled(3, 5)],
    code: async (ctx) => {
      await ctx.run(charge)
      ctx.version('pack-early', { max: 1 })
      await ctx.sleep('5s')
    },
    step: 2,
    says: 'recorded is VersionMarkerRecorded "pack-first" version 1 (history event 4), after ctx.run(charge) at ‹run(charge)›; the code calls ctx.version(pack-early) at ‹version(\'pack-early\', { max: 1 })› (change_id "pack-first" is recorded, the code\'s is "pack-early").',
    facts: { reason: 'version_change_id_mismatch' },
  },
}

it.each(Object.entries(changes))('%s', async (_name, { rows, code, step, says, facts, ends = open }) => {
  const error = await mismatchOf(code, rows)
  expect(placesAsSource(error.message)).toBe(
    `Replay of run run-1 of workflow "order-1" (type "buy") differs from its history at step ${step}: ${says} ${ends}`,
  )
  const said = Object.entries({ ...error.facts, reason: error.reason })
  const readable = said.map(([key, value]) => [key, typeof value === 'string' ? placesAsSource(value) : value])
  expect(Object.fromEntries(readable)).toMatchObject({
    workflowId: 'order-1',
    runId: 'run-1',
    workflowType: 'buy',
    sequence: step,
    replayVersion: 1,
    ...facts,
  })
  expect(error.message).toContain(error.remedy)
})

test('of many open calls the first five are named', async () => {
  const naps = Array.from({ length: 7 }, (_, index) => timerScheduled(index + 1, index + 1))
  const error = await mismatchOf(
    async (ctx) => Promise.all([1, 2, 3, 4, 5, 6, 7].map((seconds) => ctx.sleep(seconds * 1_000))),
    [...naps, scheduled(8, 'charge')],
  )
  expect(placesAsSource(error.message)).toMatch(
    /it waits for (ctx\.sleep at ‹[^›]*›, ){4}ctx\.sleep at ‹[^›]*› and 2 more\./,
  )
})

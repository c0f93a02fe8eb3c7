// Published histories that this part of the SDK covers, replayed against the workflows they were recorded from, written anew.
//
// The manifest of vectors lists every file: replayed here, or left out with the reason.
import { existsSync, readFileSync } from 'node:fs'
import { encodeEnvelope } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { vectorManifest } from '../../../../tests/support/vector-manifest.ts'
import { activity, signal, type, type WorkflowImplementation, workflow } from '../../src/index.ts'
import type { ReplayStep } from '../../src/replay/replay.ts'
import { completed, event, numbered, type Overrides, openReplay, scheduled } from './history.ts'

const folder = new URL('../../../../../shared/vectors/', import.meta.url)
const isPresent = existsSync(folder)
if (!isPresent) console.warn('SKIPPED: the published histories are not beside the repository (../shared/vectors)')

const Row = z.looseObject({ event_type: z.string(), payload: z.record(z.string(), z.unknown()) })
const commands = z.array(z.looseObject({ type: z.string(), activity_type: z.string().optional() })).min(1)
const Golden = z.object({ cases: z.array(z.looseObject({ name: z.string(), history: z.array(Row) })) })
const Commands = z.object({
  command_sequence: z.tuple([z.looseObject({ commands }), z.looseObject({ commands })]),
})
const Lifetimes = z.object({
  workflow_tasks: z.array(z.object({ workflow_id: z.string(), run_id: z.string() })).min(3),
})
const Regression = z.looseObject({ history: z.array(Row).default([]) })

/** Files that a test has read. */
const used = new Set<string>()

function read(path: string): unknown {
  used.add(path)
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
}

/** The rows of a golden case; PHP's goldens hold plain values where the wire holds payloads. */
function goldenCase(path: string, name: string): HistoryEvent[] {
  const found = Golden.parse(read(`golden-history/${path}.json`)).cases.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${path} has no case "${name}"`)
  return numbered(
    found.history.map((row) => event(row.event_type, encoded(row.payload))),
    1,
  )
}

function encoded(payload: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) =>
      key.endsWith('_value') ? [key.slice(0, -'_value'.length), encodeEnvelope(value)] : [key, value],
    ),
  )
}

function regression(path: string): HistoryEvent[] {
  return numbered(
    Regression.parse(read(`replay-regressions/${path}.json`)).history.map((row) => event(row.event_type, row.payload)),
    1,
  )
}

async function replayed(
  flow: WorkflowImplementation,
  rows: readonly HistoryEvent[],
  overrides: Overrides = {},
): Promise<ReplayStep & { result: unknown }> {
  const { replay } = openReplay(flow, overrides)
  const step = await replay.step(rows, {})
  const terminal = step.commands.at(-1)
  return { ...step, result: terminal?.type === 'complete_workflow' ? terminal.result : undefined }
}

const output = (value: unknown) => ({ outcome: { kind: 'completed' }, result: encodeEnvelope(value) })

const name = 'Tests\\Fixtures\\V2\\TestGreetingActivity'
const greetAnyone = activity(name, { input: type<string>(), output: type<string>() })
const greeting = workflow(
  'golden.single-activity',
  { input: type<string>(), output: type<string>() },
  async (ctx, who) => ctx.run(activity('golden.greet', { input: type<string>(), output: type<string>() }), who),
)
const phpGreeting = workflow('php.single-activity', { output: type<unknown>() }, async (ctx) => {
  const greeted = await ctx.run(greetAnyone, 'Ada')
  return { greeting: greeted, events: [`activity:${greeted}`] }
})

const approve = signal('approve', type<string>())
const approval = (timeout: '30s' | '5s') =>
  workflow('golden.approval', { output: type<unknown>(), handles: [approve] }, async (ctx) => {
    let by: string | undefined
    ctx.handle(approve, (who) => {
      by = who
    })
    if (!(await ctx.condition(() => by !== undefined, { timeout }))) return 'timed-out'
    return { approved_by: by, activity_result: await ctx.run(activity('golden.notify', { output: type<string>() })) }
  })

const one = activity('golden.activity-one', { output: type<unknown>() })
const two = activity('golden.activity-two', { output: type<unknown>() })
const parallel = workflow('golden.parallel', { output: type<unknown>() }, async (ctx) => {
  try {
    return await ctx.all([ctx.run(one), ctx.run(two)])
  } catch (error) {
    return { failure: error instanceof Error ? error.name : 'unknown' }
  }
})

// What the manifest calls passing or refused has been read by a test of this file, and nothing else has.
afterAll(() => {
  if (!isPresent) return
  const proven = Object.entries(vectorManifest).filter(
    ([file, fate]) => /^(golden-history|replay-regressions)\//.test(file) && /^(passing|refused)/.test(fate),
  )
  expect([...used].sort()).toEqual(proven.map(([file]) => file).sort())
})

describe.skipIf(!isPresent)('golden histories', () => {
  it('python: single activity', async () => {
    const flow = workflow(
      'golden.single-activity',
      { input: type<string>(), output: type<string>() },
      async (ctx, who) => ctx.run(activity('golden.greet', { input: type<string>(), output: type<string>() }), who),
    )
    expect(
      await replayed(flow, goldenCase('python-sdk-2.0.0-rc.30-avro', 'single_activity_completion'), { input: ['Ada'] }),
    ).toMatchObject(output('hello Ada'))
  })

  it('python: a signal satisfies a condition', async () => {
    const rows = goldenCase('python-sdk-2.0.0-rc.30-avro-signal', 'signal_satisfies_wait_condition')
    expect(await replayed(approval('30s'), rows)).toMatchObject(
      output({ approved_by: 'alice', activity_result: 'notified' }),
    )
  })

  it('python: a condition times out', async () => {
    expect(
      await replayed(approval('5s'), goldenCase('python-sdk-2.0.0-rc.30-avro-timeout', 'wait_condition_timeout')),
    ).toMatchObject(output('timed-out'))
  })

  it.each([
    ['single_activity_completion', greeting],
    ['signal_satisfies_wait_condition', approval('30s')],
  ])('python 0.3.1, before 2.0: refused by codec, %s', async (name, flow) => {
    await expect(replayed(flow, goldenCase('python-sdk-0.3.1', name), { input: ['Ada'] })).rejects.toMatchObject({
      name: 'CodecError',
    })
  })

  it('php: single activity', async () => {
    expect(
      await replayed(phpGreeting, goldenCase('php-workflow-2.0.0-alpha.7', 'single activity result')),
    ).toMatchObject(output({ greeting: 'Hello, Ada!', events: ['activity:Hello, Ada!'] }))
  })

  it('python: a version marker selects the new path', async () => {
    const flow = workflow('golden.version-marker', {}, async (ctx) => {
      const path = ctx.version('golden-version', { min: 1, max: 2 }) === 2 ? 'new' : 'old'
      await ctx.run(activity(`golden.version-${path}-path`))
    })
    const rows = goldenCase('python-sdk-2.0.0-rc.30-avro-version', 'version_marker_new_path')
    const step = await replayed(flow, rows)
    expect(step.commands).toMatchObject([{ type: 'schedule_activity', activity_type: 'golden.version-new-path' }])
  })

  it('php: a version marker selects the new path', async () => {
    const flow = workflow('version-marker', { output: type<unknown>() }, async (ctx) => {
      const version = ctx.version('golden-version', { max: 2 })
      const versioned = activity(`Tests\\Fixtures\\V2\\TestVersionedActivityV${version + 1}`, {
        output: type<string>(),
      })
      return { version, version_result: await ctx.run(versioned) }
    })
    const rows = goldenCase('php-workflow-2.0.0-alpha.7', 'version marker selects new path')
    expect(await replayed(flow, rows)).toMatchObject(output({ version: 2, version_result: 'v3_result' }))
  })

  it('php: signal, then activity', async () => {
    const provided = signal('name-provided', type<string>())
    const flow = workflow('signal-activity', { output: type<unknown>(), handles: [provided] }, async (ctx) => {
      const who = await ctx.waitFor(provided)
      return { name: who, greeting: await ctx.run(greetAnyone, who) }
    })
    expect(await replayed(flow, goldenCase('php-workflow-2.0.0-alpha.7', 'signal then activity'))).toMatchObject(
      output({ name: 'Grace', greeting: 'Hello, Grace!' }),
    )
  })
})

describe.skipIf(!isPresent)('replay regressions', () => {
  it('python: parallel results in declaration order, completed in reverse', async () => {
    const flow = workflow('tests.replay.parallel-result-binding', { output: type<unknown>() }, async (ctx) => {
      const read = (position: string) => ctx.run(activity(position, { output: type<string>() }))
      return { results: await ctx.all([read('position-first'), read('position-second')]) }
    })
    const step = await replayed(flow, regression('python/server-2.0.0-rc.39-parallel-completion-order'))
    expect(step).toMatchObject(output({ results: ['first-position', 'second-position'] }))
  })

  it('engine: parallel timers fire in reverse', async () => {
    const flow = workflow('timers', { output: type<unknown>() }, async (ctx) => {
      await ctx.all([ctx.sleep('5s'), ctx.sleep('1s')])
      return { timers_completed: true }
    })
    expect(await replayed(flow, regression('engine/parallel-timer-group-reverse-completion'))).toMatchObject(
      output({ timers_completed: true }),
    )
  })

  it('engine: a step number that is the row number', async () => {
    const step = await replayed(phpGreeting, regression('engine/workflow-fiber-activity-history-sequence'))
    expect(step).toMatchObject(output({ greeting: 'Hello, Ada!', events: ['activity:Hello, Ada!'] }))
  })

  it('engine: command, then completion', async () => {
    const [first, last] = Commands.parse(
      read('replay-regressions/engine/workflow-fiber-activity-command-sequence.json'),
    ).command_sequence
    const { replay } = openReplay(phpGreeting)
    const expected = first?.commands.map(({ type, activity_type }) => ({ type, activity_type }))
    expect((await replay.step([], {})).commands).toMatchObject(expected ?? [])
    const rows = numbered([scheduled(1, name), completed(1, first?.resume_with)], 1)
    expect((await replay.step(rows, {})).commands).toMatchObject(last?.commands ?? [])
  })

  it('engine: an activity of a workflow with injected facts', async () => {
    const inner = activity('Tests\\Fixtures\\V2\\TestConstructorInjectionActivity', {
      input: type<string>(),
      output: type<{ name: string }>(),
    })
    const flow = workflow(
      'injected',
      { input: type<string>(), output: type<string>() },
      async (ctx, who) => (await ctx.run(inner, who)).name,
    )
    expect(
      await replayed(flow, regression('engine/constructor-injected-workflow-activity'), { input: ['Taylor'] }),
    ).toMatchObject(output('Taylor'))
  })

  it('php: straight line', async () => {
    expect(
      await replayed(greeting, regression('php/fiber-straight-line-transition'), { input: ['Ada'] }),
    ).toMatchObject(output('hello, Ada'))
  })

  it('php: parallel success, failure of one member, restart half way', async () => {
    expect(await replayed(parallel, regression('php/parallel-success'))).toMatchObject(output([null, null]))
    expect(await replayed(parallel, regression('php/parallel-one-member-failure'))).toMatchObject(
      output({ failure: 'ActivityFailure' }),
    )
    expect(await replayed(parallel, regression('php/parallel-partial-restart'))).toMatchObject({
      commands: [],
      outcome: { kind: 'waiting' },
    })
  })

  it('php: a condition satisfied by a signal, and one that timed out', async () => {
    const closing = workflow('golden.signal', { handles: [approve] }, async (ctx) => {
      let by: string | undefined
      ctx.handle(approve, (who) => {
        by = who
      })
      await ctx.condition(() => by === 'Ada', { timeout: '30s' })
    })
    expect(await replayed(closing, regression('php/condition-wait-signal-satisfaction'))).toMatchObject({
      commands: [],
      outcome: { kind: 'completed' },
    })
    expect(await replayed(approval('5s'), regression('php/condition-wait-timeout'))).toMatchObject(output('timed-out'))
  })

  it('php: a group that changed its shape is a mismatch at its first member', async () => {
    const rows = regression('php/parallel-nondeterministic-shape-change')
    for (const members of [[one], [one, two, one]]) {
      const flow = workflow('golden.parallel', {}, async (ctx) => {
        await ctx.all(members.map((member) => ctx.run(member)))
      })
      await expect(replayed(flow, rows)).rejects.toMatchObject({
        reason: 'parallel_group_shape_mismatch',
        facts: { sequence: 1 },
      })
    }
    const single = workflow('golden.parallel', {}, async (ctx) => {
      await ctx.run(one)
    })
    await expect(replayed(single, rows)).rejects.toMatchObject({ reason: 'parallel_group_shape_mismatch' })
  })

  it('php: a version marker behind an activity', async () => {
    const flow = workflow('golden.single-activity', { output: type<unknown>() }, async (ctx) => {
      const greeted = await ctx.run(activity('golden.greet', { output: type<string>() }))
      ctx.version('checkout-routing', { min: 1, max: 2 })
      return greeted
    })
    expect(await replayed(flow, regression('php/version-marker-cold-replay'))).toMatchObject(output('hello, Ada'))
  })

  const capturing = (calls: string[]) =>
    workflow('corpus.side-effect-version', { output: type<unknown>() }, async (ctx) => {
      const captured = await ctx.sideEffect('capture', () => {
        calls.push('computed')
        return 'computed now'
      })
      return { captured, version: ctx.version('cold-restart', { min: 1, max: 2 }) }
    })

  it('rust: a side effect is not computed in a replay, a version is the recorded one', async () => {
    const calls: string[] = []
    const step = await replayed(capturing(calls), regression('rust/side-effect-version-cold-replay-avro'))
    expect(step).toMatchObject(output({ captured: 'captured-once', version: 2 }))
    expect(calls).toEqual([])
  })

  it('php: changed code is named with its step', async () => {
    await expect(replayed(greeting, regression('php/mismatched-replay'), { input: ['Ada'] })).rejects.toMatchObject({
      name: 'NonDeterminismError',
      facts: { sequence: 12 },
    })
  })

  it('php: runs share nothing', async () => {
    const flow = workflow('golden.attributed-stateful', { output: type<unknown>() }, async (ctx) => {
      let invocation = 0
      invocation += 1
      return { run: ctx.info.runId, invocation }
    })
    const { workflow_tasks: tasks } = Lifetimes.parse(read('replay-regressions/php/attributed-workflow-lifetime.json'))
    for (const { workflow_id: workflowId, run_id: runId } of tasks) {
      const run = {
        workflowId,
        runId,
        workflowType: flow.name,
        namespace: 'default',
        taskQueue: 'q',
        attempt: 1,
        startedAt: 0,
        historyBytes: 0,
        continueAsNewSuggested: false,
      }
      expect(await replayed(flow, [], { run })).toMatchObject(output({ run: runId, invocation: 1 }))
    }
  })

  it.each([
    ['engine/json-tagged-payload-codec-rejected', phpGreeting],
    ['python/json-tagged-empty-workflow-start-rejected', phpGreeting],
    ['rust/signal-null-json-codec-rejected', phpGreeting],
    ['rust/side-effect-version-cold-replay', capturing([])],
  ])('%s: refused by codec', async (path, flow) => {
    await expect(replayed(flow, regression(path))).rejects.toMatchObject({
      name: 'CodecError',
      reason: 'unsupported_payload_codec',
    })
  })
})

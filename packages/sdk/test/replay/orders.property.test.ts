// RP5: whatever order a server's rows come in, cold and in steps the same commands leave, byte for byte.
//
// Method: a server that only numbers rows takes the commands of a step, opens them, and ends open ones in an order that
// fast-check chooses, with signals between. Sometimes it wakes the run, sometimes it lets rows gather. After every wake the
// sticky replay's commands are compared with those of a cold replay of the whole history.
import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import type { Command, HistoryEvent } from '@durable-workflow/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ActivityFailure,
  activity,
  query,
  signal,
  TimeoutFailure,
  type,
  type WorkflowContext,
  type WorkflowImplementation,
  workflow,
} from '../../src/index.ts'
import { event, numbered, openReplay, type TestEvent } from './history.ts'

const work = activity('work', { input: type<string>(), output: type<string>() })
const poke = signal('poke', type<string>())
const tell = signal('tell', type<string>())
const view = query('view', { output: type<string>() })

/** `asks` stands before every durable call: the same workflow after a change of code, where it asks for a version. */
const branchesOf = (asks: (ctx: WorkflowContext, place: string) => void) =>
  workflow('branches', { output: type<unknown>(), handles: [poke, tell, view] }, async (ctx) => {
    const seen: string[] = []
    ctx.handle(view, () => seen.join())
    ctx.handle(poke, async (text) => {
      asks(ctx, 'poked')
      const drawn = await ctx.sideEffect('poked', () => text.length)
      seen.push(await ctx.run(work, `poked ${text} ${drawn}`))
    })
    const chain = async (name: string, length: number) => {
      if (ctx.version(`chain ${name}`, { max: 1 }) !== 1) throw new Error('a new run has the newest version')
      for (let index = 0; index < length; index += 1) {
        try {
          asks(ctx, `${name}${index}`)
          seen.push(await ctx.run(work, `${name}${index}`))
        } catch (error) {
          if (!ActivityFailure.is(error) && !TimeoutFailure.is(error)) throw error
          seen.push(`${name}${index} ${error.message}`)
        }
      }
    }
    await Promise.all([chain('a', 3), chain('b', 2), ctx.sleep(1_500)])
    asks(ctx, 'race')
    const first = await Promise.race([ctx.run(work, 'race').catch(() => 'lost'), ctx.sleep('2s').then(() => 'slept')])
    seen.push(first, (await ctx.waitFor(tell, { timeout: '9s' })) ?? 'silence')
    asks(ctx, 'condition')
    const quiet = seen.length
    seen.push(String(await ctx.condition(() => seen.length > quiet, { timeout: '5s' })), ctx.uuid(), String(ctx.now()))
    await Promise.any([ctx.run(work, 'any1'), ctx.run(work, 'any2')]).catch(() => seen.push('none'))
    asks(ctx, 'group')
    const grouped = await ctx
      .all([ctx.run(work, 'g1'), ctx.all([ctx.sleep('1s'), ctx.run(work, 'g2')]), ctx.sleep('2s')])
      .catch((error: unknown) => (ActivityFailure.is(error) ? error.message : 'another error'))
    const version = ctx.version('later', { max: 3 })
    seen.push(JSON.stringify(grouped), String(version), await ctx.sideEffect('draw', () => `drawn by ${version}`))
    asks(ctx, 'last')
    return [
      seen,
      await Promise.allSettled([ctx.sleep(0), ctx.run(work, 'last')]).then((all) => all.map(({ status }) => status)),
    ]
  })

const branches = branchesOf(() => undefined)

interface Open {
  readonly step: number
  readonly command: Command
}

/** Rows of one run, numbered as the engine numbers them: dense, by command. */
class Rows {
  readonly events: TestEvent[] = [event('WorkflowStarted', { workflow_type: 'branches' })]
  readonly open: Open[] = []
  readonly unread: { readonly id: string; readonly text: string }[] = []
  #lastStep = 0
  #signals = 0
  endedBy: 'complete_workflow' | 'fail_workflow' | undefined
  get hasEnded(): boolean {
    return this.endedBy !== undefined
  }

  record(commands: readonly Command[]): void {
    for (const command of commands) this.#open(command)
  }

  #open(command: Command): void {
    if (command.type === 'complete_workflow' || command.type === 'fail_workflow') {
      this.endedBy = command.type
      return
    }
    this.#lastStep += 1
    const sequence = this.#lastStep
    this.events.push(grouped(command, opening(sequence, command)))
    if (command.type === 'record_side_effect' || command.type === 'record_version_marker') return
    if (command.type === 'open_signal_wait' && this.#apply(sequence)) return
    this.open.push({ step: sequence, command })
  }

  #apply(sequence: number): boolean {
    const signal = this.unread.shift()
    if (signal === undefined) return false
    this.events.push(
      event('SignalApplied', {
        sequence,
        signal_id: signal.id,
        signal_name: 'tell',
        value: encodeEnvelope(signal.text),
      }),
    )
    return true
  }

  signal(name: 'poke' | 'tell'): void {
    this.#signals += 1
    const id = `signal-${this.#signals}`
    this.events.push(event('SignalReceived', { signal_id: id, signal_name: name, arguments: encodeArguments([id]) }))
    if (name !== 'tell') return
    this.unread.push({ id, text: id })
    const waiting = this.open.findIndex(({ command }) => command.type === 'open_signal_wait')
    const [taken] = waiting < 0 ? [] : this.open.splice(waiting, 1)
    if (taken !== undefined) this.#apply(taken.step)
  }

  end(choice: number, succeeds: boolean): void {
    const [taken] = this.open.splice(choice % Math.max(1, this.open.length), 1)
    if (taken !== undefined) this.events.push(grouped(taken.command, ending(taken, succeeds)))
  }

  page(): HistoryEvent[] {
    return numbered(this.events, 1)
  }
}

/** Every event of a member repeats its groups. */
function grouped(command: Command, row: TestEvent): TestEvent {
  const fields = Object.entries(command).filter(([key]) => key.startsWith('parallel_group_'))
  return { ...row, payload: { ...row.payload, ...Object.fromEntries(fields) } }
}

function opening(sequence: number, command: Command): TestEvent {
  switch (command.type) {
    case 'schedule_activity':
      return event('ActivityScheduled', { sequence, activity_type: command.activity_type })
    case 'start_timer':
      return event('TimerScheduled', { sequence, timer_id: `timer-${sequence}`, delay_seconds: command.delay_seconds })
    case 'open_signal_wait':
      return event('SignalWaitOpened', {
        sequence,
        signal_name: command.signal_name,
        signal_wait_id: `wait-${sequence}`,
      })
    case 'open_condition_wait':
      return event('ConditionWaitOpened', {
        sequence,
        condition_wait_id: `wait-${sequence}`,
        condition_key: command.condition_key,
        timeout_seconds: command.timeout_seconds,
      })
    case 'record_side_effect':
      return event('SideEffectRecorded', { sequence, result: command.result })
    case 'record_version_marker': {
      const { change_id, version, min_supported, max_supported } = command
      return event('VersionMarkerRecorded', { sequence, change_id, version, min_supported, max_supported })
    }
    default:
      throw new Error(`no opening for ${command.type}`)
  }
}

function ending({ step: sequence, command }: Open, succeeds: boolean): TestEvent {
  switch (command.type) {
    case 'schedule_activity':
      if (!succeeds) return event('ActivityFailed', { sequence, activity_type: 'work', message: `failed ${sequence}` })
      return event('ActivityCompleted', { sequence, result: encodeEnvelope(`done ${sequence}`), payload_codec: 'avro' })
    case 'start_timer':
      return event('TimerFired', { sequence, timer_id: `timer-${sequence}`, delay_seconds: command.delay_seconds })
    case 'open_signal_wait':
      return event('TimerFired', { sequence, timer_kind: 'signal_timeout', signal_wait_id: `wait-${sequence}` })
    default:
      return event('TimerFired', { sequence, timer_kind: 'condition_timeout', condition_wait_id: `wait-${sequence}` })
  }
}

type Turn =
  | { readonly kind: 'end'; readonly choice: number; readonly succeeds: boolean }
  | { readonly kind: 'poke' }
  | { readonly kind: 'tell' }
  | { readonly kind: 'wake' }

const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('end' as const), choice: fc.nat(9), succeeds: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('poke' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tell' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wake' as const) }) },
)

async function play(flow: WorkflowImplementation, turns: readonly Turn[]): Promise<Rows> {
  const rows = new Rows()
  const sticky = openReplay(flow).replay
  let applied = 0
  // Rows that arrive while a task is leased stand before the rows of its completion: `late` of them.
  const wake = async (late: () => void) => {
    const page = rows.page()
    const step = await sticky.step(page.slice(applied), {})
    applied = page.length
    const { replay } = openReplay(flow)
    const cold = await replay.step(page, {})
    replay.dispose()
    expect(JSON.stringify([cold.commands, cold.steps, cold.outcome])).toBe(
      JSON.stringify([step.commands, step.steps, step.outcome]),
    )
    late()
    rows.record(step.commands)
  }
  await wake(() => undefined)
  for (const [index, next] of turns.entries()) {
    if (rows.hasEnded) break
    if (next.kind === 'end') rows.end(next.choice, next.succeeds)
    else if (next.kind === 'wake')
      await wake(() => (index % 3 === 0 ? rows.signal('poke') : index % 5 === 0 ? rows.end(index, true) : undefined))
    else rows.signal(next.kind)
  }
  // Whatever the order was so far, the run gets to its end: the oldest open step ends, the run is woken.
  for (let left = 60; left > 0 && !rows.hasEnded; left -= 1) {
    rows.end(0, true)
    await wake(() => undefined)
  }
  expect(rows.hasEnded).toBe(true)
  return rows
}

describe('RP5', () => {
  it('adversarial orders give the same commands cold and in steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 40 }), async (turns) => {
        await play(branches, turns)
      }),
      { numRuns: 100 },
    )
  })

  it('one row at a time gives the same commands as all rows at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 20, maxLength: 60 }), async (turns) => {
        const page = (await play(branches, turns)).page()
        const whole = openReplay(branches).replay
        const single = openReplay(branches).replay
        const expected = await whole.step(page, {})
        const sent: Command[] = []
        for (const row of page) sent.push(...(await single.step([row], {})).commands)
        expect(JSON.stringify(sent.slice(sent.length - expected.commands.length))).toBe(
          JSON.stringify(expected.commands),
        )
        expect(await single.query('view', [])).toBe(await whole.query('view', []))
      }),
      { numRuns: 50 },
    )
  })

  it('a run from before a change replays with versions asked for before every call, all of them -1', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 40 }), async (turns) => {
        const rows = await play(branches, turns)
        const page = rows.page()
        const end = rows.endedBy === 'complete_workflow' ? 'WorkflowCompleted' : 'WorkflowFailed'
        const versions = new Set<number>()
        const changed = branchesOf((ctx, place) => void versions.add(ctx.version(`change of ${place}`, { max: 7 })))
        const { replay } = openReplay(changed)
        const closed = [...page, ...numbered([event(end, {})], page.length + 1)]
        const step = await replay.step(closed, {})
        expect([step.commands, step.outcome.kind]).toEqual([[], end === 'WorkflowCompleted' ? 'completed' : 'failed'])
        expect([...versions]).toEqual([-1])
      }),
      { numRuns: 60 },
    )
  })
})

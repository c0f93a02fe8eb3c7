// The step language of the cells: each verb, what it needs, what it does.

import { deepStrictEqual } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@durable-workflow/sdk/client'
import { z } from 'zod'
import { contracts, go, progress } from './contracts.ts'
import { effectsOf, openGate } from './effects.ts'
import type { Held, Relay } from './relay.ts'

const WorkflowName = z.enum(['immediate', 'identity', 'steps', 'gated', 'signalled', 'timed'])
const run = z.string()
const Counts = z.record(z.string(), z.int())

const Step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('begin'), cell: z.string(), round: z.int() }),
  z.strictObject({ do: z.literal('identify') }),
  z.strictObject({ do: z.literal('histories') }),
  /** Starts a run and calls it `as`. */
  z.strictObject({
    do: z.literal('start'),
    as: z.string(),
    workflow: WorkflowName,
    queue: z.string().optional(),
    input: z.looseObject({}).default({}),
  }),
  z.strictObject({ do: z.literal('signal'), run, signal: z.literal('go'), input: z.string() }),
  z.strictObject({ do: z.literal('query'), run, query: z.literal('progress'), expect: z.string() }),
  z.strictObject({ do: z.literal('cancel'), run }),
  z.strictObject({ do: z.literal('openGate'), run, gate: z.string() }),
  /** Until the run stands so, and its activities were executed at least so often. */
  z.strictObject({ do: z.literal('waitFor'), run, status: z.string().optional(), effects: Counts.default({}) }),
  /** With `result`, waits for the end; the rest must then be exactly so. */
  z.strictObject({
    do: z.literal('expect'),
    run,
    result: z.array(z.string()).optional(),
    status: z.string().optional(),
    tookMsMin: z.int().optional(),
    events: Counts.default({}),
    effects: Counts.default({}),
  }),
  z.strictObject({ do: z.literal('holdReport'), of: z.enum(['workflow-tasks', 'activity-tasks']) }),
  z.strictObject({ do: z.literal('awaitReport') }),
  z.strictObject({ do: z.literal('releaseReport'), status: z.int(), reason: z.string() }),
  /** The process that worked when the driver first asked works still. */
  z.strictObject({ do: z.literal('sameWorker') }),
])
type Step = z.infer<typeof Step>

export interface StepsOptions {
  readonly client: Client
  readonly relay: Relay
  /** Of runs that name none. */
  readonly taskQueue: string
}

export interface Done {
  /** Facts that were compared. */
  readonly assertions: number
  readonly value?: unknown
}

const nothing: Done = { assertions: 0 }

/** @returns what takes one step; it throws when the step does not hold, or when its time is over */
export function createSteps({ client, relay, taskQueue }: StepsOptions) {
  const start = (workflow: z.infer<typeof WorkflowName>, input: object, queue: string, id: string) =>
    client.start(contracts[workflow], { id, taskQueue: queue, input })
  type Started = Awaited<ReturnType<typeof start>>
  const runs = new Map<string, Started>()
  const ofTheCell: Started[] = []
  let held: Held | undefined
  let cell = 'none'
  let first: unknown

  async function identity(signal: AbortSignal) {
    const asked = await start('identity', {}, taskQueue, `identity-${randomUUID()}`)
    const [pid, startedAt] = await asked.result({ signal })
    return { pid: Number(pid), startedAt }
  }

  function named(name: string): Started {
    const found = runs.get(name)
    if (found === undefined) throw new Error(`this cell started no run ${name}`)
    return found
  }

  async function expect(step: Extract<Step, { do: 'expect' }>, signal: AbortSignal): Promise<Done> {
    const asked = named(step.run)
    let assertions = 0
    const same = (what: string, actual: unknown, expected: unknown) => {
      deepStrictEqual(
        actual,
        expected,
        `${what} of ${step.run}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`,
      )
      assertions += 1
    }
    if (step.result !== undefined) same('the result', await asked.result({ signal }), step.result)
    const described = await asked.describe({ signal })
    if (step.status !== undefined) same('the status', described.status, step.status)
    if (step.tookMsMin !== undefined) {
      const tookMs = (described.closedAt?.getTime() ?? 0) - (described.startedAt?.getTime() ?? 0)
      same(`took at least ${step.tookMsMin} ms (${tookMs})`, tookMs >= step.tookMsMin, true)
    }
    const types: string[] = []
    for await (const { type } of asked.history({ signal })) types.push(type)
    for (const [type, count] of Object.entries(step.events)) {
      same(`events ${type} (of ${types.join(' ')})`, types.filter((one) => one === type).length, count)
    }
    const effects = effectsOf(asked.workflowId)
    for (const [name, count] of Object.entries(step.effects)) same(`effects ${name}`, effects.get(name) ?? 0, count)
    return { assertions }
  }

  async function waitFor(step: Extract<Step, { do: 'waitFor' }>, signal: AbortSignal): Promise<Done> {
    const asked = named(step.run)
    for (;;) {
      const { status } = await asked.describe({ signal })
      const effects = effectsOf(asked.workflowId)
      const isThere =
        (step.status ?? status) === status &&
        Object.entries(step.effects).every(([name, count]) => (effects.get(name) ?? 0) >= count)
      if (isThere) return { assertions: 1 }
      if (signal.aborted) throw new Error(`${step.run} stands ${status}, effects ${JSON.stringify([...effects])}`)
      await pause(20)
    }
  }

  return async (given: unknown, signal: AbortSignal): Promise<Done> => {
    const step = Step.parse(given)
    switch (step.do) {
      case 'begin':
        void held?.release()
        held = undefined
        runs.clear()
        if (step.round === 1) ofTheCell.length = 0
        cell = `${step.cell}-${step.round}`
        return nothing
      case 'identify':
        first ??= await identity(signal)
        return { assertions: 0, value: await identity(signal) }
      case 'histories':
        return { assertions: 0, value: await historiesOf(ofTheCell) }
      case 'start': {
        const id = `${cell}-${step.as}-${randomUUID()}`
        const started = await start(step.workflow, step.input, step.queue ?? taskQueue, id)
        runs.set(step.as, started)
        ofTheCell.push(started)
        return nothing
      }
      case 'signal':
        await named(step.run).signal(go, step.input)
        return nothing
      case 'query':
        deepStrictEqual(await named(step.run).query(progress), step.expect)
        return { assertions: 1 }
      case 'cancel':
        await named(step.run).cancel('acceptance')
        return nothing
      case 'openGate':
        openGate(named(step.run).workflowId, step.gate)
        return nothing
      case 'waitFor':
        return await waitFor(step, signal)
      case 'expect':
        return await expect(step, signal)
      case 'holdReport':
        held = relay.hold(step.of)
        return nothing
      case 'awaitReport':
        await before(signal, 'a report', held?.arrived)
        return { assertions: 1 }
      case 'releaseReport': {
        const report = await before(signal, 'the answer to a report', held?.release())
        deepStrictEqual(
          [report.status, reasonIn(report.body)],
          [step.status, step.reason],
          `${report.path}: ${report.body}`,
        )
        return { assertions: 2 }
      }
      case 'sameWorker':
        deepStrictEqual(await identity(signal), first)
        return { assertions: 1 }
    }
  }

  /** Every run of the cell as one document, in the order of their start. */
  async function historiesOf(started: readonly Started[]): Promise<string | undefined> {
    const exported = []
    for (const one of started) exported.push(await one.export())
    return exported.length === 0 ? undefined : `${JSON.stringify(exported, null, 1)}\n`
  }
}

const reasonIn = (body: string): unknown =>
  z.looseObject({ reason: z.string().optional() }).parse(JSON.parse(body)).reason

async function before<T>(signal: AbortSignal, what: string, awaited: Promise<T> | undefined): Promise<T> {
  if (awaited === undefined) throw new Error('no report is held: holdReport comes first')
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`${what} did not come`)), { once: true })
  })
  return await Promise.race([awaited, late])
}

// Code and history across real workers and a real server: what is remembered, what is pinned, what is blocked and goes on.
import {
  type ActivityContract,
  activity,
  signal,
  type,
  type WorkflowImplementation,
  workflow,
} from '@durable-workflow/sdk'
import { replayHistory } from '@durable-workflow/sdk/replay'
import { createWorker, type WorkerOptions } from '@durable-workflow/sdk/worker'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openClient } from '../drills/open-client.ts'
import { eachDatabase } from '../support/databases.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'

let server: ServerProcess
let taskQueue = ''
let tests = 0

const text = type<string>()
const charge = activity('charge', { output: text })
const refund = activity('refund', { output: text })
const pack = activity('pack', { output: text })
const fragile = activity('fragile', { input: text, output: text, retry: { maximumAttempts: 1 } })
const go = signal('go', text)
const activities = [
  charge.implement(async () => 'paid'),
  refund.implement(async () => 'refunded'),
  pack.implement(async () => 'packed'),
  fragile.implement(async (order) => {
    if (order === 'broken') throw new Error('it broke')
    return order
  }),
]

async function eventsOf(run: { history(): AsyncIterable<{ type: string }> }): Promise<string[]> {
  const types: string[] = []
  for await (const { type: eventType } of run.history()) types.push(eventType)
  return types
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const soon = () => ({ signal: AbortSignal.timeout(30_000) })

/** A worker of this process; the end of the block drains it. */
async function serving(
  flow: WorkflowImplementation,
  { stickyCacheBytes, log = silent }: Pick<WorkerOptions, 'stickyCacheBytes' | 'log'> = {},
): Promise<AsyncDisposable> {
  const worker = await createWorker({
    server: server.url,
    taskQueue,
    workflows: [flow],
    activities,
    stickyCacheBytes,
    pollers: { workflow: 2, activity: 4, query: 1 },
    log,
  })
  const run = worker.run()
  run.catch(() => {})
  await worker.ready
  return {
    [Symbol.asyncDispose]: async () => {
      await worker.stop()
      await run
    },
  }
}

eachDatabase((on) => {
  beforeAll(async () => {
    server = await startServer({ on })
  })
  afterAll(async () => {
    await server?.remove()
  })
  beforeEach(() => {
    tests += 1
    taskQueue = `replay-${tests}`
  })

  test('what a side effect computed and a version decided stays, in another worker that computes and decides otherwise', async () => {
    await using client = openClient(server.url)
    const flowOf = (drawn: string, max: number) =>
      workflow('remembering', { output: type<unknown>(), handles: [go] }, async (ctx) => {
        const value = await ctx.sideEffect('draw', () => drawn)
        const version = ctx.version('packing', { max })
        const by = await ctx.waitFor(go)
        return [value, version, ctx.version('packing', { max }), by, await ctx.sideEffect('later', () => drawn)]
      })
    const run = await client.start(flowOf('', 1), { taskQueue })
    {
      await using _first = await serving(flowOf('first', 2))
      await waitFor('the run waits', () => run.describe(), { until: ({ status }) => status === 'waiting' })
    }
    await using _second = await serving(flowOf('second', 5))
    await run.signal(go, 'ada')
    expect(await run.result(soon())).toEqual(['first', 2, 2, 'ada', 'second'])
  })

  test('a run from before a change keeps its path, a new one takes the new path', async () => {
    await using client = openClient(server.url)
    const before = workflow('changing', { output: type<unknown>(), handles: [go] }, async (ctx) => {
      const done = [await ctx.run(charge)]
      await ctx.waitFor(go)
      return done
    })
    const after = workflow('changing', { output: type<unknown>(), handles: [go] }, async (ctx) => {
      const done: string[] = []
      if (ctx.version('pack-first', { max: 1 }) === 1) done.push(await ctx.run(pack))
      done.push(await ctx.run(charge))
      await ctx.waitFor(go)
      return done
    })
    const old = await client.start(before, { taskQueue })
    {
      await using _worker = await serving(before)
      await waitFor('the run waits for its signal', () => old.describe(), {
        until: ({ waitKind }) => waitKind === 'signal',
      })
    }
    await using _worker = await serving(after)
    const fresh = await client.start(after, { taskQueue })
    await Promise.all([old.signal(go, 'x'), fresh.signal(go, 'x')])
    expect(await old.result(soon())).toEqual(['paid'])
    expect(await fresh.result(soon())).toEqual(['packed', 'paid'])
  })

  test('an exported run is proven against code, open and closed, through a file of JSON', async () => {
    await using client = openClient(server.url)
    const order = workflow('proven', { input: text, output: text, handles: [go] }, async (ctx, item) => {
      const parcel = await ctx.run(fragile, item)
      return `${parcel} by ${await ctx.waitFor(go)}`
    })
    const other = workflow('proven', { input: text, output: text, handles: [go] }, async (ctx, item) => {
      await ctx.waitFor(go)
      return ctx.run(fragile, item)
    })
    const kept = async () => JSON.parse(JSON.stringify(await run.export()))
    await using _worker = await serving(order)
    const run = await client.start(order, { taskQueue, input: 'a book' })
    await waitFor('the run waits for its signal', () => run.describe(), {
      until: ({ waitKind }) => waitKind === 'signal',
    })
    expect(await replayHistory(order, await kept())).toMatchObject({ ok: true, ending: 'open', steps: 2 })
    await run.signal(go, 'ada')
    await run.result(soon())
    expect(await replayHistory(order, await kept())).toMatchObject({ ok: true, ending: 'completed', steps: 2 })
    expect(await replayHistory(other, await kept())).toMatchObject({
      ok: false,
      mismatch: { reason: 'recorded_command_mismatch' },
    })
  })

  describe('a group', () => {
    test('wakes the run once: one turn for all members, in every worker', async () => {
      await using client = openClient(server.url)
      let turns = 0
      const flow = workflow('grouped', { output: type<unknown>() }, async (ctx) => {
        turns += 1
        const members = Array.from({ length: 40 }, (_, index) => ctx.run(fragile, `order ${index}`))
        const [parcels] = await ctx.all([ctx.all(members), ctx.sleep(1)])
        return parcels.length
      })
      // Without a cache every turn is a replay from the start: the function counts turns.
      await using _worker = await serving(flow, { stickyCacheBytes: 0 })
      const run = await client.start(flow, { taskQueue })
      expect(await run.result(soon())).toBe(40)
      expect(turns).toBe(2)
    })

    test('gives the failure that is declared first, once all members have ended', async () => {
      await using client = openClient(server.url)
      const flow = workflow('failing', { output: type<unknown>() }, async (ctx) => {
        const ended: string[] = []
        const slow = ctx.run(fragile, 'whole')
        const group = ctx.all([slow, ctx.run(fragile, 'broken'), ctx.sleep('1s')])
        slow.then(() => ended.push('whole'))
        const failure = await group.then(
          () => 'none',
          (error: unknown) => (error instanceof Error ? error.message : 'no error'),
        )
        return [ended, failure]
      })
      await using _worker = await serving(flow)
      const run = await client.start(flow, { taskQueue })
      expect(await run.result(soon())).toEqual([['whole'], 'it broke'])
    })
  })

  describe('a run that is blocked in replay', () => {
    /** The same text whatever the step: code that looks the same to a server, and is not. */
    const flowOf = (step: ActivityContract<undefined, typeof text>) =>
      workflow('paying', { output: type<unknown>(), handles: [go] }, async (ctx) => {
        const first = await ctx.run(step)
        return [first, await ctx.waitFor(go)]
      })
    const corrected = workflow('paying', { output: type<unknown>(), handles: [go] }, async (ctx) => {
      const payment = await ctx.run(charge)
      return [payment, 'corrected', await ctx.waitFor(go)]
    })

    /** A run that went one step with one activity, then met code that runs another. */
    async function blockedRun(client: ReturnType<typeof openClient>) {
      const run = await client.start(flowOf(charge), { taskQueue })
      {
        await using _right = await serving(flowOf(charge))
        await waitFor('the run waits for its signal', () => run.describe(), {
          until: ({ waitKind }) => waitKind === 'signal',
        })
      }
      const warnings: string[] = []
      const warn = (message: string) => void warnings.push(message)
      await using wrong = await serving(flowOf(refund), { log: { ...silent, warn } })
      await run.signal(go, 'ada')
      const said = await waitFor('the run is blocked', () => run.explain(), {
        until: (lines) => lines.join(' ').includes('blocked'),
      })
      // What arrives now is kept, and asks nobody: the worker that cannot go on gets no second task.
      await run.signal(go, 'bob')
      await wrong[Symbol.asyncDispose]()
      return { run, said: said.join('\n'), warnings }
    }

    test('stays open and says why; a worker with other code resumes it, and nothing that arrived is lost', async () => {
      await using client = openClient(server.url)
      const { run, said, warnings } = await blockedRun(client)
      expect(said).toContain('activity_identity_mismatch')
      expect(said).toMatch(
        /recorded is ActivityScheduled "charge".*the code calls ctx\.run\(refund\) at .*replay\.test\.ts:\d+:\d+/,
      )
      expect(said).toContain('handle.repair()')
      expect(await run.describe()).toMatchObject({ status: 'waiting', closedReason: undefined })
      expect(warnings).toEqual(['The workflow task failed; its run stays open.'])
      expect((await eventsOf(run)).slice(-3)).toEqual(['SignalReceived', 'SignalApplied', 'SignalReceived'])
      await using _worker = await serving(corrected)
      expect(await run.result(soon())).toEqual(['paid', 'corrected', 'ada'])
    })

    test('is resumed by handle.repair() where the corrected code looks the same', async () => {
      await using client = openClient(server.url)
      const { run } = await blockedRun(client)
      await using _worker = await serving(flowOf(charge))
      expect(await run.repair()).toBe(true)
      expect(await run.result(soon())).toEqual(['paid', 'ada'])
      await expect(run.repair()).rejects.toMatchObject({ name: 'RefusedError' })
    })

    test('a run that moves by itself needs no repair', async () => {
      await using client = openClient(server.url)
      const run = await client.start(corrected, { taskQueue })
      await using _worker = await serving(corrected)
      await waitFor('the run waits for its signal', () => run.describe(), {
        until: ({ waitKind }) => waitKind === 'signal',
      })
      expect(await run.repair()).toBe(false)
      await run.signal(go, 'ada')
      expect(await run.result(soon())).toEqual(['paid', 'corrected', 'ada'])
    })
  })

  test('a workflow above the limits of the server blocks nobody: its task fails, the run stays open, others complete', async () => {
    await using client = openClient(server.url)
    const flow = workflow('sized', { input: type<number>(), output: type<number>() }, async (ctx, count) => {
      const naps = await Promise.all(Array.from({ length: count }, () => ctx.sleep(1)))
      return naps.length
    })
    const warnings: string[] = []
    const warn = (message: string, facts?: Record<string, unknown>) => void warnings.push(`${message} ${facts?.error}`)
    await using _worker = await serving(flow, { log: { ...silent, warn } })
    const large = await client.start(flow, { taskQueue, input: 1_001 })
    const small = await client.start(flow, { taskQueue, input: 1_000 })
    expect(await small.result(soon())).toBe(1_000)
    const said = await waitFor('the failed task is told', () => large.explain(), {
      until: (lines) => /failed/.test(lines.join(' ')),
    })
    expect(said.join(' ')).toContain("worker that serves 'sized'")
    expect(warnings[0]).toContain('would send 1001 commands; the limit of the server is 1000 (command_batch_size)')
    expect((await large.describe()).closedReason).toBeUndefined()
  })

  test('a drain under load loses nothing: every step of every run is done once, by the first worker or the second', async () => {
    await using client = openClient(server.url)
    const done: string[] = []
    const work = activity('work', { input: text, output: text })
    const flow = workflow('chain', { input: text, output: type<number>() }, async (ctx, name) => {
      let steps = 0
      for (; steps < 8; steps += 1) await ctx.run(work, `${name} ${steps}`)
      return steps
    })
    const implemented = work.implement(async (step) => {
      done.push(step)
      return step
    })
    const start = async () => {
      const worker = await createWorker({
        server: server.url,
        taskQueue,
        workflows: [flow],
        activities: [implemented],
        log: silent,
      })
      const run = worker.run()
      run.catch(() => {})
      return { worker, run }
    }
    const first = await start()
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, index) => client.start(flow, { taskQueue, input: `run ${index}` })),
    )
    await waitFor('half of the work is done', () => done.length, { until: (count) => count >= 160, intervalMs: 1 })
    await first.worker.stop()
    await first.run
    const atTheDrain = done.length
    expect(atTheDrain).toBeLessThan(40 * 8)
    const second = await start()
    expect(await Promise.all(runs.map((run) => run.result(soon())))).toEqual(runs.map(() => 8))
    await second.worker.stop()
    await second.run
    expect(new Set(done).size).toBe(40 * 8)
    expect(done).toHaveLength(40 * 8)
  })
})

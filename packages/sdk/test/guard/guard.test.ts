// Inside workflow code the world is deterministic or says no; outside nothing changes.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Guard, type GuardContext, installGuard } from '../../src/guard/guard.ts'
import { GuardError, workflow } from '../../src/index.ts'
import { createReplay, type Replay } from '../../src/replay/replay.ts'
import { cold, drain, history, startedAt, timerFired, timerScheduled } from '../replay/history.ts'

const context: GuardContext = { now: () => 86_400_000, random: () => 0.25, uuid: () => 'the-uuid' }
const run = promisify(execFile)
let guard: Guard

beforeEach(() => {
  guard = installGuard()
})
afterEach(() => guard.uninstall())

describe('deterministic inside', () => {
  it.each<[string, () => unknown, unknown]>([
    ['Date.now()', () => Date.now(), 86_400_000],
    ['new Date()', () => new Date().toISOString(), '1970-01-02T00:00:00.000Z'],
    ['a class derived from Date', () => new (class extends Date {})().getTime(), 86_400_000],
    ['performance.now()', () => performance.now(), 86_400_000],
    ['Math.random()', () => Math.random(), 0.25],
    ['crypto.randomUUID()', () => crypto.randomUUID(), 'the-uuid'],
    ['randomUUID of node:crypto', () => randomUUID(), 'the-uuid'],
  ])('%s', (_name, call, expected) => {
    expect(guard.enter(context, call)).toEqual(expected)
    expect(call()).not.toEqual(expected)
  })

  it('a Date of a stated instant is that instant', () => {
    expect(guard.enter(context, () => new Date(7).getTime())).toBe(7)
  })

  it('Date() as a function', () => {
    expect(guard.enter(context, () => Date())).toBe(new Date(86_400_000).toString())
  })

  it('stays so behind awaits, and only there', async () => {
    const inside = guard.enter(context, async () => {
      await Promise.resolve()
      return Math.random()
    })
    expect(Math.random()).not.toBe(0.25)
    expect(await inside).toBe(0.25)
    expect(guard.current()).toBeUndefined()
  })
})

describe('refused inside', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['setTimeout', () => setTimeout(() => undefined, 0), /ctx\.sleep/],
    ['setInterval', () => setInterval(() => undefined, 1_000), /ctx\.sleep/],
    ['setImmediate', () => setImmediate(() => undefined), /ctx\.sleep/],
    ['timers/promises.setTimeout', () => sleep(1), /ctx\.sleep/],
    ['AbortSignal.timeout', () => AbortSignal.timeout(1), /ctx\.sleep/],
    ['fetch', () => fetch('http://127.0.0.1:9/'), /activity/],
    ['WebSocket', () => new WebSocket('ws://127.0.0.1:9/'), /activity/],
    ['process.hrtime.bigint', () => process.hrtime.bigint(), /ctx\.now/],
    ['process.hrtime', () => process.hrtime(), /ctx\.now/],
    ['crypto.getRandomValues', () => crypto.getRandomValues(new Uint8Array(1)), /ctx\.random/],
    ['fs.readFileSync', () => readFileSync(import.meta.filename), /activity/],
    ['fs/promises.readFile', () => readFile(import.meta.filename), /activity/],
    ['http.request', () => request('http://127.0.0.1:9/'), /activity/],
    ['worker_threads.Worker', () => new Worker('0', { eval: true }), /activity/],
  ])('%s throws with the place and the remedy', (name, call, remedy) => {
    let thrown: unknown
    try {
      guard.enter(context, call)
    } catch (error) {
      thrown = error
    }
    expect(GuardError.is(thrown)).toBe(true)
    expect(thrown).toMatchObject({
      reason: 'not_deterministic',
      facts: { call: name, place: expect.stringMatching(/guard\.test\.ts:\d+:\d+$/) },
      remedy: expect.stringMatching(remedy),
      message: expect.stringContaining(name),
    })
  })
})

describe('outside', () => {
  it('everything works as before while installed', async () => {
    expect(new Date().constructor).toBe(Date)
    expect(new Date()).toBeInstanceOf(Date)
    expect(Date.UTC(1970, 0)).toBe(0)
    expect(await promisify(setTimeout)(0, 'value')).toBe('value')
    expect(readFileSync(import.meta.filename, 'utf8')).toContain('outside')
    expect((await readFile(import.meta.filename, 'utf8')).length).toBeGreaterThan(100)
    expect(setTimeout.name).toBe('setTimeout')
  })

  it('a logger that workflow code calls may step out', () => {
    expect(guard.enter(context, () => guard.outside(() => Math.random()))).not.toBe(0.25)
    expect(guard.enter(context, () => [guard.outside(() => guard.current()), guard.current()])).toEqual([
      undefined,
      context,
    ])
  })

  it('the last of several installations restores the very functions', () => {
    const wrapped = [Date, Math.random, setTimeout]
    const second = installGuard()
    expect([Date, Math.random, setTimeout]).toEqual(wrapped)
    second.uninstall()
    second.uninstall()
    expect(guard.enter(context, () => Math.random())).toBe(0.25)
    guard.uninstall()
    expect(Math.random).not.toBe(wrapped[1])
    expect(guard.enter(context, () => Math.random())).not.toBe(0.25)
  })
})

describe('with replay', () => {
  const open = (
    fn: Parameters<typeof workflow>[0] extends string
      ? (ctx: { sleep(ms: number): Promise<void> }) => Promise<unknown>
      : never,
  ) => {
    const guarded = workflow('guarded', {}, fn)
    const replay: Replay = createReplay({
      workflow: guarded,
      run: {
        workflowId: 'w',
        runId: 'run-1',
        workflowType: 'guarded',
        namespace: 'default',
        taskQueue: 'q',
        attempt: 1,
        startedAt,
        historyBytes: 0,
        continueAsNewSuggested: false,
      },
      arguments: [],
      capabilities: { millisecondDurations: false },
      drain,
      enter: (run) => guard.enter(replay, run),
      inside: () => guard.current() === replay,
      log: () => undefined,
    })
    return replay
  }

  it('globals are the values of ctx, also after a wait', async () => {
    const seen: unknown[] = []
    const replay = open(async (ctx) => {
      seen.push(Date.now() - startedAt)
      await ctx.sleep(1_000)
      seen.push(new Date().toISOString())
    })
    await replay.step(history(timerScheduled(1, 1), timerFired(1, 1)), {})
    expect(seen).toEqual([0, '2026-11-30T08:00:02.000Z'])
  })

  it('a refusal fails the task and not the run', async () => {
    const replay = open(async () => fetch('http://127.0.0.1:9/'))
    await expect(replay.step(history(), {})).rejects.toMatchObject({ name: 'GuardError', facts: { call: 'fetch' } })
  })

  it('a call from the code of another run is told by the async context', async () => {
    let stolen: { sleep(ms: number): Promise<void> } | undefined
    const victim = open(async (ctx) => {
      stolen = ctx
      await ctx.sleep(1_000)
    })
    await victim.step(history(), {})
    const thief = open(async () => stolen?.sleep(1))
    await expect(thief.step(history(), {})).rejects.toMatchObject({ reason: 'context_of_another_run' })
  })

  it('a branch that nobody awaits is reported by the run and ends no process; outside Node decides as ever', async () => {
    const script = new URL('floating.ts', import.meta.url).pathname
    const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', script]
    const { stdout } = await run(process.execPath, flags)
    expect(stdout).toBe('warn: A branch of the workflow failed and nobody awaits it: declined\noutcome: waiting\n')
    await expect(run(process.execPath, [...flags, '--outside'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Error: outside'),
    })
  })

  it('does not change what replay emits', async () => {
    const plain = workflow('plain', {}, async (ctx) => ctx.sleep('1s'))
    expect((await cold(plain, history())).commands).toEqual([{ type: 'start_timer', delay_seconds: 1 }])
  })
})

// Scenarios under seeds: what chance does is found again, and a failure comes with the fewest faults that make it.
import { activity, signal, type, workflow } from '@durable-workflow/sdk'
import { type Fault, SimulationError, simulate, type TestEnvironment } from '@durable-workflow/testing'
import { expect, test, vi } from 'vitest'

const charge = activity('charge', { input: type<string>(), output: type<string>() })
const approved = signal('approved', type<string>())
const checkout = workflow(
  'checkout',
  { input: type<string>(), output: type<string>(), handles: [approved] },
  async (ctx, order) => {
    const by = await ctx.waitFor(approved, { timeout: '1 day' })
    const [first] = await Promise.all([ctx.run(charge, order), ctx.sleep('1 hour')])
    return `${first} by ${by ?? 'nobody'}`
  },
)

/** A bank that charges once for each key, or, carelessly, for each call. */
function createBank(isCareful: boolean) {
  const charged: string[] = []
  return {
    charged,
    charge: charge.implement(async (order, { idempotencyKey }) => {
      if (!isCareful || !charged.includes(idempotencyKey)) charged.push(idempotencyKey)
      return `receipt of ${order}`
    }),
  }
}

/** One order that nobody approves, and another one that ada does; what was recorded goes to `seen`. */
const shop =
  (isCareful: boolean, seen: string[] = []) =>
  async (env: TestEnvironment) => {
    const bank = createBank(isCareful)
    await env.startWorker({ workflows: [checkout], activities: [bank.charge] })
    const forgotten = await env.client.start(checkout, { id: 'a', input: 'a' })
    const wanted = await env.client.start(checkout, { id: 'b', input: 'b' })
    await wanted.signal(approved, 'ada')
    expect(await Promise.all([forgotten.result(), wanted.result()])).toEqual([
      'receipt of a by nobody',
      'receipt of b by ada',
    ])
    expect(bank.charged).toHaveLength(2)
    for (const run of [forgotten, wanted]) seen.push(JSON.stringify(await env.history(run)))
  }

// Many worlds, each with engine, server and workers of its own.
vi.setConfig({ testTimeout: 60_000 })

test('a scenario that is right stays right whatever chance does, and every fault was met', async () => {
  const report = await simulate(shop(true), { seeds: 40 })
  expect(report.seeds).toBe(40)
  expect(Object.entries(report.faults).filter(([, count]) => count === 0)).toEqual([])
})

test('SI1 the same seed is the same run, byte for byte', async () => {
  const once: string[] = []
  const twice: string[] = []
  for (const seed of [3, 7, 2 ** 50]) {
    const first = await simulate(shop(true, once), { seed })
    const second = await simulate(shop(true, twice), { seed })
    expect(second).toEqual(first)
  }
  expect(twice).toEqual(once)
  expect(new Set(once).size).toBe(6)
})

test('SI3 an activity that is not idempotent is found, and one crash is enough to show it', async () => {
  const error = await simulate(shop(false), { seeds: 100 }).catch((thrown: unknown) => thrown)
  if (!SimulationError.is(error)) throw error
  expect(error.faults).toHaveLength(1)
  const [fault] = error.faults
  expect(fault?.at).toMatch(/^activity-tasks\/|^workflow-tasks\//)
  expect(error.message).toContain(
    `Run this one alone: simulate(scenario, { seed: ${error.seed}, faults: ${JSON.stringify(error.faults)} })`,
  )
  expect(error.trace.filter((line) => line.includes('←'))).toHaveLength(1)
  const again = simulate(shop(false), { seed: error.seed, faults: error.faults })
  await expect(again).rejects.toMatchObject({ seed: error.seed, faults: error.faults, trace: error.trace })
  await simulate(shop(false), { seed: error.seed, faults: [] })
})

test.for<Fault>([
  { kind: 'worker crash before', at: 'activity-tasks/complete', nth: 1 },
  { kind: 'server restart before', at: 'workflow-tasks/complete', nth: 2 },
  { kind: 'clock jump', at: 'activity-tasks/complete', nth: 2, ms: 600_000 },
])('SI2 a fault that is named befalls that request: $kind', async (fault) => {
  const report = await simulate(shop(true), { seed: 5, faults: [fault] })
  expect(report.trace.filter((line) => line.includes(`${fault.at} #${fault.nth} ← ${fault.kind}`))).toHaveLength(1)
  expect(report.trace.filter((line) => line.includes('←'))).toHaveLength(1)
})

test('faults without their seed are refused', async () => {
  await expect(simulate(async () => {}, { faults: [] })).rejects.toThrow(/name it with seed/)
})

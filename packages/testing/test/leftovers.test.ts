// What an environment takes from the process that it runs in, and that it gives all of it back.
import { createHook } from 'node:async_hooks'
import { activity, workflow } from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const charge = activity('charge', { heartbeatTimeout: '1 minute' }).implement(async (_input, ctx) => {
  ctx.heartbeat('half')
  if (ctx.info.attempt < 3) throw new Error('busy')
})
const checkout = workflow('checkout', {}, async (ctx) => {
  await ctx.run(charge)
  await ctx.sleep('30 days')
})

/** Timers that go off while `act` runs, and sockets that it opens, but for the test runner's own. A timer that is cleared waits for nothing. */
async function realWaits(act: () => Promise<void>): Promise<string[]> {
  const timers = new Map<number, string>()
  const found: string[] = []
  const hook = createHook({
    init(id, type) {
      const stack = new Error().stack ?? ''
      // The runner's own, and the second for which Node keeps the text of the Date header.
      if (stack.includes('vitest') || stack.includes('at utcDate')) return
      if (type === 'Timeout') timers.set(id, stack)
      if (/^(TCP|PIPE|HTTP)/.test(type)) found.push(`${type} ${stack}`)
    },
    before(id) {
      const timer = timers.get(id)
      if (timer !== undefined) found.push(timer)
    },
  })
  hook.enable()
  try {
    await act()
  } finally {
    hook.disable()
  }
  return found
}

test('TK3 nothing waits for the machine’s clock, and nothing opens a socket', async () => {
  const found = await realWaits(async () => {
    await using env = await testEnvironment({ workflows: [checkout], activities: [charge], time: 'auto' })
    await env.client.execute(checkout, {})
    await env.restartServer()
    await env.crashWorker()
    await env.startWorker()
    await env.client.execute(checkout, {})
  })
  expect(found).toEqual([])
})

test('a closed environment leaves no guard, no listener and no alarm behind', async () => {
  const { setTimeout: timer, Date: date } = globalThis
  const listeners = () => process.eventNames().map((name) => [String(name), process.listenerCount(name)])
  const before = listeners()
  const env = await testEnvironment({ workflows: [checkout], activities: [charge] })
  await env.client.start(checkout, {})
  expect(globalThis.Date).not.toBe(date)
  await env.crashWorker()
  await env.startWorker()
  await env[Symbol.asyncDispose]()
  expect([globalThis.setTimeout, globalThis.Date]).toEqual([timer, date])
  expect(listeners()).toEqual(before)
})

test('a closed environment says so', async () => {
  const env = await testEnvironment({ workflows: [checkout], activities: [charge] })
  const run = await env.client.start(checkout, {})
  const result = run.result()
  result.catch(() => {})
  await env[Symbol.asyncDispose]()
  await expect(result).rejects.toThrow(/closed/)
  await expect(env.advance('1 s')).rejects.toMatchObject({ reason: 'environment_closed' })
  await expect(run.describe()).rejects.toThrow(/closed/)
})

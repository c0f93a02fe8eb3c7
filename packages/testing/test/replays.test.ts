// Every environment replays what it recorded: code that is not deterministic fails the test that ran it.
import { activity, type, workflow } from '@durable-workflow/sdk'
import { replay, testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const charge = activity('charge').implement(() => undefined)
const email = activity('email').implement(() => undefined)
const activities = [charge, email]
const orders = workflow('orders', { output: type<string>() })

/** Does another thing each time that it runs, which a worker with a warm cache never notices. */
function fickle() {
  let times = 0
  return orders.implement(async (ctx) => {
    times += 1
    await ctx.run(times % 2 === 1 ? charge : email)
    return 'done'
  })
}
const steady = orders.implement(async (ctx) => {
  await ctx.run(charge)
  return 'done'
})

test('closing an environment fails for code that does not replay, and names the call', async () => {
  const env = await testEnvironment({ workflows: [fickle()], activities })
  await env.client.execute(orders, {})
  await expect(env[Symbol.asyncDispose]()).rejects.toMatchObject({
    name: 'NonDeterminismError',
    message: expect.stringMatching(/charge.*email|email.*charge/s),
  })
  await expect(env.advance(1)).rejects.toMatchObject({ reason: 'environment_closed' })
})

test('it can be switched off, and asked for', async () => {
  await using env = await testEnvironment({ workflows: [fickle()], activities, verifyReplays: false })
  await env.client.execute(orders, {})
  await expect(env.verifyReplays()).rejects.toMatchObject({ name: 'NonDeterminismError' })
})

test('of several implementations side by side one must fit', async () => {
  const other = orders.implement(async (ctx) => {
    await ctx.run(email)
    return 'other'
  })
  await using env = await testEnvironment({ workflows: [steady], activities })
  await env.client.execute(orders, {})
  await env.crashWorker()
  await env.startWorker({ workflows: [other], activities })
  expect(await env.client.execute(orders, {})).toBe('other')
  await env.verifyReplays()
})

test('a history of the environment replays with the code that wrote it, and not with other code', async () => {
  await using env = await testEnvironment({ workflows: [steady], activities })
  const run = await env.client.start(orders, {})
  await run.result()
  const history = await env.history(run)
  expect(await replay(steady, history)).toMatchObject({ ok: true, ending: 'completed' })
  const other = orders.implement(async (ctx) => {
    await ctx.sleep('1 s')
    return 'done'
  })
  expect(await replay(other, history)).toMatchObject({ ok: false })
})

// A wait that cannot end says so, and what its run waits for.
import { activity, signal, workflow } from '@durable-workflow/sdk'
import { NothingDueError, testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const approved = signal('approved')
const approval = workflow('approval', { handles: [approved] }, async (ctx) => {
  await ctx.waitFor(approved)
})

test.for(['manual', 'auto'] as const)(
  'time %s: a result that nothing will bring rejects and names the wait',
  async (time) => {
    await using env = await testEnvironment({ workflows: [approval], time })
    const run = await env.client.start(approval, { id: 'approval-1' })
    const refused = await run.result().catch((error: unknown) => error)
    expect(NothingDueError.is(refused)).toBe(true)
    expect(refused).toMatchObject({ reason: 'nothing_due', facts: { workflowId: 'approval-1', runId: run.runId } })
    expect(String(refused)).toMatch(/workflow approval-1 would never end\. Waits for signal 'approved'\./)
    await run.signal(approved)
    await run.result()
  },
)

test('a run that no worker serves is named so', async () => {
  await using env = await testEnvironment()
  const run = await env.client.start(approval, {})
  await expect(run.result()).rejects.toThrow(/No registered worker serves 'approval' on queue 'default'/)
})

test('a wait that is answered in time is left alone', async () => {
  await using env = await testEnvironment({ workflows: [approval] })
  const run = await env.client.start(approval, {})
  const result = run.result()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await run.signal(approved)
  await result
})

test('a run that only goes round in circles ends automatic time after stopsMax', async () => {
  const broken = activity('broken').implement(() => {
    throw new Error('always')
  })
  const stubborn = workflow('stubborn', {}, async (ctx) => ctx.run(broken))
  await using env = await testEnvironment({ workflows: [stubborn], activities: [broken], time: 'auto', stopsMax: 20 })
  const run = await env.client.start(stubborn, {})
  await expect(run.result()).rejects.toMatchObject({
    reason: 'too_many_stops',
    message: expect.stringMatching(/stopped 20 times.*Activity 'broken'.*stopsMax/s),
  })
})

test('time does not go back', async () => {
  await using env = await testEnvironment({ startAt: new Date('2030-06-01T12:00:00Z') })
  expect(env.now()).toEqual(new Date('2030-06-01T12:00:00Z'))
  await env.advance(new Date('2030-06-02T00:00:00Z'))
  await expect(env.advance(new Date('2030-06-01T00:00:00Z'))).rejects.toThrow(
    'Time goes forward only: it is 2030-06-02T00:00:00.000Z',
  )
  await expect(env.advance(-1)).rejects.toMatchObject({ reason: 'invalid_duration' })
})

// A poll that is not held (timeout 0) on a store that answers later than the next turn of the event loop.
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@durable-workflow/store-sql'
import { expect, test } from 'vitest'
import { createEngine } from '../src/index.ts'
import type { Store } from '../src/ports.ts'
import { pollOf, registration, replyOf, workflowClaim } from './support/engine.ts'
import { start } from './support/operations.ts'

const storeAnswersAfterMs = 30

/** Real time: what is tested is the order of a timer and an answer. */
async function startSlowEngine() {
  const store = await openStore('sqlite::memory:')
  const find: Store['find'] = {
    ...store.find,
    async readyTasks(query) {
      await pause(storeAnswersAfterMs)
      return store.find.readyTasks(query)
    },
  }
  const slow: Store = {
    description: store.description,
    concurrency: store.concurrency,
    wakes: store.wakes,
    find,
    list: store.list,
    transact: (locks, work) => store.transact(locks, work),
    load: (keys) => store.load(keys),
    ping: () => store.ping(),
    close: () => store.close(),
  }
  const engine = createEngine({ store: slow, onError: (error) => expect.fail(String(error)) })
  await engine.start()
  return {
    engine,
    async [Symbol.asyncDispose]() {
      await engine.close()
      await store.close()
    },
  }
}

test('a probe gets a task that is ready, however long the store takes to say so', async () => {
  await using made = await startSlowEngine()
  const { engine } = made
  const runId = engine.newRunId('order-1')
  replyOf(await engine.execute(start({ workflowId: 'order-1', runId })))
  await engine.register(registration())
  const claim = workflowClaim(await engine.poll(pollOf('workflow', { timeoutMs: 0 })))
  expect(claim.run.runId).toBe(runId)
  expect(await engine.poll(pollOf('workflow', { timeoutMs: 0 }))).toEqual({ kind: 'empty', status: 'empty' })
})

test('of two probes at once one gets the task, the other one nothing, and both end', async () => {
  await using made = await startSlowEngine()
  const { engine } = made
  replyOf(await engine.execute(start({ workflowId: 'order-1', runId: engine.newRunId('order-1') })))
  await engine.register(registration())
  const polls = await Promise.all([1, 2].map(() => engine.poll(pollOf('workflow', { timeoutMs: 0 }))))
  expect(polls.map(({ kind }) => kind).sort()).toEqual(['empty', 'workflow'])
})

test('a probe whose client goes ends at once and claims nothing', async () => {
  await using made = await startSlowEngine()
  const { engine } = made
  replyOf(await engine.execute(start({ workflowId: 'order-1', runId: engine.newRunId('order-1') })))
  await engine.register(registration())
  const gone = AbortSignal.abort()
  expect(await engine.poll(pollOf('workflow', { timeoutMs: 0, signal: gone }))).toMatchObject({ kind: 'empty' })
  expect(workflowClaim(await engine.poll(pollOf('workflow', { timeoutMs: 0 }))).task.attempt).toBe(1)
})

// A question from end to end: answered, failed, not answered, and why.

import { limits } from '@durable-workflow/protocol'
import { describe, expect, test } from 'vitest'
import { completeQueryTask, failQueryTask, heartbeatWorker } from '../src/index.ts'
import {
  isSettled,
  pollOf,
  queryClaim,
  registerOn,
  replyOf,
  startEngine,
  startOn,
  startWithWorker,
  type TestEngine,
} from './support/engine.ts'
import { ask, cancel } from './support/operations.ts'

async function ready(settings = {}): Promise<TestEngine> {
  const made = await startWithWorker(settings)
  await startOn(made)
  return made
}

const query = (made: TestEngine, given: Partial<Parameters<TestEngine['engine']['query']>[0]> = {}) =>
  made.engine.query({
    namespace: 'default',
    workflowId: 'order-1',
    runId: undefined,
    queryName: 'total',
    arguments: undefined,
    ...given,
  })

describe('a worker answers', () => {
  test('a value, at once', async () => {
    await using made = await ready()
    const asked = query(made)
    const { queryTask } = queryClaim(await made.settled(made.engine.poll(pollOf('query'))))
    const envelope = { codec: 'avro', blob: 'AA==' }
    replyOf(
      await made.settled(
        made.engine.execute(
          completeQueryTask({
            queryTaskId: queryTask.queryTaskId,
            namespace: 'default',
            leaseOwner: 'worker-1',
            attempt: 1,
            result: { total: 7 },
            envelope,
          }),
        ),
      ),
    )
    expect(await made.settled(asked)).toMatchObject({
      kind: 'answered',
      run: { workflowId: 'order-1' },
      result: { total: 7 },
      envelope,
    })
  })

  test('a poller that waits gets the question with the asking', async () => {
    await using made = await ready()
    const poll = made.engine.poll(pollOf('query'))
    await made.clock.settle()
    const asked = query(made)
    const { queryTask } = queryClaim(await made.settled(poll))
    await made.settled(
      made.engine.execute(
        completeQueryTask({
          queryTaskId: queryTask.queryTaskId,
          namespace: 'default',
          leaseOwner: 'worker-1',
          attempt: 1,
          result: null,
          envelope: undefined,
        }),
      ),
    )
    expect(await made.settled(asked)).toMatchObject({ kind: 'answered', result: null })
  })

  test('a failure, with its own reason and words', async () => {
    await using made = await ready()
    const asked = query(made)
    const { queryTask } = queryClaim(await made.settled(made.engine.poll(pollOf('query'))))
    await made.settled(
      made.engine.execute(
        failQueryTask({
          queryTaskId: queryTask.queryTaskId,
          namespace: 'default',
          leaseOwner: 'worker-1',
          attempt: 1,
          failure: {
            message: 'no query total',
            reason: 'rejected_unknown_query',
            type: undefined,
            validationErrors: [1],
          },
        }),
      ),
    )
    expect(await made.settled(asked)).toMatchObject({
      kind: 'failed',
      reason: 'rejected_unknown_query',
      message: 'no query total',
      validationErrors: [1],
    })
  })

  test('through another server, within one interval', async () => {
    await using made = await ready()
    await using other = await startEngine({ beside: made })
    const asked = query(made)
    await made.clock.settle()
    const { queryTask } = queryClaim(await made.settled(other.engine.poll(pollOf('query'))))
    await made.settled(
      other.engine.execute(
        completeQueryTask({
          queryTaskId: queryTask.queryTaskId,
          namespace: 'default',
          leaseOwner: 'worker-1',
          attempt: 1,
          result: 1,
          envelope: undefined,
        }),
      ),
    )
    expect(await isSettled(made, asked)).toBe(false)
    await made.clock.advance(1_000)
    expect(await made.settled(asked)).toMatchObject({ kind: 'answered' })
  })
})

describe('nobody answers', () => {
  test('no worker claims it', async () => {
    await using made = await ready()
    const asked = query(made)
    await made.clock.advance(30_000)
    expect(await asked).toMatchObject({
      reason: 'query_task_not_claimed',
      facts: { queryName: 'total', timeoutMs: 30_000 },
    })
  })

  test('a worker claims it and says nothing', async () => {
    await using made = await ready()
    const asked = query(made)
    queryClaim(await made.settled(made.engine.poll(pollOf('query'))))
    await made.clock.advance(30_000)
    expect(await asked).toMatchObject({ reason: 'query_worker_timeout' })
  })

  test('a worker claims it, its lease is lost, nobody claims it again: it was claimed all the same', async () => {
    await using made = await ready({ queryLeaseMs: 5_000 })
    const asked = query(made)
    queryClaim(await made.settled(made.engine.poll(pollOf('query'))))
    await made.clock.advance(30_000)
    expect(await asked).toMatchObject({ reason: 'query_worker_timeout' })
  })

  test('a lost lease gives the question to the poller that waits', async () => {
    await using made = await ready({ queryLeaseMs: 5_000 })
    await registerOn(made, { workerId: 'worker-2' })
    const asked = query(made)
    queryClaim(await made.settled(made.engine.poll(pollOf('query'))))
    const second = made.engine.poll(pollOf('query', { workerId: 'worker-2' }))
    await made.clock.advance(5_000)
    const { queryTask } = queryClaim(await made.settled(second))
    expect(queryTask).toMatchObject({ attempt: 2, lease: { owner: 'worker-2' } })
    await made.settled(
      made.engine.execute(
        completeQueryTask({
          queryTaskId: queryTask.queryTaskId,
          namespace: 'default',
          leaseOwner: 'worker-2',
          attempt: 2,
          result: 1,
          envelope: undefined,
        }),
      ),
    )
    expect(await made.settled(asked)).toMatchObject({ kind: 'answered' })
    expect(made.errors).toEqual([])
  })

  test('its caller goes: the wait ends, the question stays', async () => {
    await using made = await ready()
    const leaving = new AbortController()
    const asked = query(made, { signal: leaving.signal })
    await made.clock.settle()
    leaving.abort()
    expect(await made.settled(asked)).toMatchObject({ kind: 'refused' })
    expect((await made.settled(made.engine.poll(pollOf('query')))).kind).toBe('query')
  })
})

describe('refused', () => {
  const refusals: [string, Partial<Parameters<TestEngine['engine']['query']>[0]>, string][] = [
    ['an unknown workflow', { workflowId: 'nothing' }, 'instance_not_found'],
    ['an unknown run', { runId: 'f'.repeat(32) }, 'run_not_found'],
    ['another namespace', { namespace: 'other' }, 'instance_not_found'],
  ]
  test.each(refusals)('%s', async (_name, given, reason) => {
    await using made = await ready()
    expect(await made.settled(query(made, given))).toMatchObject({ kind: 'refused', reason })
  })

  test('no worker that answers queries', async () => {
    await using made = await startEngine()
    await registerOn(made, { capabilities: [] })
    await registerOn(made, { workerId: 'other', workflowTypes: ['Invoice'] })
    await startOn(made)
    expect(await made.settled(query(made))).toMatchObject({
      reason: 'query_worker_unavailable',
      facts: { workflowType: 'Order', taskQueue: 'orders' },
    })
  })

  test('no worker that has been heard of lately; one heartbeat makes it answer again', async () => {
    await using made = await ready()
    await made.clock.advance(30_000)
    expect(await made.settled(query(made))).toMatchObject({ reason: 'query_worker_unavailable' })
    replyOf(
      await made.settled(
        made.engine.execute(heartbeatWorker({ namespace: 'default', workerId: 'worker-1', report: undefined })),
      ),
    )
    const asked = query(made)
    expect(await isSettled(made, asked)).toBe(false)
    await made.clock.advance(30_000)
    await asked
  })

  test('a closed run, whether or not a worker is there', async () => {
    await using made = await ready()
    replyOf(await made.settled(made.engine.execute(cancel())))
    expect(await made.settled(query(made))).toMatchObject({
      reason: 'run_not_active',
      facts: { runStatus: 'cancelled' },
    })
    await made.settled(made.engine.deregister({ namespace: 'default', workerId: 'worker-1' }))
    expect(await made.settled(query(made))).toMatchObject({ reason: 'run_not_active' })
  })

  test('a queue that is full of questions', async () => {
    await using made = await ready()
    const max = limits.queryTasksPerQueueMax
    const asked = Array.from({ length: max }, (_, n) =>
      made.engine.execute(ask({ chance: n.toString(16).padStart(16, '0') })),
    )
    await made.settled(Promise.all(asked))
    expect(await made.settled(query(made))).toMatchObject({
      reason: 'query_task_queue_full',
      facts: { currentValue: max, configuredLimit: max },
    })
  })
})

test('a question is a row, never history; it goes with its time', async () => {
  await using made = await ready()
  const asked = query(made)
  await made.clock.advance(180_000)
  await asked
  const { page } = foundHistory(
    await made.settled(
      made.engine.views.history({ namespace: 'default', workflowId: 'order-1', runId: undefined, after: 0, limit: 99 }),
    ),
  )
  expect(page.total).toBe(2)
  expect(await made.settled(made.store.list.openQueryTaskCount({ namespace: 'default', taskQueue: 'orders' }))).toBe(0)
})

function foundHistory<Found extends { readonly kind: string }>(
  found: Found,
): Extract<Found, { readonly kind: 'found' }> {
  if (isFound(found)) return found
  throw new Error(`Expected a history, got ${JSON.stringify(found)}.`)
}

function isFound<Found extends { readonly kind: string }>(
  found: Found,
): found is Extract<Found, { readonly kind: 'found' }> {
  return found.kind === 'found'
}

// What must and must not compile outside of workflow functions, in pairs: handles, activities, failures, replayed histories.
import { z } from 'zod'
import type { Client, RecordedEvent, RunStatus } from '../../src/client.ts'
import {
  type ActivityContext,
  ActivityFailure,
  activity,
  type Duration,
  NonDeterminismError,
  query,
  signal,
  TimeoutFailure,
  type,
  workflow,
} from '../../src/index.ts'
import { replayHistory } from '../../src/replay.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function holds<T extends true>(): T | undefined {
  return undefined
}

const named = signal('named', z.string().transform(Number))
const bare = signal('bare')
const maybe = signal('maybe', z.string().optional())
const state = query('state', { output: z.string().transform(Number) })
const row = query('row', { input: z.int(), output: z.string() })
const optional = query('optional', { input: z.int().optional() })
const order = workflow('order', {
  input: z.string().optional(),
  output: z.int(),
  handles: [named, bare, maybe, state, row, optional],
})
const spread = workflow('spread', { args: [z.string(), z.int()], output: z.boolean() })
const orderImpl = order.implement(async () => 1)

export async function handles(client: Client): Promise<void> {
  const run = await client.start(order, {})
  await client.start(order, { input: 'x', executionTimeout: '1 day' })
  // @ts-expect-error the input is text
  await client.start(order, { input: 7 })
  await client.start(spread, { input: ['x', 1] })
  // @ts-expect-error arguments in the wrong order
  await client.start(spread, { input: [1, 'x'] })

  // A sender gives what the schema takes, not what it makes of it.
  await run.signal(named, '7')
  // @ts-expect-error what the schema takes is text
  await run.signal(named, 7)
  await run.signal(bare)
  // @ts-expect-error this signal carries nothing
  await run.signal(bare, 'x')
  await run.signal(maybe)
  await run.signal(maybe, 'x')
  // @ts-expect-error the payload has another shape
  await run.signal(maybe, 1)

  const answer = await run.query(state)
  holds<Equal<typeof answer, number>>()
  // @ts-expect-error this query takes nothing
  await run.query(state, 1)
  const text = await run.query(row, 1)
  holds<Equal<typeof text, string>>()
  // @ts-expect-error the input is missing
  await run.query(row)
  // @ts-expect-error the input is a number
  await run.query(row, 'x')
  await run.query(optional)
  await run.query(optional, 1)

  const again = client.get(order, 'order-1', { runId: 'r' })
  const result = await again.result({ signal: AbortSignal.abort() })
  holds<Equal<typeof result, number>>()
  // @ts-expect-error a handle is made for a contract
  client.get('order', 'order-1')
  const { status, startedAt, closedReason } = await run.describe()
  const known: RunStatus | (string & {}) = status
  const since: Date | undefined = startedAt
  const why: string | undefined = closedReason
  // @ts-expect-error a run may not have started
  startedAt.getTime()
  for await (const event of run.history()) {
    holds<Equal<typeof event, RecordedEvent>>()
    // @ts-expect-error what is recorded stays
    event.sequence = 1
  }
  const lines: string[] = await run.explain()
  await run.cancel('enough')
  // @ts-expect-error a reason is text
  await run.terminate({ reason: 'enough' })
  for await (const item of client.list({ type: order, status: 'failed' }))
    holds<Equal<typeof item.workflowId, string>>()
  // @ts-expect-error there is no such status
  client.list({ status: 'lost' })
  void [known, since, why, lines]
}

export async function activities(ctx: ActivityContext): Promise<void> {
  ctx.heartbeat({ done: 7 })
  const last = ctx.lastHeartbeat<{ done: number }>()
  holds<Equal<typeof last, { done: number } | undefined>>()
  // @ts-expect-error there may be no heartbeat
  last.done
  const key: string = ctx.idempotencyKey
  const attempt: number = ctx.info.attempt
  // @ts-expect-error activities have no durable calls
  ctx.sleep('1s')
  // @ts-expect-error facts are read
  ctx.info.attempt = 2
  void [key, attempt]
}

const pair = activity('pair', { args: [z.string(), type<{ size: number }>()], output: z.string() })
pair.implement(([text, { size }]) => text.repeat(size))
// @ts-expect-error the tuple has two members
pair.implement(([_text, _size, third]) => third)
activity('timed', { retry: { maximumAttempts: 2, initialInterval: '1s', nonRetryableErrorTypes: ['Declined'] } })
// @ts-expect-error names stand in a list
activity('timed', { retry: { nonRetryableErrorTypes: 'Declined' } })
// @ts-expect-error a duration has a unit that exists
activity('timed', { heartbeatTimeout: '3 fortnights' })
const durations: readonly Duration[] = ['1ms', '1.5 hours', '2d', '1y', 0]
// @ts-expect-error a unit alone is none
const none: Duration = 's'
void [durations, none]

export function failures(error: unknown): void {
  if (ActivityFailure.is(error)) {
    const names: string = error.activityType + error.type
    const details: unknown = error.details
    void [names, details]
  }
  // @ts-expect-error an error is unknown until it was asked
  error.reason
  // @ts-expect-error only a failure of an activity names one
  if (TimeoutFailure.is(error)) error.activityType
}

export async function replayed(client: Client): Promise<void> {
  const report = await replayHistory(orderImpl, client.get(order, 'order-1').history(), { input: 'x', cuts: 10 })
  if (report.ok) {
    holds<Equal<typeof report.ending, 'completed' | 'failed' | 'closed' | 'open'>>()
  } else if (NonDeterminismError.is(report.mismatch)) {
    const step: unknown = report.mismatch.facts.sequence
    void step
  }
  // @ts-expect-error a report that fits has no mismatch
  report.mismatch
  await replayHistory(orderImpl, [{ sequence: 1, type: 'WorkflowStarted', payload: {} }])
  await replayHistory(orderImpl, { history_events: [], arguments: { codec: 'avro', blob: '' } })
  // @ts-expect-error a contract has no function to replay
  await replayHistory(order, [])
  // @ts-expect-error no history
  await replayHistory(orderImpl, 7)
}

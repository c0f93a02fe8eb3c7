// Payloads and bodies at their bounds, to the byte: the largest one is taken wherever a payload can stand, one step more is
// refused with kind, value and limit, and nothing is recorded; the claim of a refused report stays.
import { decodeEnvelope, encodeArguments, envelopeBytes } from '@durable-workflow/codec'
import { limits } from '@durable-workflow/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bytesOf, RawConnection } from './support/raw-connection.ts'
import type { Answered } from './support/test-client.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { claim, claimActivity, complete, finish, register, schedule, start, worker } from './support/wire.ts'

let served: TestServer
let taskQueue = ''
let tests = 0
beforeAll(async () => {
  // A payload of the largest size needs a larger body around it.
  served = await startTestServer({ settings: { bodyBytesMax: 2 * limits.bodyBytesMax } })
})
afterAll(() => served.close())
beforeEach(async () => {
  tests += 1
  taskQueue = `queue-${tests}`
  await register(served.client, { task_queue: taskQueue })
})

/** Arguments whose base64 text has this many bytes; a multiple of four. */
function argumentsOfBytes(bytes: number): { readonly codec: string; readonly blob: string } {
  const around = Buffer.from(encodeArguments(['']).blob, 'base64').length
  let text = 'x'.repeat((bytes / 4) * 3 - around - 8)
  while (envelopeBytes(encodeArguments([text])) < bytes) text += 'x'
  return encodeArguments([text])
}

test('the payload that the tests call the largest is one', () => {
  const largest = argumentsOfBytes(limits.payloadBytesMax)
  expect(envelopeBytes(largest)).toBe(limits.payloadBytesMax)
  expect(decodeEnvelope(largest)).toEqual([expect.stringMatching(/^x+$/)])
})

type Payload = ReturnType<typeof argumentsOfBytes>

/** Prepares a place and returns what sends a payload there. */
type Place = () => Promise<(payload: Payload) => Promise<Answered>>

const inQueue = () => ({ task_queue: taskQueue })

async function claimed() {
  const run = await start(served.client, inQueue())
  return { run, task: await claim(served.client, inQueue()) }
}

async function inCommand(command: (payload: Payload) => unknown): Promise<(payload: Payload) => Promise<Answered>> {
  const { task } = await claimed()
  return (payload) => complete(served.client, task, [command(payload)])
}

const places: Readonly<Record<string, Place>> = {
  'the input of a start, as an envelope': async () => (input) =>
    served.client.call('startWorkflow', { body: { workflow_type: 't', input } }),
  'the input of a start, as a list': async () => (input) =>
    served.client.call('startWorkflow', { body: { workflow_type: 't', input: decodeEnvelope(input) } }),
  'the input of a signal': async () => {
    const { workflowId } = await start(served.client, inQueue())
    const path = { workflow_id: workflowId, signal_name: 'go' }
    return (input) => served.client.call('signalWorkflow', { path, body: { input } })
  },
  'the arguments of an activity': () => inCommand((payload) => schedule({ queue: taskQueue, arguments: payload })),
  'the arguments of an activity, bare': () =>
    inCommand(({ blob }) => schedule({ queue: taskQueue, arguments: blob, payload_codec: 'avro' })),
  'the result of a side effect': () =>
    inCommand((result) => ({ type: 'record_side_effect', result, payload_codec: 'avro' })),
  'the result of a workflow': () => inCommand((result) => ({ type: 'complete_workflow', result })),
  'the result of an activity': async () => {
    const { task } = await claimed()
    await complete(served.client, task, [schedule({ queue: taskQueue })])
    const activity = await claimActivity(served.client, inQueue())
    const path = { task_id: activity.task_id }
    const ids = { activity_attempt_id: activity.activity_attempt_id, lease_owner: worker }
    return (result) => served.client.call('completeActivityTask', { path, body: { ...ids, result } })
  },
}

describe.each(Object.entries(places))('%s', (_name, place) => {
  test('is taken up to the limit and refused above it', async () => {
    const send = await place()
    const before = served.tables()
    const tooLarge = limits.payloadBytesMax + 4
    const refused = await send(argumentsOfBytes(tooLarge))
    expect(refused).toMatchObject({
      status: 422,
      body: {
        reason: 'structural_limit_exceeded',
        recorded: false,
        limit_kind: 'payload_size',
        current_value: tooLarge,
        configured_limit: limits.payloadBytesMax,
      },
    })
    expect(refused.text.length).toBeLessThan(5000)
    expect(served.tables()).toEqual(before)
    const taken = await send(argumentsOfBytes(limits.payloadBytesMax))
    expect(taken.status, taken.text.slice(0, 500)).toBeLessThan(300)
  })
})

test('an answer to a query is taken up to the limit and refused above it, while the one who asks waits', async () => {
  const { client } = served
  const { workflowId } = await start(client, inQueue())
  const asking = client.call('queryWorkflow', { path: { workflow_id: workflowId, query_name: 'q' } })
  const polled = await client.call('pollQueryTask', { body: { worker_id: worker, timeout_seconds: 5, ...inQueue() } })
  const path = { query_task_id: polled.body.task.query_task_id }
  const send = (payload: Payload) =>
    client.call('completeQueryTask', {
      path,
      body: { lease_owner: worker, query_task_attempt: 1, result_envelope: payload },
    })
  expect(await send(argumentsOfBytes(limits.payloadBytesMax + 4))).toMatchObject({
    status: 422,
    body: { reason: 'structural_limit_exceeded', limit_kind: 'payload_size', recorded: false },
  })
  expect((await send(argumentsOfBytes(limits.payloadBytesMax))).status).toBe(200)
  expect((await asking).body.result_envelope.blob).toHaveLength(limits.payloadBytesMax)
})

test.each([
  [-1, 201],
  [0, 201],
  [1, 413],
])('a body of the limit %i byte is answered %i, by its length and in chunks', async (more, status) => {
  await using usual = await startTestServer()
  const text = '{"workflow_type":"t"}'
  const body = Buffer.from(text.padEnd(limits.bodyBytesMax + more, ' '))
  const before = usual.tables()
  for (const isChunked of [false, true]) {
    const connection = await RawConnection.open(usual.url)
    const headers = [
      ['content-type', 'application/json'],
      ['x-durable-workflow-control-plane-version', '2'],
    ] as const
    connection.write(bytesOf({ method: 'POST', target: '/api/workflows', headers, body, isChunked }))
    const answer = await connection.answer(10_000)
    connection.close()
    expect(answer === 'cut' ? answer : answer.status, `chunked: ${isChunked}`).toBe(status)
    if (answer === 'cut' || status < 400) continue
    expect(JSON.parse(answer.text)).toMatchObject({ limit: limits.bodyBytesMax, recorded: false })
    expect(usual.tables()).toEqual(before)
  }
})

test('a run that ends with the largest result shows it whole', async () => {
  const { run, task } = await claimed()
  await complete(served.client, task, [{ ...finish(), result: argumentsOfBytes(limits.payloadBytesMax) }])
  const described = await served.client.call('describeWorkflow', { path: { workflow_id: run.workflowId } })
  expect(described.body.output_envelope?.blob ?? '').toHaveLength(limits.payloadBytesMax)
})

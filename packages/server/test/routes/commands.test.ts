// What a completion carries, as the wire sees it: what is recorded under which step, and what is refused whole.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { claim, complete, finish, queue, register, resultOf, schedule, start, worker } from '../support/wire.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served.close())

// Each test has a queue of its own, so that no task of another test is claimed.
let tests = 0
let mine = queue
beforeEach(async () => {
  tests += 1
  mine = `queue-${tests}`
  await register(served.client, { worker_id: worker, task_queue: mine })
})

async function claimed() {
  const run = await start(served.client, { task_queue: mine })
  return { ...run, task: await claim(served.client, { task_queue: mine }) }
}

async function events(workflowId: string, runId: string): Promise<{ event_type: string; payload: unknown }[]> {
  const answer = await served.client.call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.events
}

/** Refused whole and by name, nothing recorded, and the claim still good for another report. */
async function expectRefused(commands: readonly unknown[], at: number, problem: RegExp) {
  const { task, runId } = await claimed()
  const before = served.tables()
  const answer = await complete(served.client, task, commands)
  expect(answer, answer.text).toMatchObject({
    status: 422,
    body: { reason: 'validation_failed', recorded: false, task_id: task.task_id, workflow_task_attempt: 1 },
  })
  expect(JSON.stringify(answer.body.errors)).toMatch(problem)
  expect(Object.keys(answer.body.errors)[0]).toMatch(new RegExp(`^commands\\.${at}`))
  expect(served.tables()).toEqual(before)
  const after = await complete(served.client, task, [finish()])
  expect(after).toMatchObject({ status: 200, body: { run_id: runId } })
}

const marker = (fields = {}) => ({
  type: 'record_version_marker',
  change_id: 'pricing',
  version: 3,
  min_supported: 1,
  max_supported: 3,
  ...fields,
})
const sideEffect = (fields = {}) => ({ type: 'record_side_effect', result: resultOf(42), ...fields })

describe('markers', () => {
  test('a side effect and a version marker take steps of their own, in the order of the list', async () => {
    const { workflowId, runId, task } = await claimed()
    const commands = [sideEffect({ result: resultOf(42).blob }), marker(), sideEffect(), schedule({ queue: mine })]
    expect((await complete(served.client, task, commands)).status).toBe(200)
    expect((await events(workflowId, runId)).slice(-4)).toMatchObject([
      { event_type: 'SideEffectRecorded', payload: { sequence: 1, result: resultOf(42), payload_codec: 'avro' } },
      {
        event_type: 'VersionMarkerRecorded',
        payload: { sequence: 2, change_id: 'pricing', version: 3, min_supported: 1, max_supported: 3 },
      },
      { event_type: 'SideEffectRecorded', payload: { sequence: 3, result: resultOf(42) } },
      { event_type: 'ActivityScheduled', payload: { sequence: 4 } },
    ])
  })

  test.each([
    [sideEffect({ result: undefined }), /result/],
    [sideEffect({ result: '' }), /result/],
    [sideEffect({ result: 7 }), /result/],
    [sideEffect({ result: { codec: 'json', blob: 'AA==' } }), /unsupported payload codec/],
    [sideEffect({ workflow_stream: { operation: 'append' } }), /workflow_stream/],
    [marker({ change_id: '' }), /change_id/],
    [marker({ change_id: undefined }), /change_id/],
    [marker({ version: 1.5 }), /version/],
    [marker({ version: '3' }), /version/],
    [marker({ version: 2 ** 31, max_supported: 2 ** 31 }), /version/],
    [marker({ min_supported: undefined }), /min_supported/],
    [marker({ version: 4 }), /outside of min_supported 1 to max_supported 3/],
    [marker({ version: 0 }), /outside of min_supported 1 to max_supported 3/],
  ])('%j is refused', async (command, problem) => {
    await expectRefused([schedule({ queue: mine }), command], 1, problem)
  })
})

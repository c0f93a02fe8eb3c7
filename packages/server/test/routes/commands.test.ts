// What a completion carries, as the wire sees it: what is recorded under which step, and what is refused whole.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import {
  claim,
  claimActivity,
  complete,
  finish,
  queue,
  register,
  resultOf,
  schedule,
  start,
  worker,
} from '../support/wire.ts'

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

describe('parallel groups', () => {
  const group = (commands: readonly object[], kind = 'activity', prefix = 'parallel-activities') =>
    commands.map((command, index) => {
      const entry = {
        parallel_group_id: `${prefix}:1:${commands.length}`,
        parallel_group_kind: kind,
        parallel_group_base_sequence: 1,
        parallel_group_size: commands.length,
        parallel_group_index: index,
      }
      return { ...command, ...entry, parallel_group_path: [entry] }
    })
  const one = () => schedule({ queue: mine })

  test('a group is recorded, waits for its last member, and says what it waits for', async () => {
    const { workflowId, runId, task } = await claimed()
    const commands = group([one(), { type: 'start_timer', delay_seconds: 60 }, one()], 'mixed', 'parallel-calls')
    expect((await complete(served.client, task, commands)).status).toBe(200)
    const path = { workflow_id: workflowId }
    expect((await served.client.call('describeWorkflow', { path })).body).toMatchObject({
      status: 'waiting',
      wait_kind: 'activity',
      wait_reason: 'parallel_group',
    })
    const ofRun = { workflow_id: workflowId, run_id: runId }
    const { body } = await served.client.call('debugWorkflow', { path })
    expect(body.explanation[0]).toBe('Waits for parallel group parallel-calls:1:3: 0 of 3 members have ended.')
    expect(body.execution.wait_kind).toBe('parallel_group')
    const activity = await claimActivity(served.client, { task_queue: mine })
    const answer = await served.client.call('completeActivityTask', {
      path: { task_id: activity.task_id },
      body: { activity_attempt_id: activity.activity_attempt_id, lease_owner: worker, result: resultOf(1) },
    })
    expect(answer).toMatchObject({ status: 200, body: { next_task_id: null } })
    const history = await events(ofRun.workflow_id, ofRun.run_id)
    const members = history.filter((event) => /^(Activity|Timer)/.test(event.event_type))
    expect(members.map((event) => event.event_type)).toEqual([
      'ActivityScheduled',
      'TimerScheduled',
      'ActivityScheduled',
      'ActivityStarted',
      'ActivityCompleted',
    ])
    for (const { payload } of members) expect(payload).toMatchObject({ parallel_group_id: 'parallel-calls:1:3' })
  })

  test('the same group sent again is answered as recorded and writes no event', async () => {
    const { workflowId, runId, task } = await claimed()
    const commands = group([one(), one()])
    await complete(served.client, task, commands)
    await served.client.call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'note' } })
    const before = (await events(workflowId, runId)).length
    const woken = await claim(served.client, { task_queue: mine })
    const answer = await complete(served.client, woken, commands)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'completed', created_task_ids: [] } })
    expect(await events(workflowId, runId)).toHaveLength(before)
  })

  test.each([
    ['a member is missing', () => group([one(), one()]).slice(0, 1), 0, /has 1 of its 2 members/],
    [
      'the path is missing',
      () => group([one()]).map((c) => ({ ...c, parallel_group_path: null })),
      0,
      /_path is missing/,
    ],
    [
      'an id of another kind',
      () => group([one()], 'activity', 'parallel-calls'),
      0,
      /it must be 'parallel-activities:1:1'/,
    ],
    ['a child', () => group([{ type: 'start_child_workflow' }], 'child', 'parallel-children'), 0, /not supported/],
    ['a base that is not the next step', () => [one(), ...group([one()])], 1, /the next step of the run is 2/],
    [
      'a path of texts',
      () => group([one()]).map((c) => ({ ...c, parallel_group_path: ['x'] })),
      0,
      /parallel_group_path/,
    ],
    ['a size that is text', () => group([one()]).map((c) => ({ ...c, parallel_group_size: '1' })), 0, /_size/],
  ])('refused whole: %s', async (_name, commands, index, problem) => {
    await expectRefused(commands(), index, problem)
  })
})

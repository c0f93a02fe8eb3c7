// A run whose history and code differ: the task fails with the whole report, the run is not failed, and corrected code goes on.
import { encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { type ActivityContract, activity, type, workflow } from '../../src/index.ts'
import { startStub } from '../transport/stub-server.ts'
import { completed, event, greet, startWorker, workflowTask } from './harness.ts'

const charge = activity('charge', { output: type<string>() })
const refund = activity('refund', { output: type<string>() })

/** The same text for every activity: code that looks the same, and is not. */
const flowOf = (step: ActivityContract<undefined, typeof charge.output>) =>
  workflow('flow', { output: type<unknown>() }, async (ctx) => {
    await ctx.sleep('1s')
    return ctx.run(step)
  })

const rows = [
  event(1, 'WorkflowStarted', { workflow_type: 'flow' }),
  event(2, 'TimerScheduled', { sequence: 1, timer_id: 't', delay_seconds: 1 }),
  event(3, 'TimerFired', { sequence: 1, timer_id: 't', delay_seconds: 1 }),
  event(4, 'ActivityScheduled', { sequence: 2, activity_type: 'charge' }),
  event(5, 'ActivityCompleted', { sequence: 2, activity_type: 'charge', result: encodeEnvelope('paid') }),
]
const task = (id: string, more: Record<string, unknown> = {}) =>
  workflowTask(id, { workflow_type: 'flow', run_id: 'run-1', history_events: rows, total_history_events: 5, ...more })

describe('a mismatch', () => {
  test('is reported with reason, step and text: run, both commands, both places, and what to do', async () => {
    await using stub = await startStub()
    stub.on('failWorkflowTask', () => completed)
    stub.offer('workflow', task('t1'))
    const { worker, run } = await startWorker(stub, { workflows: [flowOf(refund)] })
    const { body } = await stub.arrived('failWorkflowTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({
      type: 'NonDeterminismError',
      reason: 'activity_identity_mismatch',
      sequence: 2,
      stack_trace: expect.stringContaining('NonDeterminismError'),
    })
    const { message } = Object(body.failure)
    expect(message).toMatch(
      /^replay failed: Replay of run run-1 of workflow "order-t1" \(type "flow"\) differs from its history at step 2: /,
    )
    expect(message).toMatch(
      /recorded is ActivityScheduled "charge" \(history event 4\), after ctx\.sleep at .*replay-blocked\.test\.ts:\d+:\d+/,
    )
    expect(message).toMatch(/the code calls ctx\.run\(refund\) at .*replay-blocked\.test\.ts:\d+:\d+/)
    expect(message).toContain('Deploy code that makes the recorded call')
    expect(message).toContain('handle.repair()')
    expect(stub.of('completeWorkflowTask')).toEqual([])
  })

  test('leaves nothing behind: the worker goes on, and the next task of the run is replayed from its history', async () => {
    await using stub = await startStub({ serverCapabilities: { history_cache: true, task_hand_over: true } })
    stub.on('completeWorkflowTask', () => completed)
    stub.on('failWorkflowTask', () => completed)
    stub.on('getWorkflowTaskHistory', () => ({
      status: 200,
      body: { history_events: rows, next_history_page_token: null },
    }))
    // The second step is wrong; the first turn of this worker was right, so its replay is kept.
    const { worker, run } = await startWorker(stub, { workflows: [flowOf(refund), greet] })
    stub.offer('workflow', task('t1', { history_events: rows.slice(0, 3), total_history_events: 3 }))
    await stub.arrived('completeWorkflowTask')
    stub.offer('workflow', task('t2', { history_events: rows.slice(3), history_offset: 3 }))
    const blocked = await stub.arrived('failWorkflowTask')
    expect(blocked.body).not.toHaveProperty('history_cached')
    expect(blocked.body).not.toHaveProperty('hand_over')
    stub.offer('workflow', workflowTask('t3'))
    await stub.arrived('completeWorkflowTask', 2)
    stub.offer('workflow', task('t4', { history_events: [], history_offset: 5 }))
    await stub.arrived('failWorkflowTask', 2)
    await worker.stop()
    await run
    expect(stub.of('getWorkflowTaskHistory')).toHaveLength(1)
  })

  test('a worker with corrected code takes the same history to its end', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => completed)
    stub.offer('workflow', task('t2'))
    const { worker, run } = await startWorker(stub, { workflows: [flowOf(charge)] })
    const { body } = await stub.arrived('completeWorkflowTask')
    await worker.stop()
    await run
    expect(body.commands).toMatchObject([{ type: 'complete_workflow', result: encodeEnvelope('paid') }])
  })
})

test('the registration tells other code from the same: by text, by file, by build', async () => {
  const fingerprint = async (flow: ReturnType<typeof flowOf>, buildId?: string) => {
    await using stub = await startStub()
    const { worker, run } = await startWorker(stub, { workflows: [flow], buildId })
    await worker.ready
    await worker.stop()
    await run
    return Object(stub.of('registerWorker')[0]?.body.workflow_definition_fingerprints).flow
  }
  const other = workflow('flow', { output: type<unknown>() }, async (ctx) => ctx.run(charge))
  const [wrong, same, corrected, built] = await Promise.all([
    fingerprint(flowOf(refund)),
    fingerprint(flowOf(charge)),
    fingerprint(other),
    fingerprint(flowOf(charge), 'b2'),
  ])
  // What only a variable outside of the function decides is not seen: such runs go on by a repair or with another build.
  expect(same).toBe(wrong)
  expect(corrected).not.toBe(wrong)
  expect(built).not.toBe(wrong)
})

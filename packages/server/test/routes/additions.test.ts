// Our own additions to workflow tasks; each means something only where its capability is advertised.
import { describe, expect, test } from 'vitest'
import { ownQueue } from '../support/own-queue.ts'
import { complete, finish, worker } from '../support/wire.ts'

const own = ownQueue()
const { call, startMine, claimMine } = own

describe('our additions', () => {
  test('history_cached: the next task brings only what the worker does not have, and says how much it left out', async () => {
    const { workflowId } = await startMine()
    const first = await claimMine()
    await complete(own.served.client, first, [{ type: 'open_signal_wait', signal_name: 'go' }], {
      history_cached: true,
    })
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'go' } })
    const next = await claimMine()
    expect(next.history_offset).toBeGreaterThanOrEqual(first.total_history_events)
    expect(next.history_events[0].sequence).toBe(next.history_offset + 1)
    expect(next.history_events).toHaveLength(next.total_history_events - next.history_offset)
    // From the start again: the token of the beginning gives everything.
    const whole = await call('getWorkflowTaskHistory', {
      path: { task_id: next.task_id },
      body: { lease_owner: worker, workflow_task_attempt: 1, next_history_page_token: 'MA==' },
    })
    expect(whole.body.history_events).toHaveLength(next.total_history_events)
  })

  test('history_cached is not said: the next task brings everything', async () => {
    const { workflowId } = await startMine()
    await complete(own.served.client, await claimMine(), [{ type: 'open_signal_wait', signal_name: 'go' }])
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'go' } })
    const next = await claimMine()
    expect(next).not.toHaveProperty('history_offset')
    expect(next.history_events[0].sequence).toBe(1)
  })

  test('millisecond_durations: a timer fires after its exact delay, and history keeps the whole seconds', async () => {
    const { workflowId, runId } = await startMine()
    await complete(own.served.client, await claimMine(), [{ type: 'start_timer', delay_seconds: 1, delay_ms: 20 }])
    const next = await claimMine()
    expect(next).toMatchObject({ workflow_wait_kind: 'timer', resume_source_kind: 'timer' })
    const { body } = await call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId } })
    const scheduled = body.events.find((event: { event_type: string }) => event.event_type === 'TimerScheduled')
    expect(scheduled.payload.delay_seconds).toBe(1)
  })

  test('resolved_waits: a condition that became true is closed by the completion that says so', async () => {
    const { workflowId, runId } = await startMine()
    await complete(own.served.client, await claimMine(), [{ type: 'open_condition_wait', condition_key: '1' }])
    await call('signalWorkflow', { path: { workflow_id: workflowId, signal_name: 'changed' } })
    const answer = await complete(own.served.client, await claimMine(), [finish()], { resolved_waits: [1] })
    expect(answer.status, answer.text).toBe(200)
    const { body } = await call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId } })
    expect(body.events.map((event: { event_type: string }) => event.event_type)).toContain('ConditionWaitSatisfied')
  })
})

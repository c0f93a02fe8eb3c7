// The receipt rule, field by field: what settles, and the corpus of what must not.
import { describe, expect, test } from 'vitest'
import {
  settlementOfActivityTask,
  settlementOfQueryTask,
  settlementOfWorkflowTask,
} from '../../src/worker/settlement.ts'
import { closedReceipt } from './harness.ts'

const claim = { taskId: 't1', attempt: 1, runId: 'run-t1' }
const without = (key: string) =>
  Object.fromEntries(Object.entries(closedReceipt('t1')).filter(([name]) => name !== key))
const settled = (status: number, body: unknown) => settlementOfWorkflowTask({ status, headers: {}, body }, claim)

describe('R-03 a full receipt settles', () => {
  test.each([
    ['cancelled', 'run_cancelled'],
    ['terminated', 'run_terminated'],
    ['completed', 'run_completed'],
    ['failed', 'run_failed'],
  ])('run_closed with run status %s and stop reason %s', (runStatus, stopReason) => {
    expect(settled(409, closedReceipt('t1', { run_status: runStatus, stop_reason: stopReason }))).toBe('run_closed')
  })
  test('run_timed_out', () => {
    expect(settled(409, closedReceipt('t1', { reason: 'run_timed_out', run_status: 'failed' }))).toBe('run_timed_out')
  })
  test('task_not_leased', () => {
    const body = {
      task_id: 't1',
      workflow_task_attempt: 1,
      run_id: 'run-t1',
      recorded: false,
      reason: 'task_not_leased',
    }
    expect(settled(409, body)).toBe('task_not_leased')
  })
})

describe('R-04 everything else does not', () => {
  test.each([400, 404, 410, 422, 500, 503, 200])('status %i with the same body', (status) => {
    expect(settled(status, closedReceipt('t1'))).toBeUndefined()
  })
  test.each([
    'lease_owner_mismatch',
    'lease_expired',
    'workflow_task_attempt_mismatch',
    'task_not_found',
    'run_already_closed',
    'unknown',
  ])('reason %s', (reason) => {
    expect(settled(409, closedReceipt('t1', { reason }))).toBeUndefined()
  })
  test.each([
    ['recorded', undefined],
    ['recorded', true],
    ['recorded', null],
    ['recorded', 'false'],
    ['recorded', 0],
    ['task_id', undefined],
    ['task_id', 't2'],
    ['task_id', 1],
    ['workflow_task_attempt', undefined],
    ['workflow_task_attempt', 2],
    ['workflow_task_attempt', '1'],
    ['run_id', undefined],
    ['run_id', 'run-t2'],
    ['run_id', null],
    ['run_status', undefined],
    ['run_status', 'running'],
    ['run_status', 'gone'],
    ['stop_reason', undefined],
    ['stop_reason', 'run_terminated'],
    ['can_continue', undefined],
    ['can_continue', true],
  ])('%s = %j', (key, value) => {
    expect(settled(409, value === undefined ? without(key) : closedReceipt('t1', { [key]: value }))).toBeUndefined()
  })
  test.each([
    ['not JSON', undefined],
    ['an array', [closedReceipt('t1')]],
    ['empty', {}],
    ['null', null],
  ])('a body that is %s', (_, body) => {
    expect(settled(409, body)).toBeUndefined()
  })
  test.each(['running', 'completed', undefined])('run_timed_out with run status %s', (runStatus) => {
    expect(settled(409, closedReceipt('t1', { reason: 'run_timed_out', run_status: runStatus }))).toBeUndefined()
  })
  test.each([
    ['task_id', 't2'],
    ['workflow_task_attempt', 2],
    ['run_id', 'other'],
    ['recorded', undefined],
  ])('task_not_leased with %s = %j', (key, value) => {
    expect(settled(409, closedReceipt('t1', { reason: 'task_not_leased', [key]: value }))).toBeUndefined()
  })
})

describe('R-15 looser rules are not copied', () => {
  test('can_continue false and task_status cancelled, without recorded and run_id', () => {
    const body = {
      task_id: 't1',
      workflow_task_attempt: 1,
      reason: 'run_closed',
      can_continue: false,
      task_status: 'cancelled',
    }
    expect(settled(409, body)).toBeUndefined()
  })
  test.each([
    'lease_expired',
    'lease_owner_mismatch',
    'run_already_closed',
    'task_not_found',
    'task_not_leased',
    'run_closed',
  ])('the reason %s alone', (reason) => {
    expect(settled(409, { reason })).toBeUndefined()
  })
})

describe('R-10 activity reports', () => {
  const attempt = { taskId: 'a1', attemptId: 'at1' }
  const body = { task_id: 'a1', activity_attempt_id: 'at1', recorded: false, reason: 'run_cancelled' }
  const settledActivity = (status: number, answer: unknown) =>
    settlementOfActivityTask({ status, headers: {}, body: answer }, attempt)
  test.each([
    'run_cancelled',
    'run_terminated',
    'attempt_closed',
    'stale_attempt',
    'activity_cancelled',
    'task_cancelled',
    'run_closed',
    'activity_not_running',
  ])('settle on 409 %s', (reason) => {
    expect(settledActivity(409, { ...body, reason })).toBe(reason)
  })
  test('settle on 404 attempt_not_found', () => {
    expect(settledActivity(404, { ...body, reason: 'attempt_not_found' })).toBe('attempt_not_found')
    expect(settledActivity(404, body)).toBeUndefined()
  })
  test.each([
    ['task_id', 'a2'],
    ['activity_attempt_id', 'at2'],
    ['recorded', undefined],
    ['recorded', true],
    ['reason', 'lease_owner_mismatch'],
    ['reason', 'task_mismatch'],
  ])('do not settle with %s = %j', (key, value) => {
    expect(settledActivity(409, { ...body, [key]: value })).toBeUndefined()
  })
})

test.each([
  [409, 'lease_expired', 'q1', true],
  [404, 'query_task_not_found', 'q1', true],
  [409, 'query_task_timed_out', 'q1', true],
  [409, 'query_task_attempt_mismatch', 'q1', false],
  [409, 'lease_expired', 'q2', false],
  [500, 'lease_expired', 'q1', false],
])('a query report answered %i %s for %s settles: %s', (status, reason, id, expected) => {
  const settlement = settlementOfQueryTask({ status, headers: {}, body: { reason, query_task_id: id } }, 'q1')
  expect(settlement !== undefined).toBe(expected)
})

// A question: asked, claimed, answered; a row and never history.

import { describe } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  lease,
  proof,
  queryTask,
  queryTaskId,
  run,
  runId,
  t0,
  workflow,
  workflowId,
} from '../../../../test/support/make.ts'
import { answer, ask, claimQuery, failQuery } from '../../../../test/support/operations.ts'
import { emptyWorld, given } from '../../../../test/support/world.ts'

const otherRun = `${runId.slice(0, 31)}f`
const leased = queryTask({ status: 'leased', attempt: 1, lease: lease() })
const asked = {
  status: 'ready',
  attempt: 0,
  createdAt: at,
  deadlineAt: at + 30_000,
  dueAt: at + 30_000,
  queryName: 'total',
  workflowType: 'Order',
  taskQueue: 'orders',
}

describe('ask', () => {
  check([
    {
      name: 'an open run',
      given: given(),
      operation: ask(),
      accepted: { run: { runId } },
      rows: { queryTasks: [{ ...asked, queryTaskId: `${runId}q00000000000000b1` }] },
    },
    {
      name: 'a completed run',
      given: given({ run: { status: 'completed', closedReason: 'completed' } }),
      operation: ask(),
      rows: { queryTasks: [asked] },
    },
    {
      name: 'an earlier run of the workflow',
      given: {
        ...emptyWorld,
        workflows: [workflow({ currentRunId: otherRun })],
        runs: [run({ status: 'completed', closedReason: 'completed' }), run({ runId: otherRun, progress: 'message' })],
      },
      operation: ask({ runId }),
      rows: { queryTasks: [{ runId }] },
    },
    {
      name: 'a failed run',
      given: given({ run: { status: 'failed', closedReason: 'failed' } }),
      operation: ask(),
      refused: 'run_not_active',
      facts: { runStatus: 'failed', isTerminal: true },
    },
    {
      name: 'a cancelled run',
      given: given({ run: { status: 'cancelled', closedReason: 'cancelled' } }),
      operation: ask(),
      refused: 'run_not_active',
    },
    {
      name: 'a terminated run',
      given: given({ run: { status: 'terminated', closedReason: 'terminated' } }),
      operation: ask(),
      refused: 'run_not_active',
    },
    {
      name: 'unknown workflow',
      given: emptyWorld,
      operation: ask(),
      refused: 'instance_not_found',
      facts: { workflowId },
    },
    {
      name: 'a workflow of another namespace',
      given: given(),
      operation: ask({ namespace: 'other' }),
      refused: 'instance_not_found',
    },
    {
      name: 'unknown run',
      given: given(),
      operation: ask({ runId: otherRun }),
      refused: 'run_not_found',
      facts: { runId: otherRun },
    },
  ])
})

describe('claim', () => {
  check([
    {
      name: 'leases it',
      given: given({ queryTasks: [queryTask()] }),
      operation: claimQuery(),
      accepted: { kind: 'query', run: { runId } },
      rows: {
        queryTasks: [
          {
            status: 'leased',
            attempt: 1,
            dueAt: at + 60_000,
            lease: lease({ leasedAt: at, expiresAt: at + 60_000, proof: proof() }),
          },
        ],
      },
    },
    {
      name: 'the row still goes in its time to live',
      given: given({ queryTasks: [queryTask()] }),
      operation: claimQuery({ leaseMs: 999_000 }),
      rows: { queryTasks: [{ dueAt: t0 + 180_000 }] },
    },
    {
      name: 'one that is leased',
      given: given({ queryTasks: [leased] }),
      operation: claimQuery(),
      refused: 'task_not_ready',
    },
    {
      name: 'L-09 one whose caller stopped waiting exactly now',
      given: given({ queryTasks: [queryTask({ deadlineAt: at })] }),
      operation: claimQuery(),
      refused: 'task_not_ready',
    },
    { name: 'unknown', given: given(), operation: claimQuery(), refused: 'task_not_found' },
  ])
})

describe('complete and fail', () => {
  check([
    {
      name: 'a value',
      given: given({ queryTasks: [leased] }),
      operation: answer(),
      accepted: { queryTask: { status: 'completed' } },
      rows: { queryTasks: [{ status: 'completed', outcome: { kind: 'completed', result: 7, envelope: undefined } }] },
    },
    {
      name: 'a failure with its reason',
      given: given({ queryTasks: [leased] }),
      operation: failQuery({ reason: 'rejected_unknown_query', type: 'QueryNotFound', validationErrors: ['x'] }),
      rows: {
        queryTasks: [
          {
            status: 'failed',
            outcome: {
              kind: 'failed',
              reason: 'rejected_unknown_query',
              message: 'no such query',
              type: 'QueryNotFound',
              validationErrors: ['x'],
            },
          },
        ],
      },
    },
    {
      name: 'a failure without a reason is query_rejected',
      given: given({ queryTasks: [leased] }),
      operation: failQuery(),
      rows: { queryTasks: [{ status: 'failed' }] },
    },
  ])
})

describe.each([
  ['complete', answer],
  ['fail', (given_: Parameters<typeof answer>[0] = {}) => failQuery({}, given_)],
] as const)('%s is refused', (_name, report) => {
  check([
    { name: 'unknown', given: given(), operation: report(), refused: 'query_task_not_found', facts: { queryTaskId } },
    {
      name: 'not leased',
      given: given({ queryTasks: [queryTask()] }),
      operation: report(),
      refused: 'query_task_not_leased',
    },
    {
      name: 'answered before',
      given: given({ queryTasks: [queryTask({ ...leased, status: 'completed' })] }),
      operation: report(),
      refused: 'query_task_not_leased',
    },
    {
      name: 'a question of another namespace is not found',
      given: given({ queryTasks: [leased] }),
      operation: report({ namespace: 'other' }),
      refused: 'query_task_not_found',
    },
    {
      name: 'another owner',
      given: given({ queryTasks: [leased] }),
      operation: report({ leaseOwner: 'worker-2' }),
      refused: 'lease_owner_mismatch',
      facts: { leaseOwner: 'worker-1' },
    },
    {
      name: 'another attempt',
      given: given({ queryTasks: [leased] }),
      operation: report({ attempt: 2 }),
      refused: 'query_task_attempt_mismatch',
      facts: { currentAttempt: 1 },
    },
    {
      name: 'L-09 a lease that ends exactly now',
      given: given({ queryTasks: [queryTask({ ...leased, deadlineAt: t0 + 99_000 })] }),
      at: t0 + 60_000,
      operation: report(),
      refused: 'lease_expired',
    },
    {
      name: 'L-09 its caller stopped waiting exactly now',
      given: given({ queryTasks: [leased] }),
      at: t0 + 30_000,
      operation: report(),
      refused: 'query_task_timed_out',
    },
  ])
})

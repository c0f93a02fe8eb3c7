import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import { namespace, run, runId, t0, taskId, workflow, workflowId } from '../../../../test/support/make.ts'
import { start } from '../../../../test/support/operations.ts'
import { decide, emptyWorld, given } from '../../../../test/support/world.ts'
import { newRunId } from '../../state/ids.ts'

const fresh = { ...emptyWorld, namespaces: [namespace()] }
const secondRunId = newRunId(workflowId, 0, '0000a2')
const open = given({ run: { startId: 'start-1' } })
const closed = given({ run: { status: 'completed', closedReason: 'completed', closedAt: t0, startId: 'start-1' } })

describe('a new workflow', () => {
  check([
    {
      name: 'StartAccepted, WorkflowStarted and the first task in one commit',
      given: fresh,
      operation: start({ businessKey: 'customer-7' }),
      accepted: { outcome: 'started_new', commandId: `${runId}c1`, repeated: false },
      events: [
        [
          'StartAccepted',
          {
            outcome: 'started_new',
            workflow_command_id: `${runId}c1`,
            workflow_instance_id: workflowId,
            workflow_run_id: runId,
            business_key: 'customer-7',
          },
        ],
        ['WorkflowStarted', { workflow_type: 'Order' }],
      ],
      rows: {
        workflows: [{ ...workflow() }],
        runs: [
          {
            runId,
            status: 'pending',
            lastSequence: 2,
            commandSequence: 1,
            progress: 'workflow_task_ready',
            dueAt: undefined,
            businessKey: 'customer-7',
            openTask: { taskId: `${runId}t2`, leased: false },
          },
        ],
        workflowTasks: [{ taskId: `${runId}t2`, status: 'ready', availableAt: at, attempt: 0 }],
      },
    },
    {
      name: 'deadlines count from the start; the earlier one is due',
      given: fresh,
      operation: start({ executionTimeoutSeconds: 60, runTimeoutSeconds: 30 }),
      events: [
        'StartAccepted',
        [
          'WorkflowStarted',
          { execution_timeout_seconds: 60, run_timeout_seconds: 30, run_deadline_at: '2025-06-15T15:07:11.000000Z' },
        ],
      ],
      rows: {
        workflows: [{}],
        workflowTasks: [{}],
        runs: [{ executionDeadlineAt: at + 60_000, runDeadlineAt: at + 30_000, dueAt: at + 30_000 }],
      },
    },
    {
      name: 'the exact form of a timeout wins',
      given: fresh,
      operation: start({ runTimeoutSeconds: 1, runTimeoutMs: 250 }),
      events: ['StartAccepted', 'WorkflowStarted'],
      rows: { workflows: [{}], workflowTasks: [{}], runs: [{ runDeadlineAt: at + 250, runTimeoutSeconds: 1 }] },
    },
    {
      name: 'no arguments become the encoded empty list',
      given: fresh,
      operation: start({ arguments: undefined }),
      events: ['StartAccepted', 'WorkflowStarted'],
      rows: { workflows: [{}], workflowTasks: [{}], runs: [{ arguments: expect.objectContaining({ codec: 'avro' }) }] },
    },
    {
      name: 'an unknown namespace',
      given: emptyWorld,
      operation: start(),
      refused: 'namespace_not_found',
      facts: { namespace: 'default' },
    },
  ])
})

describe('a workflow id that had a run', () => {
  check([
    {
      name: 'fail: the rejection is recorded on the open run',
      given: open,
      operation: start({ runId: secondRunId }),
      rejected: 'duplicate_not_allowed',
      accepted: { outcome: 'rejected_duplicate', commandId: `${runId}c101` },
      events: [['StartRejected', { outcome: 'rejected_duplicate', rejection_reason: 'instance_already_started' }]],
      rows: { runs: [{ runId, commandSequence: 2 }] },
    },
    {
      name: 'fail: also where the run is closed',
      given: closed,
      operation: start({ runId: secondRunId }),
      rejected: 'duplicate_not_allowed',
      events: ['StartRejected'],
      rows: { runs: [{ runId, status: 'completed' }] },
    },
    {
      name: 'use-existing: the open run is returned, the answer recorded',
      given: open,
      operation: start({ runId: secondRunId, duplicatePolicy: 'use-existing' }),
      accepted: { outcome: 'returned_existing_active', repeated: false },
      events: [['StartAccepted', { outcome: 'returned_existing_active' }]],
      rows: { runs: [{ runId, commandSequence: 2 }] },
    },
    {
      name: 'use-existing: a closed run is not returned',
      given: closed,
      operation: start({ duplicatePolicy: 'use-existing' }),
      rejected: 'duplicate_not_allowed',
      events: ['StartRejected'],
      rows: { runs: [{}] },
    },
    {
      name: 'the same start id again returns the first answer, nothing is recorded',
      given: open,
      operation: start({ runId: secondRunId, startId: 'start-1' }),
      accepted: { outcome: 'started_new', commandId: `${runId}c1`, repeated: true },
    },
    {
      name: 'the same start id after the run closed',
      given: closed,
      operation: start({ startId: 'start-1' }),
      accepted: { outcome: 'started_new', repeated: true },
    },
    {
      name: 'another start id is a duplicate',
      given: open,
      operation: start({ startId: 'start-2' }),
      rejected: 'duplicate_not_allowed',
      events: ['StartRejected'],
      rows: { runs: [{}] },
    },
    {
      name: 'another workflow type',
      given: open,
      operation: start({ workflowType: 'Invoice' }),
      refused: 'validation_failed',
      facts: { field: 'workflow_type' },
    },
    {
      name: 'an id that another namespace has',
      given: { ...open, namespaces: [namespace(), namespace({ name: 'other' })] },
      operation: start({ namespace: 'other' }),
      refused: 'workflow_id_reserved_in_namespace',
      facts: { workflowId },
    },
  ])
})

test('runs and workflows are written whole', () => {
  const { world } = decide(fresh, start(), at)
  expect(Object.keys(world.runs[0] ?? {}).sort()).toEqual(Object.keys(run()).sort())
  expect(taskId).not.toBe(world.workflowTasks[0]?.taskId)
})

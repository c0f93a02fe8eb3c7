import { at, check } from '../../../../test/support/check.ts'
import { lease, leasedTask, proof, readyTask, runId, t0, taskId } from '../../../../test/support/make.ts'
import { claim } from '../../../../test/support/operations.ts'
import { given } from '../../../../test/support/world.ts'

const ready = given({ task: readyTask() })

check([
  {
    name: 'a ready task is leased: attempt, lease with its proof, what it saw; no event',
    given: ready,
    operation: claim({ proof: proof({ pollRequestId: 'poll-1' }), leaseMs: 8_000 }),
    accepted: { kind: 'workflow', cachedSequence: 0, run: { status: 'running' } },
    rows: {
      runs: [{ status: 'running', openTask: { taskId, leased: true }, progress: 'workflow_task_leased' }],
      workflowTasks: [
        {
          status: 'leased',
          attempt: 1,
          claimedSequence: 10,
          dueAt: at + 8_000,
          lease: {
            owner: 'worker-1',
            leasedAt: at,
            expiresAt: at + 8_000,
            leaseMs: 8_000,
            proof: proof({ pollRequestId: 'poll-1' }),
          },
        },
      ],
    },
  },
  {
    name: 'L-04 a redelivered task is claimed with the next attempt',
    given: given({ task: readyTask({ attempt: 3, repairCount: 3 }) }),
    operation: claim({ proof: proof({ workerId: 'worker-2' }) }),
    accepted: { task: { attempt: 4, repairCount: 3, lease: { owner: 'worker-2' } } },
    rows: { runs: [{}], workflowTasks: [{ attempt: 4 }] },
  },
  {
    name: 'the process that keeps the state gets the offset of what it keeps',
    given: given({ task: readyTask(), run: { cachedBy: 'registration-1', cachedSequence: 7 } }),
    operation: claim(),
    accepted: { cachedSequence: 7 },
    rows: { runs: [{ cachedBy: 'registration-1' }], workflowTasks: [{}] },
  },
  {
    name: 'another worker starts from the beginning and takes the cache away',
    given: given({ task: readyTask(), run: { cachedBy: 'worker-2', cachedSequence: 7 } }),
    operation: claim(),
    accepted: { cachedSequence: 0 },
    rows: { runs: [{ cachedBy: undefined }], workflowTasks: [{}] },
  },
  { name: 'unknown task', given: given(), operation: claim(), refused: 'task_not_found' },
  { name: 'a leased task', given: given({ task: leasedTask() }), operation: claim(), refused: 'task_not_ready' },
  {
    name: 'L-09 a lease that has run out is not claimed before it is set free',
    given: given({ task: leasedTask({ lease: lease({ expiresAt: t0 }), dueAt: t0 }) }),
    operation: claim(),
    refused: 'task_not_ready',
  },
  {
    name: 'L-09 a task that is available exactly now',
    given: given({ task: readyTask({ availableAt: at }) }),
    operation: claim(),
    rows: { runs: [{}], workflowTasks: [{ attempt: 1 }] },
  },
  {
    name: 'a task that waits for its time',
    given: given({ task: readyTask({ availableAt: at + 1 }) }),
    operation: claim(),
    refused: 'task_not_ready',
  },
  {
    name: 'a task of a closed run',
    given: given({
      task: readyTask({ status: 'cancelled' }),
      run: { runId, status: 'completed', closedReason: 'completed' },
    }),
    operation: claim(),
    refused: 'task_not_ready',
    facts: { taskStatus: 'cancelled' },
  },
])

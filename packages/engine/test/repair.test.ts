// Repair of a namespace, and the worker whose corrected code resumes what was blocked.

import { describe, expect, test } from 'vitest'
import { claimWorkflowTask } from '../src/core/operations/index.ts'
import { engineLimits } from '../src/core/state/limits.ts'
import { failWorkflowTask, lockOf } from '../src/index.ts'
import { StoreUnavailableError } from '../src/ports.ts'
import { Repair } from '../src/repair.ts'
import {
  completeClaim,
  pollOf,
  registerOn,
  replyOf,
  startEngine,
  startOn,
  startWithWorker,
  type TestEngine,
  workflowClaim,
} from './support/engine.ts'
import { proof } from './support/make.ts'
import { completeCommand } from './support/operations.ts'

const pass = (made: TestEngine, given: { runIds?: string[]; workflowId?: string; namespace?: string } = {}) =>
  made.settled(made.engine.repair.pass({ namespace: 'default', runIds: [], workflowId: undefined, ...given }))

/** Starts a run whose replay the registered worker refuses. @returns the run's id */
async function block(made: TestEngine, workflowId: string): Promise<string> {
  await startOn(made, workflowId)
  return refuseNext(made)
}

/** Claims the next workflow task and refuses its replay. @returns the run's id */
async function refuseNext(made: TestEngine): Promise<string> {
  const { task, run } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  const refused = failWorkflowTask({
    taskId: task.taskId,
    namespace: 'default',
    leaseOwner: 'worker-1',
    attempt: task.attempt,
    failure: { message: 'x', type: undefined, reason: 'workflow_nondeterministic', step: undefined },
    reportDigest: 'd',
    historyCached: false,
  })
  replyOf(await made.settled(made.engine.execute(refused)))
  return run.runId
}

async function progressOf(made: TestEngine, workflowId: string) {
  const found = await made.settled(made.engine.views.describe({ namespace: 'default', workflowId, runId: undefined }))
  return found.kind === 'found' ? found.run.progress : undefined
}

describe('a worker registers', () => {
  const withFingerprint = (fingerprint: string, given: Parameters<typeof registerOn>[1] = {}) => ({
    definitionFingerprints: { Order: fingerprint },
    ...given,
  })
  const other = { workerId: 'worker-2', process: { host: 'h', processId: '2', startedAt: 'b' } }

  test('another definition of the type: the blocked run has its next task, and completes', async () => {
    await using made = await startEngine()
    await registerOn(made, withFingerprint('f1'))
    await block(made, 'order-1')
    expect(await progressOf(made, 'order-1')).toBe('replay_blocked')
    await registerOn(made, withFingerprint('f2', other))
    const claim = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { workerId: 'worker-2' }))))
    expect(claim.task.resume.waitKind).toBe('repair')
    replyOf(await completeClaim(made, claim, [completeCommand()]))
    expect(await progressOf(made, 'order-1')).toBeUndefined()
  })

  test.each([
    ['the definition that was blocked', withFingerprint('f1', other)],
    ['no fingerprint', other],
    [
      'a fingerprint of another type',
      { ...other, workflowTypes: ['Refund'], definitionFingerprints: { Refund: 'f2' } },
    ],
    ['a fingerprint of a type that it does not serve', withFingerprint('f2', { ...other, workflowTypes: ['Refund'] })],
  ])('%s: the run stays suspended', async (_name, registering) => {
    await using made = await startEngine()
    await registerOn(made, withFingerprint('f1'))
    await block(made, 'order-1')
    await registerOn(made, registering)
    expect(await progressOf(made, 'order-1')).toBe('replay_blocked')
  })

  test('more blocked runs than one page are all resumed', async () => {
    await using made = await startEngine()
    await registerOn(made, withFingerprint('f1'))
    const count = engineLimits.blockedRunsPageMax + 5
    for (let n = 0; n < count; n++) await block(made, `order-${n}`)
    await registerOn(made, withFingerprint('f2', other))
    expect((await made.settled(made.engine.repair.status('default'))).scopes).toEqual([])
    const ready = await made.settled(
      made.store.find.readyTasks({
        kind: 'workflow',
        namespace: 'default',
        taskQueue: 'orders',
        types: ['Order'],
        now: made.clock.now(),
        limit: 1_000,
      }),
    )
    expect(ready.tasks).toHaveLength(count)
  })
})

describe('a pass', () => {
  test('resumes what is blocked and says so; the next one within the throttle looks at nothing (L-10)', async () => {
    await using made = await startWithWorker()
    await block(made, 'order-1')
    await block(made, 'order-2')
    const status = await made.settled(made.engine.repair.status('default'))
    expect(status).toMatchObject({
      scopes: [{ taskQueue: 'orders', tasks: 0, blockedRuns: 2, selected: 2 }],
      scanPressure: false,
      oldestTaskCreatedAt: undefined,
      oldestRunStartedAt: made.clock.now(),
    })
    expect(await pass(made)).toMatchObject({
      throttled: false,
      respectsThrottle: true,
      blockedRuns: { selected: 2, repaired: 2, failures: [] },
      tasks: { selected: 0, repaired: 0 },
    })
    await block(made, 'order-3')
    expect(await pass(made)).toMatchObject({ throttled: true, blockedRuns: { selected: 0, repaired: 0 } })
    await made.clock.advance(engineLimits.repairThrottleMs)
    // The worker that refused order-1 and order-2 has their tasks ready again; only order-3 is blocked.
    expect(await pass(made)).toMatchObject({ throttled: false })
    expect(await progressOf(made, 'order-3')).toBe('workflow_task_ready')
  })

  test('PA1 is bounded, and the next one begins where it stopped', async () => {
    await using made = await startWithWorker()
    const count = engineLimits.repairScanRows * 2
    const runIds: string[] = []
    for (let n = 0; n < count; n++) runIds.push(await block(made, `order-${n}`))
    expect(await made.settled(made.engine.repair.status('default'))).toMatchObject({
      scopes: [{ blockedRuns: count, selected: engineLimits.repairScanRows }],
      scanPressure: true,
    })
    const resumed = async () => {
      const progress = await Promise.all(runIds.map((_, n) => progressOf(made, `order-${n}`)))
      return progress.filter((one) => one === 'workflow_task_ready').length
    }
    expect(await pass(made)).toMatchObject({ blockedRuns: { selected: 25, repaired: 25 } })
    expect(await resumed()).toBe(25)
    // All of them are refused again: the first ones must not take the turn of the others.
    const refused: string[] = []
    for (let n = 0; n < 25; n++) refused.push(await refuseNext(made))
    await made.clock.advance(engineLimits.repairThrottleMs)
    expect(await pass(made)).toMatchObject({ blockedRuns: { selected: 25, repaired: 25 } })
    for (let n = 0; n < 25; n++) refused.push(await refuseNext(made))
    expect(new Set(refused)).toEqual(new Set(runIds))
  })

  test('of named runs only, of a workflow only, of a namespace only; no throttle counts', async () => {
    await using made = await startWithWorker()
    const first = await block(made, 'order-1')
    await block(made, 'order-2')
    const third = await block(made, 'order-3')
    const one = { selected: 1, repaired: 1, failures: [] }
    expect(await pass(made, { runIds: [first], namespace: 'other' })).toMatchObject({ blockedRuns: { selected: 0 } })
    expect(await pass(made, { runIds: [first], workflowId: 'order-2' })).toMatchObject({ blockedRuns: { selected: 0 } })
    expect(await pass(made, { runIds: [first, 'unknown'] })).toMatchObject({
      respectsThrottle: false,
      blockedRuns: one,
    })
    expect(await pass(made, { workflowId: 'order-2' })).toMatchObject({ blockedRuns: one })
    expect(await progressOf(made, 'order-3')).toBe('replay_blocked')
    expect(await pass(made, { workflowId: 'order-3', runIds: [third] })).toMatchObject({ blockedRuns: one })
    expect(await pass(made, { workflowId: 'order-3' })).toMatchObject({ blockedRuns: { selected: 0 } })
  })

  test('L-02 redelivers an expired lease, once, also where no sweep runs; history is untouched', async () => {
    await using made = await startEngine({ isStarted: false })
    const runId = await startOn(made)
    const { tasks } = await made.settled(
      made.store.find.readyTasks({
        kind: 'workflow',
        namespace: 'default',
        taskQueue: 'orders',
        types: ['Order'],
        now: made.clock.now(),
        limit: 1,
      }),
    )
    const taskId = tasks[0]?.id ?? ''
    await made.settled(made.engine.execute(claimWorkflowTask({ taskId, proof: proof(), leaseMs: 10_000 })))
    await made.clock.advance(10_000)
    expect(await made.settled(made.engine.repair.status('default'))).toMatchObject({
      scopes: [{ taskQueue: 'orders', tasks: 1, blockedRuns: 0, selected: 1 }],
    })
    const passes = await made.settled(Promise.all([0, 1].map(() => pass(made, { runIds: [runId] }))))
    expect(passes.map((one) => one.tasks.repaired).toSorted()).toEqual([0, 1])
    const { workflowTasks, runs } = await made.settled(
      made.store.load([
        { of: 'workflowTask', taskId },
        { of: 'run', runId },
      ]),
    )
    expect(workflowTasks[0]).toMatchObject({ status: 'ready', repairCount: 1, attempt: 1 })
    expect(runs[0]?.lastSequence).toBe(2)
  })

  test('PA2 what one candidate throws is reported, the others are repaired', async () => {
    await using made = await startWithWorker()
    const first = await block(made, 'order-1')
    const second = await block(made, 'order-2')
    const repair = new Repair({
      store: made.store,
      clock: made.clock,
      execute: (operation) =>
        operation.locks.includes(lockOf(first))
          ? Promise.reject(new StoreUnavailableError('locked', { cause: 'as the test says' }))
          : made.engine.execute(operation),
    })
    const report = await made.settled(
      repair.pass({ namespace: 'default', runIds: [first, second], workflowId: undefined }),
    )
    expect(report.blockedRuns).toEqual({
      selected: 2,
      repaired: 1,
      failures: [{ id: first, message: 'The store is locked; nothing was written, try again.' }],
    })
    expect(await progressOf(made, 'order-1')).toBe('replay_blocked')
    expect(await progressOf(made, 'order-2')).toBe('workflow_task_ready')
  })
})

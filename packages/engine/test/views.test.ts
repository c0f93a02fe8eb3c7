// What is read and never written: descriptions, lists, histories, the document for operators.

import { describe, expect, test } from 'vitest'
import { createNamespace, parseListQuery, type Views } from '../src/index.ts'
import { pollOf, replyOf, startEngine, startOn, startWithWorker, workflowClaim } from './support/engine.ts'
import { cancel, sendSignal, start } from './support/operations.ts'

const address = { namespace: 'default', workflowId: 'order-1', runId: undefined }

function filterOf(query: string) {
  const parsed = parseListQuery(query)
  if (parsed.kind === 'problem') throw new Error(parsed.problem)
  return parsed.filter
}

describe('one run', () => {
  test('is described by its workflow, or by its own id', async () => {
    await using made = await startEngine()
    const runId = await startOn(made)
    expect(await made.settled(made.engine.views.describe(address))).toMatchObject({
      kind: 'found',
      run: { runId },
      workflow: { workflowId: 'order-1', runCount: 1 },
    })
    expect(await made.settled(made.engine.views.describe({ ...address, runId }))).toMatchObject({
      kind: 'found',
      run: { runId },
    })
  })

  test.each([
    ['an unknown workflow', { ...address, workflowId: 'nothing' }, 'instance_not_found'],
    ['another namespace', { ...address, namespace: 'other' }, 'instance_not_found'],
    ['an unknown run', { ...address, runId: 'f'.repeat(32) }, 'run_not_found'],
  ])('%s', async (_name, wrong, reason) => {
    await using made = await startEngine()
    await startOn(made)
    for (const view of [
      made.engine.views.describe(wrong),
      made.engine.views.debug(wrong),
      made.engine.views.history({ ...wrong, after: 0, limit: 9 }),
    ]) {
      expect(await made.settled(view)).toMatchObject({ kind: 'refused', reason })
    }
  })

  test('its history comes in pages, to the end', async () => {
    await using made = await startEngine()
    await startOn(made)
    for (let n = 0; n < 5; n++) replyOf(await made.settled(made.engine.execute(sendSignal())))
    const found: number[] = []
    let after: number | undefined = 0
    while (after !== undefined) {
      const view: Awaited<ReturnType<Views['history']>> = await made.settled(
        made.engine.views.history({ ...address, after, limit: 3 }),
      )
      if (view.kind === 'refused') throw new Error(view.reason)
      found.push(...view.page.events.map((event) => event.sequence))
      after = view.page.nextAfter
    }
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('the document for operators: open work, held signals, words, pollers, the last event', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    const { task } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    replyOf(await made.settled(made.engine.execute(sendSignal())))
    expect(await made.settled(made.engine.views.debug(address))).toMatchObject({
      kind: 'found',
      work: { workflowTask: { taskId: task.taskId, status: 'leased' }, activities: [], timers: [], waits: [] },
      heldSignals: [{ name: 'approve', status: 'held' }],
      explanation: {
        sentences: [`Worker worker-1 has workflow task ${task.taskId} (attempt 1) until 2025-06-15T15:07:40.000000Z.`],
        findings: [],
      },
      pollers: 1,
      lastEvent: { type: 'WorkflowStarted' },
    })
  })

  test('a run that nobody serves says so', async () => {
    await using made = await startEngine()
    await startOn(made)
    expect(await made.settled(made.engine.views.debug(address))).toMatchObject({
      pollers: 0,
      explanation: { findings: [{ code: 'no_active_pollers' }] },
    })
  })
})

describe('lists', () => {
  test('runs of a namespace, newest first, by filter, page by page', async () => {
    await using made = await startEngine()
    for (let n = 0; n < 5; n++) {
      await made.clock.advance(10)
      await startOn(made, `order-${n}`)
    }
    replyOf(await made.settled(made.engine.execute(cancel({ workflowId: 'order-2' }))))
    const list = async (query: string, limit = 9, after?: { startedAt: number; runId: string }) =>
      (
        await made.settled(
          made.engine.views.listWorkflows({ namespace: 'default', filter: filterOf(query), limit, after }),
        )
      ).map((run) => run.workflowId)
    expect(await list('')).toEqual(['order-4', 'order-3', 'order-2', 'order-1', 'order-0'])
    expect(await list('Status = Running')).toEqual(['order-4', 'order-3', 'order-1', 'order-0'])
    expect(await list('Status = Cancelled')).toEqual(['order-2'])
    expect(await list('order-3')).toEqual(['order-3'])
    const [, second] = await made.settled(
      made.engine.views.listWorkflows({ namespace: 'default', filter: filterOf(''), limit: 2, after: undefined }),
    )
    if (second === undefined) throw new Error('There are two.')
    expect(await list('', 2, { startedAt: second.startedAt, runId: second.runId })).toEqual(['order-2', 'order-1'])
  })

  test('runs of one workflow', async () => {
    await using made = await startEngine()
    const runId = await startOn(made)
    expect(
      await made.settled(made.engine.views.listRuns({ namespace: 'default', workflowId: 'order-1' })),
    ).toMatchObject([{ runId }])
    expect(await made.settled(made.engine.views.listRuns({ namespace: 'default', workflowId: 'x' }))).toMatchObject({
      reason: 'instance_not_found',
    })
  })

  test('namespaces; the default one is there from the start', async () => {
    await using made = await startEngine()
    replyOf(
      await made.settled(
        made.engine.execute(createNamespace({ name: 'shop', description: undefined, retentionDays: 7 })),
      ),
    )
    expect((await made.settled(made.engine.views.namespaces())).map((one) => one.name)).toEqual(['default', 'shop'])
    expect(await made.settled(made.engine.views.namespace('shop'))).toMatchObject({ retentionDays: 7 })
    expect(await made.settled(made.engine.views.namespace('nothing'))).toBeUndefined()
  })
})

test('two servers that start together both find the default namespace', async () => {
  await using made = await startEngine()
  await using other = await startEngine({ beside: made })
  expect(other.engine.status.accepting).toBe(true)
  expect(await made.settled(made.engine.execute(start({ runId: made.engine.newRunId('order-1') })))).toMatchObject({
    kind: 'accepted',
  })
})

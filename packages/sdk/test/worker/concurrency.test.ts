// Slots under load: never more at once than there are, never fewer after whatever became of the tasks.

import { encodeArguments } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { activity, type, workflow } from '../../src/index.ts'
import { type StubReply, startStub } from '../transport/stub-server.ts'
import { activityTask, closedReceipt, completed, event, startWorker, workflowTask } from './harness.ts'

test('no more tasks run at once than there are slots', async () => {
  await using stub = await startStub()
  stub.on('completeActivityTask', () => completed)
  let running = 0
  let most = 0
  const releases: (() => void)[] = []
  const counted = activity('charge', { input: type<string>() }, async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => releases.push(resolve))
    running -= 1
  })
  for (let index = 0; index < 6; index += 1)
    stub.offer('activity', activityTask(`a${index}`, { arguments: encodeArguments(['x']) }))
  const { worker, run } = await startWorker(stub, {
    workflows: [],
    activities: [counted],
    maxConcurrentActivityTasks: 2,
    pollers: { activity: 4 },
  })
  for (let index = 0; index < 6; index += 1) {
    const expected = Math.min(2, 6 - index)
    while (releases.length < expected) await new Promise((resolve) => setImmediate(resolve))
    releases.shift()?.()
    await stub.arrived('completeActivityTask', index + 1)
  }
  await worker.stop()
  await run
  expect(most).toBe(2)
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Counts what is inside at once. */
function gauge() {
  let inside = 0
  let most = 0
  return {
    enter() {
      inside += 1
      most = Math.max(most, inside)
    },
    leave() {
      inside -= 1
    },
    get inside() {
      return inside
    },
    get most() {
      return most
    },
  }
}

describe('under load, with every way to end', () => {
  test('activities: never above the bound, and afterwards the bound is still reached', async () => {
    const max = 5
    const count = 200
    await using stub = await startStub()
    const running = gauge()
    const hold = Promise.withResolvers<void>()
    let isHolding = false
    const charge = activity('charge', { input: type<string>() }, async (how, ctx) => {
      running.enter()
      try {
        if (isHolding) return await hold.promise
        for (let turns = Number(ctx.info.activityExecutionId.slice(1)) % 4; turns > 0; turns -= 1) await turn()
        if (how === 'throws') throw new Error('declined')
        if (how === 'no data') return Symbol('x')
        return undefined
      } finally {
        running.leave()
      }
    })
    // The server's side of the ends: recorded, lost once, refused with a receipt.
    const receipt: StubReply = {
      status: 409,
      body: { recorded: false, reason: 'stale_attempt', task_id: '', activity_attempt_id: '' },
    }
    const answer = ({ path, body }: { path: string; body: Readonly<Record<string, unknown>> }, index: number) => {
      if (index % 5 === 1) return 'cut'
      if (index % 7 !== 2) return completed
      return {
        ...receipt,
        body: {
          ...Object(receipt.body),
          task_id: path.split('/').at(-2),
          activity_attempt_id: body.activity_attempt_id,
        },
      }
    }
    stub.on('completeActivityTask', answer)
    stub.on('failActivityTask', answer)
    const ways = ['returns', 'throws', 'no data', 'unreadable', 'unknown type'] as const
    for (let index = 0; index < count; index += 1) {
      const way = ways[index % ways.length] ?? 'returns'
      stub.offer(
        'activity',
        activityTask(`a${index}`, {
          arguments: way === 'unreadable' ? { codec: 'json', blob: '"x"' } : encodeArguments([way]),
          activity_type: way === 'unknown type' ? 'ship' : 'charge',
        }),
      )
    }
    const { worker, run } = await startWorker(stub, {
      workflows: [],
      activities: [charge],
      maxConcurrentActivityTasks: max,
      pollers: { activity: 9 },
    })
    const ended = new Set<string>()
    while (ended.size < count) {
      await turn()
      for (const { path } of [...stub.of('completeActivityTask'), ...stub.of('failActivityTask')]) ended.add(path)
    }
    expect(running.most).toBeLessThanOrEqual(max)
    isHolding = true
    for (let index = 0; index < 3 * max; index += 1) stub.offer('activity', activityTask(`b${index}`))
    while (running.inside < max) await turn()
    for (let turns = 0; turns < 50; turns += 1) await turn()
    expect(running.inside).toBe(max)
    hold.resolve()
    await worker.stop()
    await run
    expect(running.most).toBe(max)
  })

  test('workflow tasks: never above the bound, and afterwards the bound is still reached', async () => {
    const max = 4
    const count = 120
    await using stub = await startStub()
    const working = gauge()
    const hold = Promise.withResolvers<void>()
    let isHolding = false
    // A turn lasts from its first line of code to the answer to its report.
    const answered = async (id: string, index: number): Promise<StubReply> => {
      if (isHolding) {
        working.enter()
        await hold.promise
        working.leave()
        return completed
      }
      await turn()
      if (index % 6 === 1) return 'cut'
      return index % 5 === 3 ? { status: 409, body: closedReceipt(id) } : completed
    }
    stub.on('completeWorkflowTask', ({ path }, index) => answered(path.split('/').at(-2) ?? '', index))
    stub.on('failWorkflowTask', ({ path }, index) => answered(path.split('/').at(-2) ?? '', index))
    const flow = workflow('flow', { input: type<string>() }, async (ctx, how) => {
      if (how === 'fails') throw new RangeError('no stock')
      if (how === 'blocked') await ctx.sleep('7s')
      if (how === 'guarded') setTimeout(() => undefined, 1)
    })
    const ways = ['completes', 'fails', 'blocked', 'guarded', 'unknown type', 'unreadable'] as const
    const offer = (id: string, way: (typeof ways)[number]) => {
      const other = [event(1, 'WorkflowStarted'), event(2, 'TimerScheduled', { sequence: 1, delay_seconds: 5 })]
      stub.offer(
        'workflow',
        workflowTask(id, {
          workflow_type: way === 'unknown type' ? 'other' : 'flow',
          arguments: way === 'unreadable' ? { codec: 'json', blob: '1' } : encodeArguments([way]),
          ...(way === 'blocked' ? { history_events: other, total_history_events: 2 } : {}),
        }),
      )
    }
    for (let index = 0; index < count; index += 1) offer(`t${index}`, ways[index % ways.length] ?? 'completes')
    const { worker, run } = await startWorker(stub, {
      workflows: [flow],
      maxConcurrentWorkflowTasks: max,
      pollers: { workflow: 9, query: 1 },
    })
    const ended = new Set<string>()
    while (ended.size < count) {
      await turn()
      for (const { path } of [...stub.of('completeWorkflowTask'), ...stub.of('failWorkflowTask')])
        ended.add(path.split('/').at(-2) ?? '')
    }
    isHolding = true
    for (let index = 0; index < 3 * max; index += 1) offer(`u${index}`, 'completes')
    while (working.inside < max) await turn()
    for (let turns = 0; turns < 50; turns += 1) await turn()
    expect(working.inside).toBe(max)
    hold.resolve()
    await worker.stop()
    await run
    expect(working.most).toBe(max)
  })
})

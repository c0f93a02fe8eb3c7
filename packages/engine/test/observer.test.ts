// What an observer hears: enough for metrics, each thing once.

import { expect, test } from 'vitest'
import { completeWorkflowTask, heartbeatWorkflowTask } from '../src/index.ts'
import type { Observer } from '../src/ports.ts'
import { pollOf, registerOn, startEngine, startOn, workflowClaim } from './support/engine.ts'
import { activityCommand } from './support/operations.ts'

interface Heard {
  readonly observer: Observer
  readonly groups: { readonly operations: number; readonly points: string[] }[]
  readonly answers: string[]
  readonly claims: string[]
  readonly acts: unknown[]
}

function hearing(): Heard {
  const heard: Omit<Heard, 'observer'> = { groups: [], answers: [], claims: [], acts: [] }
  const observer: Observer = {
    group(operations) {
      const points: string[] = []
      heard.groups.push({ operations, points })
      return (point) => points.push(point)
    },
    answered: (kind, outcome, reason) => heard.answers.push([kind, outcome, reason ?? ''].join(' ').trim()),
    claimed: (task, how) => heard.claims.push(`${task} ${how}`),
    acted: (kind, lateMs, reply) => heard.acts.push({ kind, lateMs, reply }),
  }
  return { ...heard, observer }
}

const completion = (taskId: string) =>
  completeWorkflowTask({
    namespace: 'default',
    taskId,
    leaseOwner: 'worker-1',
    attempt: 1,
    commands: [activityCommand()],
    reportDigest: 'd',
    historyCached: false,
    resolvedWaits: [],
  })

test('each group with its points, each answer once, each claim with its way', async () => {
  const heard = hearing()
  await using made = await startEngine({ observer: heard.observer })
  await registerOn(made)
  await startOn(made)
  const { task } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  expect(heard.claims).toEqual(['workflow poll'])
  const held = made.engine.poll(pollOf('workflow'))
  await made.clock.settle()
  await startOn(made, 'second')
  await made.settled(held)
  expect(heard.claims).toEqual(['workflow poll', 'workflow same_group'])
  const offer = { namespace: 'default', workerId: 'worker-1', pollRequestId: 'h', protocolVersion: '1.19' }
  await made.settled(made.engine.report(completion(task.taskId), { ...offer, workflowTasks: 1, activityTasks: 1 }))
  expect(heard.claims).toEqual(['workflow poll', 'workflow same_group', 'activity hand_over'])
  await made.settled(
    made.engine.execute(heartbeatWorkflowTask({ ...offer, taskId: 'none', leaseOwner: 'w', attempt: 1 })),
  )
  expect(heard.answers).toEqual([
    'registerWorker accepted',
    'startWorkflow accepted',
    'claimWorkflowTask accepted',
    'startWorkflow accepted',
    'completeWorkflowTask accepted',
    'heartbeatWorkflowTask refused task_not_found',
  ])
  expect(heard.groups.every(({ operations }) => operations === 1)).toBe(true)
  for (const { points } of heard.groups) {
    expect(points).toEqual(['locked', 'loaded', 'decided', 'written', 'committed'])
  }
})

test('a group whose commit failed comes to no commit, and answers nothing', async () => {
  const heard = hearing()
  await using made = await startEngine({ observer: heard.observer })
  await registerOn(made)
  const before = heard.answers.length
  made.store.trouble('commit fails')
  await expect(startOn(made)).rejects.toThrow()
  expect(heard.groups.at(-1)?.points).toEqual(['locked', 'loaded', 'decided', 'written'])
  expect(heard.answers).toHaveLength(before)
})

test('what was due, and how late it was', async () => {
  const heard = hearing()
  await using made = await startEngine({ observer: heard.observer })
  await registerOn(made)
  await startOn(made)
  const { task } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  await made.clock.advance((task.lease?.expiresAt ?? 0) - made.clock.now())
  expect(heard.acts).toMatchObject([{ kind: 'workflowTask', lateMs: 0, reply: { taskId: task.taskId } }])
})

// Named meetings of operations in one group: the answers are those of one after the other.

import { describe, expect, test } from 'vitest'
import type { Operation } from '../src/core/decision/operation.ts'
import { claimWorkflowTask, releaseWorkflowTask, timeOutActivity } from '../src/core/operations/index.ts'
import { startEngine, type TestEngine } from './support/engine.ts'
import { expectWorld } from './support/histories.ts'
import { activityId, proof, runId } from './support/make.ts'
import {
  activityCommand,
  cancel,
  claimActivity,
  complete,
  completeActivity,
  completeCommand,
  heartbeat,
  sendSignal,
  signalCommand,
  start,
  terminate,
  timerCommand,
} from './support/operations.ts'
import { onEachDatabase } from './support/stores.ts'
import { apply, emptyWorld, type World } from './support/world.ts'

const first = `${runId}t2`
const claim = (workerId = 'worker-1') =>
  claimWorkflowTask({ taskId: first, proof: proof({ workerId }), leaseMs: 10_000 })
const turn = (...commands: Parameters<typeof complete>[0]) => complete(commands, { taskId: first })

interface Meeting {
  readonly name: string
  /** Done before, one at a time. */
  readonly before: readonly Operation[]
  readonly afterMs?: number
  readonly together: readonly Operation[]
}

const begun = [start(), claim()]
const meetings: Meeting[] = [
  {
    name: 'a completion that opens work, a cancellation, a signal',
    before: begun,
    together: [turn(activityCommand(), timerCommand()), cancel(), sendSignal()],
  },
  {
    name: 'two cancellations and a termination',
    before: begun,
    together: [turn(activityCommand()), cancel(), terminate(), cancel()],
  },
  {
    name: 'signals, and the completion that waits for them',
    before: begun,
    together: [sendSignal(), sendSignal(), turn(signalCommand(), signalCommand()), sendSignal()],
  },
  {
    name: 'a completion twice',
    before: begun,
    together: [turn(timerCommand()), turn(timerCommand()), turn(activityCommand())],
  },
  {
    name: 'L-07 a renewal before the lease is set free',
    before: begun,
    afterMs: 9_999,
    together: [
      heartbeat({ taskId: first }),
      releaseWorkflowTask({ taskId: first, surrender: undefined }),
      claim('worker-2'),
    ],
  },
  {
    name: 'L-07 a renewal after the replacement claimed',
    before: begun,
    afterMs: 10_000,
    together: [
      releaseWorkflowTask({ taskId: first, surrender: undefined }),
      claim('worker-2'),
      heartbeat({ taskId: first }),
    ],
  },
  {
    name: 'L-12 two passes over one expired lease',
    before: begun,
    afterMs: 10_000,
    together: [
      releaseWorkflowTask({ taskId: first, surrender: undefined }),
      releaseWorkflowTask({ taskId: first, surrender: undefined }),
    ],
  },
  {
    name: 'a start, its signals, its end',
    before: [],
    together: [start(), sendSignal(), start(), cancel(), sendSignal()],
  },
  {
    name: 'a result and its timeout',
    before: [
      ...begun,
      turn(activityCommand({ start_to_close_timeout: 5 })),
      claimActivity({ activityId: activityId(3) }),
    ],
    afterMs: 5_000,
    together: [
      timeOutActivity({ activityId: activityId(3) }),
      completeActivity({ activityId: activityId(3), attemptId: `${activityId(3)}x1` }),
    ],
  },
  {
    name: 'the end of a run and everything that comes late',
    before: [...begun, sendSignal()],
    together: [
      turn(activityCommand(), completeCommand()),
      sendSignal(),
      turn(activityCommand(), completeCommand()),
      heartbeat({ taskId: first }),
    ],
  },
]

async function run(
  made: TestEngine,
  meeting: Meeting,
  isOneGroup: boolean,
): Promise<{ answers: unknown[]; world: World }> {
  for (const operation of meeting.before) await made.settled(made.engine.execute(operation))
  await made.clock.advance(meeting.afterMs ?? 0)
  const answers: unknown[] = []
  if (isOneGroup)
    answers.push(
      ...(await made.settled(Promise.all(meeting.together.map((operation) => made.engine.execute(operation))))),
    )
  else for (const operation of meeting.together) answers.push(await made.settled(made.engine.execute(operation)))
  return { answers, world: made.store.commits.reduce(apply, emptyWorld) }
}

onEachDatabase((open) => {
  describe('UW1 UW6 one group or several: the same answers, the same rows', () => {
    test.each(meetings.map((meeting): [string, Meeting] => [meeting.name, meeting]))('%s', async (_name, meeting) => {
      await using alone = await startEngine({ isStarted: false, open })
      await using together = await startEngine({ isStarted: false, open })
      const one = await run(alone, meeting, false)
      const all = await run(together, meeting, true)
      expect(all.answers).toEqual(one.answers)
      expect(all.world.events).toEqual(one.world.events)
      expect(all.world.runs).toEqual(one.world.runs)
      expectWorld(all.world)
    })
  })
})

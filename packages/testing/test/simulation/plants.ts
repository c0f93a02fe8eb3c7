// Faults that are put into a world on purpose, one each: a judge that misses one of them proves nothing.

import type { Operation } from '@durable-workflow/engine'
import type { Changes, HistoryEvent, RowChanges } from '@durable-workflow/engine/ports'
import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import type { Invariant } from './judge/commit.ts'
import { isRepeated } from './judge/commit.ts'
import { payloadOf } from './program.ts'
import type { Answer } from './request.ts'
import type { Plant } from './world.ts'

interface Planted {
  readonly name: string
  /** How the judge may name it. */
  readonly found: readonly Invariant[]
  readonly plant: Plant
}

/** Every row of a table, changed. */
function each<Row>(changes: RowChanges<Row>, change: (row: Row) => Row): RowChanges<Row> {
  return { ...changes, inserted: changes.inserted.map(change), updated: changes.updated.map(change) }
}

function decided(change: (changes: Changes) => Changes): Plant {
  return { changes: { decided: change } }
}

function withoutEvents(type: string): Plant {
  return decided((changes) => ({ ...changes, events: changes.events.filter((event) => event.type !== type) }))
}

function operation(
  change: <Reply, Reason extends string>(operation: Operation<Reply, Reason>) => Operation<Reply, Reason>,
): Plant {
  return { operation: change }
}

function refused(change: (answer: Extract<Answer, { kind: 'outcome' }>) => Answer | undefined): Plant {
  return {
    answer: (answer) => (answer.kind === 'outcome' && answer.outcome.kind === 'refused' ? change(answer) : answer),
  }
}

function doubled(events: readonly HistoryEvent[], type: string): readonly HistoryEvent[] {
  const event = events.find((one) => one.type === type)
  const last = events.findLast((one) => one.runId === event?.runId)
  if (event === undefined || last === undefined) return events
  const sequence = last.sequence + 1
  return [...events, { ...event, sequence, eventId: `${event.runId}e${sequence}` }]
}

export const plants: readonly Planted[] = [
  { name: 'a result is lost from history', found: ['one order'], plant: withoutEvents('ActivityCompleted') },
  { name: 'a signal is lost from history', found: ['one order'], plant: withoutEvents('SignalReceived') },
  {
    name: 'an event is there twice',
    found: ['one order'],
    plant: decided((changes) => ({ ...changes, events: doubled(changes.events, 'TimerFired') })),
  },
  {
    name: 'a step is skipped',
    found: ['one order'],
    plant: decided((changes) => ({
      ...changes,
      events: changes.events.map((event) =>
        event.type === 'ActivityScheduled'
          ? {
              ...event,
              payload: JSON.stringify({ ...payloadOf(event), sequence: (payloadOf(event).sequence ?? 0) + 1 }),
            }
          : event,
      ),
    })),
  },
  {
    name: 'an accepted signal is dropped',
    found: ['no lost signal', 'one door'],
    plant: decided((changes) => ({ ...changes, signals: { ...changes.signals, inserted: [] } })),
  },
  {
    name: 'a signal is kept under other words',
    found: ['no lost signal'],
    plant: decided((changes) => ({
      ...changes,
      signals: each(changes.signals, (signal) => ({ ...signal, arguments: { codec: 'avro', blob: 'AA==' } })),
    })),
  },
  {
    name: 'a second workflow task is leased',
    found: ['authority', 'reason to move', 'answered once'],
    plant: decided((changes) => {
      const leased = changes.workflowTasks.updated.filter((task) => task.status === 'leased')
      const more = leased.map((task) => ({ ...task, taskId: `${task.taskId}9` }))
      return {
        ...changes,
        workflowTasks: { ...changes.workflowTasks, inserted: [...changes.workflowTasks.inserted, ...more] },
      }
    }),
  },
  {
    name: 'a lease goes to somebody who did not ask',
    found: ['authority'],
    plant: decided((changes) => ({
      ...changes,
      activities: each(changes.activities, (row) =>
        row.lease === undefined ? row : { ...row, lease: { ...row.lease, owner: 'worker-7' } },
      ),
    })),
  },
  {
    name: 'a claim proof is upgraded',
    found: ['authority'],
    plant: decided((changes) => ({
      ...changes,
      workflowTasks: each(changes.workflowTasks, (row) =>
        row.lease === undefined
          ? row
          : { ...row, lease: { ...row.lease, proof: { ...row.lease.proof, capabilities: ['query_tasks', 'more'] } } },
      ),
    })),
  },
  {
    name: 'a late report is accepted',
    found: ['authority', 'one order'],
    plant: operation((made) => ({
      ...made,
      decide(draft, now) {
        const decision = made.decide(draft, now)
        const isLate = decision.kind === 'refused' && ['lease_expired', 'stale_attempt'].includes(decision.reason)
        return isLate ? made.decide(draft, now - 5_000) : decision
      },
    })),
  },
  {
    name: 'a refusal keeps what it had written',
    found: ['recorded is recorded', 'one door', 'authority', 'reason to move', 'one order'],
    plant: operation((made) => ({
      ...made,
      decide(draft, now) {
        const decision = made.decide(draft, now)
        return decision.kind === 'refused' ? { ...decision, keepsDraft: true } : decision
      },
    })),
  },
  {
    name: 'a refusal does not name what it refuses',
    found: ['recorded is recorded', 'receipts'],
    plant: refused((answer) => ({
      ...answer,
      outcome: { ...answer.outcome, kind: 'refused', reason: 'no', facts: {}, recorded: false, keepsDraft: false },
    })),
  },
  {
    name: 'a refusal is answered as accepted',
    found: ['recorded is recorded'],
    plant: refused((answer) => ({ ...answer, outcome: { kind: 'accepted', reply: {} } })),
  },
  {
    name: 'an answer never comes',
    found: ['answered once'],
    plant: refused(() => undefined),
  },
  {
    name: 'a repeat is answered otherwise than the first report',
    found: ['recorded is recorded', 'receipts'],
    plant: {
      answer: (answer) =>
        answer.kind === 'outcome' && answer.outcome.kind === 'accepted' && isRepeated(answer.outcome.reply)
          ? { ...answer, outcome: { kind: 'accepted', reply: { repeated: true } } }
          : answer,
    },
  },
  {
    name: 'what may have been written is said not to be',
    found: ['recorded is recorded'],
    plant: {
      answer: (answer, { decisions }) =>
        answer.kind === 'error' && decisions.length > 0
          ? { kind: 'error', error: new StoreUnavailableError('other', { cause: 'planted' }) }
          : answer,
    },
  },
  {
    name: 'a worker gets a history without its end',
    found: ['recorded is recorded'],
    plant: {
      answer: (answer) => {
        if (answer.kind !== 'poll' || answer.result.kind !== 'workflow') return answer
        const { claim } = answer.result
        const events = claim.history.events.map((event) => ({ ...event, recordedAt: 0 }))
        return {
          kind: 'poll',
          result: { kind: 'workflow', claim: { ...claim, history: { ...claim.history, events } } },
        }
      },
    },
  },
  {
    name: 'a run states no reason to move',
    found: ['reason to move'],
    plant: decided((changes) => ({ ...changes, runs: each(changes.runs, (run) => ({ ...run, progress: undefined })) })),
  },
  {
    name: 'a run is not woken',
    found: ['reason to move', 'authority'],
    plant: decided((changes) => {
      const resumed = changes.workflowTasks.inserted.filter(
        (task) => task.status === 'ready' && task.resume.waitKind === 'timer',
      )
      const asleep = new Set(resumed.map((task) => task.runId))
      return {
        ...changes,
        workflowTasks: {
          ...changes.workflowTasks,
          inserted: changes.workflowTasks.inserted.filter((task) => !resumed.includes(task)),
        },
        runs: each(changes.runs, (run) =>
          asleep.has(run.runId) ? { ...run, openTask: undefined, progress: 'message' } : run,
        ),
      }
    }),
  },
  {
    name: 'nobody looks at a timer',
    found: ['reason to move', 'one door'],
    plant: decided((changes) => ({
      ...changes,
      timers: each(changes.timers, (timer) => ({ ...timer, dueAt: undefined })),
    })),
  },
  {
    name: 'an expired lease hides behind others',
    found: ['each lease alone'],
    plant: {
      changes: {
        due: ({ things, nextDueAt }) => ({ things: things.filter((one) => one.kind !== 'activity'), nextDueAt }),
      },
    },
  },
  {
    name: 'an attempt is forgotten',
    found: ['attempts', 'recorded is recorded'],
    plant: decided((changes) => ({
      ...changes,
      activities: each(changes.activities, (row) => ({ ...row, closedAttempts: [] })),
    })),
  },
  {
    name: 'the store forgets what it has acknowledged',
    found: ['stored rows', 'one order'],
    plant: {
      changes: {
        stored: (changes) => ({ ...changes, waits: each(changes.waits, (wait) => ({ ...wait, openedAt: 0 })) }),
      },
    },
  },
  {
    name: 'the store changes history',
    found: ['stored rows', 'recorded is recorded'],
    plant: {
      changes: {
        stored: (changes) => ({
          ...changes,
          events: changes.events.map((event) => ({ ...event, commandId: 'other' })),
        }),
      },
    },
  },
]

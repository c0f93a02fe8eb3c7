// Events, ids and steps: dense, counted on the run, absent means absent.

import { expect, test } from 'vitest'
import { runId, t0 } from '../../../test/support/make.ts'
import { given, select } from '../../../test/support/world.ts'
import { Draft } from '../decision/draft.ts'
import { InvariantError } from '../decision/draft-table.ts'
import { Group } from '../decision/group.ts'
import { append, mustRun, nextId, patchRun } from './append.ts'
import { nextStep } from './step.ts'

function draftOf(): { draft: Draft; group: Group } {
  const group = new Group()
  group.add(select(given({ run: { lastSequence: 4, historyBytes: 100 } }), group.unasked([{ of: 'run', runId }])))
  return { draft: new Draft(group), group }
}

const event = (name: string) => ({
  type: 'SignalReceived' as const,
  payload: { signal_id: 's1', signal_name: name, workflow_command_id: undefined, arguments: null },
  commandId: `${runId}c1`,
})

test('positions are dense; the run counts them and moves on', () => {
  const { draft, group } = draftOf()
  expect([append(draft, runId, event('a'), t0 + 5), append(draft, runId, event('b'), t0 + 6)]).toEqual([5, 6])
  draft.commit()
  expect(mustRun(new Draft(group), runId)).toMatchObject({ lastSequence: 6, lastProgressAt: t0 + 6 })
  expect(group.events).toMatchObject([
    {
      eventId: `${runId}e5`,
      sequence: 5,
      type: 'SignalReceived',
      recordedAt: t0 + 5,
      commandId: `${runId}c1`,
      workflowTaskId: undefined,
    },
    { eventId: `${runId}e6`, sequence: 6 },
  ])
})

test('a member that is undefined is absent, one that is null is not', () => {
  const { draft, group } = draftOf()
  append(draft, runId, event('a'), t0)
  draft.commit()
  expect(group.events[0]?.payload).toBe('{"signal_id":"s1","signal_name":"a","arguments":null}')
})

test('history bytes are bytes of the payload texts, not characters', () => {
  const { draft, group } = draftOf()
  append(draft, runId, event('größe €'), t0)
  draft.commit()
  const bytes = Buffer.byteLength(group.events[0]?.payload ?? '')
  expect(mustRun(new Draft(group), runId).historyBytes).toBe(100 + bytes)
})

test('ids and steps are dense, each counted once', () => {
  const { draft } = draftOf()
  expect([nextId(draft, runId, 'timer'), nextId(draft, runId, 'wait')]).toEqual([`${runId}m101`, `${runId}w102`])
  expect([nextStep(draft, runId), nextStep(draft, runId)]).toEqual([1, 2])
  expect(mustRun(draft, runId)).toMatchObject({ lastId: 102, lastStep: 2 })
})

test('the reason to move follows every change of a run', () => {
  const { draft } = draftOf()
  expect(patchRun(draft, runId, { openTimers: 1 }).progress).toBe('timer')
  expect(patchRun(draft, runId, { openTimers: 0 }).progress).toBe('message')
})

test('a run that is not in the slice is a bug of ours', () => {
  expect(() => append(new Draft(new Group()), runId, event('a'), t0)).toThrow(InvariantError)
})

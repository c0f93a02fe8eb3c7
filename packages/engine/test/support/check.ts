// The one place where decisions are tried: given a world, one operation, an instant; expected outcome, events, rows.

import { expect, test } from 'vitest'
import type { RowChanges } from '../../src/core/decision/changes.ts'
import type { Operation } from '../../src/core/decision/operation.ts'
import { progressProblems } from '../../src/core/rules/progress.ts'
import { isOpenActivity } from '../../src/core/state/activity.ts'
import type { HistoryEvent } from '../../src/core/state/history-event.ts'
import { isOpen } from '../../src/core/state/run.ts'
import { isLiveWait } from '../../src/core/state/wait.ts'
import { isOpenTask } from '../../src/core/state/workflow-task.ts'
import { t0 } from './make.ts'
import { decide, given, type World } from './world.ts'

/** An object of which only the named members are compared. */
export type Part = { readonly [member: string]: unknown }

const tables = [
  'namespaces',
  'workflows',
  'runs',
  'workflowTasks',
  'activities',
  'timers',
  'waits',
  'signals',
  'queryTasks',
  'registrations',
  'livenesses',
] as const
type Table = (typeof tables)[number]

export interface Case {
  /** Behaviour, the requirement first. */
  readonly name: string
  readonly given?: World
  readonly operation: Operation
  /** Epoch ms; default t0 + 1 s. */
  readonly at?: number
  readonly accepted?: Part
  readonly rejected?: string
  /** The reason of the refusal; nothing may change, unless `events` says what time did. */
  readonly refused?: string
  /** Members of the refusal's facts. */
  readonly facts?: Part
  /** Types of all appended events in order, or type and parts of its payload. */
  readonly events?: readonly (string | readonly [string, Part])[]
  /** For each table all rows that are written, in any order; tables that are not named must stay as they are. */
  readonly rows?: { readonly [Name in Table]?: readonly Part[] }
  /** Keys of rows that go. */
  readonly removes?: { readonly [Name in Table]?: number }
}

/** Runs a table of cases, each a test of its own. */
export function check(cases: readonly Case[]): void {
  test.each(cases.map((one): [string, Case] => [one.name, one]))('%s', (_name, one) => checkOne(one))
}

/** The default instant of a decision. */
export const at = t0 + 1_000

function checkOne(one: Case): void {
  const before = one.given ?? given()
  const { outcome, changes, world } = decide(before, one.operation, one.at ?? at)
  if (one.refused !== undefined) {
    expect(outcome).toMatchObject({ kind: 'refused', reason: one.refused, recorded: false, facts: one.facts ?? {} })
  } else if (one.rejected !== undefined) {
    expect(outcome).toMatchObject({ kind: 'rejected', reason: one.rejected, reply: one.accepted ?? {} })
  } else {
    expect(outcome).toMatchObject({ kind: 'accepted', reply: one.accepted ?? {} })
  }
  expectEvents(changes.events, one.events ?? [], before)
  for (const table of tables) expectRows(table, changes[table], one.rows?.[table] ?? [], one.removes?.[table] ?? 0)
  if (one.refused === undefined || changes.events.length > 0) expectSound(world)
}

function expectEvents(
  events: readonly HistoryEvent[],
  expected: readonly (string | readonly [string, Part])[],
  before: World,
): void {
  expect(events.map((event) => event.type)).toEqual(expected.map((one) => (typeof one === 'string' ? one : one[0])))
  for (const [index, one] of expected.entries()) {
    if (typeof one !== 'string') expect(payloadOf(events[index])).toMatchObject(one[1])
  }
  const lastBefore = new Map(before.runs.map((run) => [run.runId, run.lastSequence]))
  for (const event of events) {
    const sequence = (lastBefore.get(event.runId) ?? 0) + 1
    expect(event.sequence).toBe(sequence)
    lastBefore.set(event.runId, sequence)
  }
}

export function payloadOf(event: HistoryEvent | undefined): unknown {
  return event === undefined ? undefined : JSON.parse(event.payload)
}

function expectRows(table: Table, changes: RowChanges<object>, expected: readonly Part[], removed: number): void {
  const written = [...changes.inserted, ...changes.updated]
  const text = `rows written to ${table}: ${JSON.stringify(written)}`
  expect(written.length, text).toBe(expected.length)
  const left = [...written]
  for (const part of expected) {
    const found = left.findIndex((row) => expect.objectContaining(part).asymmetricMatch(row))
    if (found < 0) expect(left, text).toContainEqual(expect.objectContaining(part))
    left.splice(found, 1)
  }
  expect(changes.removed.length, `rows removed from ${table}`).toBe(removed)
}

/** Every decision leaves rows behind every open run's reason to move, and at most one open task. */
export function expectSound(world: World): void {
  for (const run of world.runs) {
    const tasks = world.workflowTasks.filter((task) => task.runId === run.runId && isOpenTask(task))
    expect(tasks.length, 'open workflow tasks of one run').toBeLessThanOrEqual(1)
    if (!isOpen(run)) {
      expect({ progress: run.progress, tasks, openTask: run.openTask, dueAt: run.dueAt }).toEqual({ tasks: [] })
      continue
    }
    const problems = progressProblems(run, {
      workflowTask: tasks[0],
      activities: world.activities.filter((row) => row.runId === run.runId && isOpenActivity(row)),
      timers: world.timers.filter((row) => row.runId === run.runId && row.status === 'pending'),
      waits: world.waits.filter((row) => row.runId === run.runId && isLiveWait(row)),
    })
    expect(problems).toEqual([])
  }
}

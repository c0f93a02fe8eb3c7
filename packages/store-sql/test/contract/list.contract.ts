import type { ListField, ListFilter, ListOperator, Run, RunStatus, Store } from '@durable-workflow/engine/ports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changes, event, liveness, namespace, queryTask, registration, run, t0 } from '../support/make.ts'
import { matches } from '../support/matches.ts'
import { type OpenFresh, withStore, write } from '../support/suite.ts'

export function listContract(open: OpenFresh): void {
  describe('list.history', () => {
    test('pages after a position, in order, of one run', () =>
      withStore(open, async (store) => {
        const events = Array.from({ length: 10 }, (_, i) => event({ sequence: i + 1, eventId: `e${i + 1}` }))
        const ofOther = event({ runId: 'r2', sequence: 1, eventId: 'other' })
        await write(store, changes({ events: [...events, ofOther] }))
        const page = (after: number, limit: number) => store.list.history({ runId: 'r1', after, limit })
        expect(await page(0, 4)).toStrictEqual(events.slice(0, 4))
        expect(await page(4, 4)).toStrictEqual(events.slice(4, 8))
        expect(await page(8, 4)).toStrictEqual(events.slice(8))
        expect(await page(10, 4)).toStrictEqual([])
      }))
  })

  describe('list.workflows', () => {
    test('newest start first, then run id descending, of one namespace', () =>
      withStore(open, async (store) => {
        await write(store, changes({ runs: { inserted: numbered(6, (i) => ({ startedAt: t0 + Math.floor(i / 2) })) } }))
        await write(store, changes({ runs: { inserted: [run({ runId: 'x', workflowId: 'x', namespace: 'other' })] } }))
        const runs = await store.list.workflows({
          namespace: 'default',
          filter: everything,
          limit: 5,
          after: undefined,
        })
        expect(runs.map((row) => row.runId)).toStrictEqual(['r5', 'r4', 'r3', 'r2', 'r1'])
      }))

    test('keyset pages stay whole while runs are inserted before and behind', () =>
      withStore(open, async (store) => {
        await write(
          store,
          changes({ runs: { inserted: numbered(20, (i) => ({ startedAt: t0 + Math.floor(i / 3) })) } }),
        )
        const seen: string[] = []
        let after: { startedAt: number; runId: string } | undefined
        for (let turn = 0; ; turn++) {
          const page = await store.list.workflows({ namespace: 'default', filter: everything, limit: 3, after })
          const last = page.at(-1)
          if (last === undefined) break
          seen.push(...page.map((row) => row.runId))
          after = { startedAt: last.startedAt, runId: last.runId }
          const newest = run({ runId: `new${turn}`, workflowId: `new${turn}`, startedAt: t0 + 1000 })
          await write(store, changes({ runs: { inserted: [newest] } }))
        }
        const expected = numbered(20, (i) => ({ startedAt: t0 + Math.floor(i / 3) }))
          .sort((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1))
          .map((row) => row.runId)
        expect(seen).toStrictEqual(expected)
      }))

    test('a filter tree finds what the reference predicate finds', () =>
      withStore(open, async (store) => {
        await write(store, changes({ runs: { inserted: filteredRuns } }))
        await fc.assert(
          fc.asyncProperty(filters, (filter) => findsTheSame(store, filter)),
          { numRuns: 300 },
        )
      }))
  })

  describe('list.runs and list.openRuns', () => {
    test('all runs of a workflow, oldest first', () =>
      withStore(open, async (store) => {
        const runs = [3, 1, 2].map((runNumber) => run({ runId: `r${9 - runNumber}`, runNumber }))
        await write(store, changes({ runs: { inserted: [...runs, run({ runId: 'x', workflowId: 'other' })] } }))
        const found = await store.list.runs({ workflowId: 'w1' })
        expect(found.map((row) => row.runNumber)).toStrictEqual([1, 2, 3])
      }))

    test('open runs by run id, page by page', () =>
      withStore(open, async (store) => {
        await write(store, changes({ runs: { inserted: numbered(9, (i) => withStatus(i % 7)) } }))
        const page = async (after: string | undefined) =>
          (await store.list.openRuns({ after, limit: 2 })).map((row) => row.runId)
        expect(await page(undefined)).toStrictEqual(['r0', 'r1'])
        expect(await page('r1')).toStrictEqual(['r2', 'r7'])
        expect(await page('r7')).toStrictEqual(['r8'])
        expect(await page('r8')).toStrictEqual([])
      }))
  })

  describe('list: namespaces, workers, query tasks', () => {
    test('namespaces by name', () =>
      withStore(open, async (store) => {
        const inserted = ['zulu', 'alpha'].map((name) => namespace({ name }))
        await write(store, changes({ namespaces: { inserted } }))
        const found = await store.list.namespaces()
        expect(found.map((row) => row.name)).toStrictEqual(['alpha', 'default', 'zulu'])
      }))

    test('registrations of a namespace or of one of its queues, each with its liveness if it has one', () =>
      withStore(open, async (store) => {
        const a = registration({ workerId: 'a' })
        const b = registration({ workerId: 'b', taskQueue: 'other' })
        const c = registration({ workerId: 'c', namespace: 'other' })
        const alive = liveness({ workerId: 'a', report: { free: 3 } })
        const strange = liveness({ workerId: 'b', namespace: 'other' })
        await write(
          store,
          changes({ registrations: { inserted: [a, b, c] }, livenesses: { inserted: [alive, strange] } }),
        )
        const first = { registration: a, liveness: alive }
        expect(await store.list.registrations({ namespace: 'default' })).toStrictEqual([
          first,
          { registration: b, liveness: undefined },
        ])
        expect(await store.list.registrations({ namespace: 'default', taskQueue: 'default' })).toStrictEqual([first])
      }))

    test('query tasks that are ready or leased are counted by queue', () =>
      withStore(open, async (store) => {
        const inserted = (['ready', 'leased', 'completed', 'failed'] as const).map((status) =>
          queryTask({ queryTaskId: status, status }),
        )
        const elsewhere = queryTask({ queryTaskId: 'elsewhere', taskQueue: 'other' })
        await write(store, changes({ queryTasks: { inserted: [...inserted, elsewhere] } }))
        expect(await store.list.openQueryTaskCount({ namespace: 'default', taskQueue: 'default' })).toBe(2)
        expect(await store.list.openQueryTaskCount({ namespace: 'default', taskQueue: 'none' })).toBe(0)
      }))
  })
}

const everything: ListFilter = { kind: 'all', of: [] }

const statuses: readonly RunStatus[] = [
  'pending',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'terminated',
]

function numbered(count: number, given: (i: number) => Partial<Run>): Run[] {
  return Array.from({ length: count }, (_, i) => run({ runId: `r${i}`, workflowId: `w${i}`, ...given(i) }))
}

/** The first three are open. */
function withStatus(i: number): Partial<Run> {
  return { status: statuses[i] ?? 'pending', closedAt: i < 3 ? undefined : t0 }
}

const words = ['a', 'B', 'ab', '%', '_', "it's", 'ä', '', 'order']

/** 60 runs in which each word, status and instant occurs, with and without the optional fields. */
const filteredRuns = numbered(60, (i) => ({
  runId: `${words[i % 9] ?? ''}-r${i}`,
  workflowId: `${words[i % 5] ?? ''}${words[(i * 4) % 9] ?? ''}-w${i}`,
  workflowType: words[(i * 7) % 9] ?? '',
  taskQueue: words[(i * 2) % 9] ?? '',
  businessKey: i % 3 === 0 ? undefined : `${words[(i * 5) % 9] ?? ''}-key`,
  status: statuses[i % 7] ?? 'pending',
  startedAt: t0 + (i % 10),
  closedAt: i % 2 === 0 ? undefined : t0 + (i % 11),
}))

const textFields: readonly ListField[] = [
  'workflowType',
  'workflowId',
  'runId',
  'taskQueue',
  'buildId',
  'status',
  'statusBucket',
]
const allFields: readonly ListField[] = [...textFields, 'startedAt', 'closedAt']
const operators: readonly ListOperator[] = ['=', '!=', '<', '<=', '>', '>=']
const texts = fc.oneof(
  fc.constantFrom(...words, ...statuses, ...filteredRuns.slice(0, 9).flatMap((row) => [row.runId, row.workflowId])),
  fc.string({ maxLength: 3 }),
)
const instants = fc.integer({ min: t0 - 1, max: t0 + 12 })

const { filter: filters } = fc.letrec<{ filter: ListFilter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('compare' as const),
      field: fc.constantFrom(...allFields),
      operator: fc.constantFrom(...operators),
      value: fc.oneof(texts, instants),
    }),
    fc.record({
      kind: fc.constant('in' as const),
      field: fc.constantFrom(...allFields),
      values: fc.array(texts, { maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('text' as const), text: texts }),
    fc.constant<ListFilter>({ kind: 'nothing' }),
    fc.record({ kind: fc.constant('not' as const), of: tie('filter') }),
    fc.record({ kind: fc.constant('all' as const), of: fc.array(tie('filter'), { maxLength: 3 }) }),
  ),
}))

async function findsTheSame(store: Store, filter: ListFilter): Promise<void> {
  const found = await store.list.workflows({ namespace: 'default', filter, limit: 100, after: undefined })
  const expected = filteredRuns.filter((row) => matches(filter, row))
  expect(found.map((row) => row.runId).sort()).toStrictEqual(expected.map((row) => row.runId).sort())
}

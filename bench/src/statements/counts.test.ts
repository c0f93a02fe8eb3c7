import { expect, test } from 'vitest'
import { createCounts, kindOf, statementFigures } from './counts.ts'

test.each([
  ['begin immediate', 'begin immediate'],
  ['COMMIT', 'commit'],
  ['select * from "events" where run_id in (select value from json_each(?))', 'select events'],
  ['insert into "runs" ("a", "b") values (?, ?)', 'insert runs'],
  ['insert into runs(a) values (?)', 'insert runs'],
  ['update "activities" set status = ?', 'update activities'],
  ['with changed("id") as (values (?)) update "runs" set "a" = c.a from changed c', 'update runs'],
  ['with due as (select id from timers) select * from due', 'with timers'],
  ['delete from timers', 'delete timers'],
  ['select pg_try_advisory_xact_lock($1)', 'select'],
])('%j is of the kind %j', (text, kind) => {
  expect(kindOf(text)).toBe(kind)
})

test('every statement counts, by its kind', () => {
  const counts = createCounts()
  for (const text of ['begin', 'select a from x', 'select b from x', 'commit']) counts.statement(text)
  expect(counts.soFar().statements).toEqual({ begin: 1, 'select x': 2, commit: 1 })
})

test('a group counts once, when it is committed', () => {
  const counts = createCounts()
  const kinds = ['startWorkflow', 'completeActivityTask', 'completeActivityTask']
  for (const point of ['gathered', 'locked', 'decided', 'written', 'committed']) counts.reached(point, kinds)
  counts.reached('gathered', kinds)
  expect(counts.soFar()).toEqual({ statements: {}, groups: 1, operations: 3 })
})

test('figures are those of the load between two counts', () => {
  const before = { statements: { begin: 90, 'select x': 500, 'insert x': 7 }, groups: 80, operations: 300 }
  const after = { statements: { begin: 190, 'select x': 1_500, 'insert x': 7 }, groups: 180, operations: 800 }
  expect(statementFigures(before, after, 200)).toEqual({
    statements_per_step: 5.5,
    commits_per_step: 0.5,
    operations_per_step: 2.5,
    operations_per_group: 5,
    by_kind: { 'select x': 5, begin: 0.5 },
  })
  expect(() => statementFigures(before, before, 200)).toThrow('nothing was committed')
})

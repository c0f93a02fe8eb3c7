// List queries: predicates joined by AND, or free text.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant } from '../state/instant.ts'
import type { ListFilter } from '../state/list-filter.ts'
import { parseInstant, parseListQuery } from './filter.ts'

const compare = (field: string, operator: string, value: string | number) => ({
  kind: 'compare',
  field,
  operator,
  value,
})
const all = (...of: unknown[]) => ({ kind: 'all', of })

const filters: [query: string, filter: unknown][] = [
  ['', all()],
  ['   ', all()],
  ['order-17', { kind: 'text', text: 'order-17' }],
  ['customer 7 and 8', { kind: 'text', text: 'customer 7 and 8' }],
  [`WorkflowType = 'Order'`, all(compare('workflowType', '=', 'Order'))],
  [`WorkflowType="Order"`, all(compare('workflowType', '=', 'Order'))],
  ['WorkflowType=Order', all(compare('workflowType', '=', 'Order'))],
  [`WorkflowId != 'a\\'b'`, all(compare('workflowId', '!=', `a'b`))],
  ['RunId = abc', all(compare('runId', '=', 'abc'))],
  ['TaskQueue = orders', all(compare('taskQueue', '=', 'orders'))],
  ['BuildId = v1.2', all(compare('buildId', '=', 'v1.2'))],
  ['BuildIds = v1', all(compare('buildId', '=', 'v1'))],
  ['Status = Running', all(compare('statusBucket', '=', 'running'))],
  ['ExecutionStatus = completed', all(compare('statusBucket', '=', 'completed'))],
  ['Status = Terminated', all(compare('status', '=', 'terminated'))],
  ['Status != Failed', all(compare('statusBucket', '!=', 'failed'))],
  [`StartTime >= '2026-01-31T12:00:00Z'`, all(compare('startedAt', '>=', 1_769_860_800_000))],
  ['ExecutionTime < 2026-01-31', all(compare('startedAt', '<', 1_769_817_600_000))],
  [`CloseTime > "2026-01-31T12:00:00.250+01:00"`, all(compare('closedAt', '>', 1_769_857_200_250))],
  ['WorkflowType IN (Order, "Invoice")', all({ kind: 'in', field: 'workflowType', values: ['Order', 'Invoice'] })],
  ['Status in (Running, completed)', all({ kind: 'in', field: 'statusBucket', values: ['running', 'completed'] })],
  ['Status in (running, Terminated)', all({ kind: 'in', field: 'status', values: ['running', 'terminated'] })],
  ['NOT Status = Running', all({ kind: 'not', of: compare('statusBucket', '=', 'running') })],
  ['not WorkflowType in (A)', all({ kind: 'not', of: { kind: 'in', field: 'workflowType', values: ['A'] } })],
  [
    'WorkflowType = Order AND Status = Running and NOT RunId = x',
    all(compare('workflowType', '=', 'Order'), compare('statusBucket', '=', 'running'), {
      kind: 'not',
      of: compare('runId', '=', 'x'),
    }),
  ],
  ['Colour = red', all({ kind: 'nothing' })],
  ['Colour in (red, blue)', all({ kind: 'nothing' })],
]
describe('filters', () => {
  test.each(filters)('%s', (query, filter) => {
    expect(parseListQuery(query)).toEqual({ kind: 'filter', filter })
  })
})

const problems: [query: string, problem: RegExp][] = [
  ['WorkflowType = Order OR Status = Running', /expected AND before 'OR'/],
  ['WorkflowType = ', /expected 'Field <operator> value' at 'WorkflowType'/],
  ['WorkflowType = Order AND', /expected a predicate at the end/],
  ['WorkflowType = Order AND = x', /expected a field, found '='/],
  ['WorkflowType < Order', /WorkflowType takes = and != only/],
  ['Status > running', /Status takes = and != only/],
  ['StartTime > yesterday', /StartTime needs an instant like 2026-01-31T12:00:00Z, not 'yesterday'/],
  [`WorkflowType = 'Order`, /cannot read the query at/],
  ['WorkflowType in (Order', /IN \(…\) is not closed/],
  ['WorkflowType in ()', /IN \(…\) is not closed/],
  ['WorkflowType in (A B)', /expected , or \) in IN/],
  ['WorkflowType = A; drop', /cannot read the query at ';/],
]
describe('problems, in words', () => {
  test.each(problems)('%s', (query, problem) => {
    const parsed = parseListQuery(query)
    expect(parsed.kind).toBe('problem')
    expect(parsed).toHaveProperty('problem', expect.stringMatching(problem))
  })
})

test('any text is a filter or a problem, never an exception', () => {
  const known: ListFilter['kind'][] = ['all', 'text']
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .array(
            fc.constantFrom(
              'Status',
              'WorkflowType',
              'StartTime',
              '=',
              '!=',
              '(',
              ')',
              ',',
              'in',
              'AND',
              'not',
              "'x'",
              '2026-01-31',
              ' ',
            ),
          )
          .map((words) => words.join(' ')),
      ),
      (text) => {
        const parsed = parseListQuery(text)
        return parsed.kind === 'problem' ? parsed.problem.length > 0 : known.includes(parsed.filter.kind)
      },
    ),
    { numRuns: 2_000 },
  )
})

describe('instants', () => {
  test('10,000 instants of milliseconds are read back exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
        (epochMs) => parseInstant(formatInstant(epochMs)) === epochMs,
      ),
      { numRuns: 10_000 },
    )
  })

  const readable: [string, number | undefined][] = [
    ['1970-01-01', 0],
    ['1970-01-01T00:00Z', 0],
    ['1970-01-01T00:00:01', 1_000],
    ['1970-01-01T01:00:00+01:00', 0],
    ['1969-12-31T23:00:00-01:00', 0],
    ['1970-01-01T00:00:00.5Z', 500],
    ['1970-01-01T00:00:00.123456Z', 123],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1970-01-01T00:00:00.1234567Z', undefined],
    ['1970-13-01', undefined],
    ['1970-00-01', undefined],
    ['1970-01-32', undefined],
    ['2026-02-30', undefined],
    ['2025-02-29', undefined],
    ['1970-01-01T24:30:00Z', undefined],
    ['1970-01-01T00:60:00Z', undefined],
    ['1970-01-01T00:00:61Z', undefined],
    ['now', undefined],
    ['', undefined],
  ]
  test.each(readable)('%j', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })
})

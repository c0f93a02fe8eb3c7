// The list query of control plane 2, §6.3, as a tree: predicates joined by AND, or free text. Pure; the store turns
// the tree into its own language.

import { formatInstant } from '../state/instant.ts'
import type { ListField, ListFilter, ListOperator } from '../state/list-filter.ts'

/** A list query as a tree, or what is wrong with its text. */
export type ParsedListQuery =
  | { readonly kind: 'filter'; readonly filter: ListFilter }
  | { readonly kind: 'problem'; readonly problem: string }

type Token = { readonly kind: 'word' | 'text' | 'operator' | 'mark'; readonly text: string }
type Predicate = { readonly filter: ListFilter; readonly next: number }

const fields: Readonly<Record<string, ListField>> = {
  WorkflowType: 'workflowType',
  WorkflowId: 'workflowId',
  RunId: 'runId',
  TaskQueue: 'taskQueue',
  BuildId: 'buildId',
  BuildIds: 'buildId',
  StartTime: 'startedAt',
  ExecutionTime: 'startedAt',
  CloseTime: 'closedAt',
  Status: 'status',
  ExecutionStatus: 'status',
}

const buckets: ReadonlySet<string> = new Set(['running', 'completed', 'failed'])

/** Reads a list query; text that is no predicate matches workflow id and business key by substring. */
export function parseListQuery(query: string): ParsedListQuery {
  const text = query.trim()
  if (text === '') return { kind: 'filter', filter: { kind: 'all', of: [] } }
  if (!/^(not\s+)?[A-Za-z_][A-Za-z0-9_]*\s*(=|!=|<=|>=|<|>|\s+in\s*\()/i.test(text))
    return { kind: 'filter', filter: { kind: 'text', text } }
  const tokens = tokenize(text)
  if (typeof tokens === 'string') return { kind: 'problem', problem: tokens }
  const of: ListFilter[] = []
  let position = 0
  for (;;) {
    const read = readPredicate(tokens, position)
    if (typeof read === 'string') return { kind: 'problem', problem: read }
    of.push(read.filter)
    const joint = tokens[read.next]
    if (joint === undefined) return { kind: 'filter', filter: { kind: 'all', of } }
    if (!isWord(joint, 'and')) return { kind: 'problem', problem: `expected AND before '${joint.text}'` }
    position = read.next + 1
  }
}

function readPredicate(tokens: readonly Token[], start: number): Predicate | string {
  const first = tokens[start]
  if (first === undefined) return 'expected a predicate at the end'
  if (isWord(first, 'not')) {
    const inner = readPredicate(tokens, start + 1)
    return typeof inner === 'string' ? inner : { filter: { kind: 'not', of: inner.filter }, next: inner.next }
  }
  if (first.kind !== 'word') return `expected a field, found '${first.text}'`
  const field = fields[first.text]
  const operator = tokens[start + 1]
  if (operator !== undefined && isWord(operator, 'in')) return readIn(tokens, start + 2, field)
  const value = tokens[start + 2]
  if (operator?.kind !== 'operator' || value === undefined || (value.kind !== 'word' && value.kind !== 'text')) {
    return `expected 'Field <operator> value' at '${first.text}'`
  }
  const filter = compare(first.text, field, operator.text, value.text)
  return typeof filter === 'string' ? filter : { filter, next: start + 3 }
}

function readIn(tokens: readonly Token[], start: number, field: ListField | undefined): Predicate | string {
  if (tokens[start]?.text !== '(') return 'expected ( after IN'
  const values: string[] = []
  for (let at = start + 1; ; at += 2) {
    const value = tokens[at]
    const mark = tokens[at + 1]
    if (value === undefined || mark === undefined || value.kind === 'mark') return 'IN (…) is not closed'
    values.push(value.text)
    if (mark.text === ')')
      return { filter: field === undefined ? { kind: 'nothing' } : inFilter(field, values), next: at + 2 }
    if (mark.text !== ',') return `expected , or ) in IN (…), found '${mark.text}'`
  }
}

function inFilter(field: ListField, values: readonly string[]): ListFilter {
  return field === 'status' && values.every((value) => buckets.has(value.toLowerCase()))
    ? { kind: 'in', field: 'statusBucket', values: values.map((value) => value.toLowerCase()) }
    : { kind: 'in', field, values: field === 'status' ? values.map((value) => value.toLowerCase()) : values }
}

function compare(name: string, field: ListField | undefined, operatorText: string, value: string): ListFilter | string {
  const operator = operators[operatorText]
  if (operator === undefined) return `unknown operator '${operatorText}'`
  if (field === undefined) return { kind: 'nothing' }
  if (field === 'startedAt' || field === 'closedAt') {
    const instant = parseInstant(value)
    return instant === undefined
      ? `${name} needs an instant like 2026-01-31T12:00:00Z, not '${value}'`
      : { kind: 'compare', field, operator, value: instant }
  }
  if (operator !== '=' && operator !== '!=') return `${name} takes = and != only`
  if (field !== 'status') return { kind: 'compare', field, operator, value }
  const status = value.toLowerCase()
  return { kind: 'compare', field: buckets.has(status) ? 'statusBucket' : 'status', operator, value: status }
}

const operators: Readonly<Record<string, ListOperator>> = {
  '=': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

function tokenize(text: string): Token[] | string {
  const tokens: Token[] = []
  const pattern = /\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(!=|<=|>=|=|<|>)|([(),])|([A-Za-z0-9_.:+-]+))/y
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) {
      if (text.slice(at).trim() === '') break
      return `cannot read the query at '${text.slice(at, at + 20)}'`
    }
    const [, quoted, operator, mark, word] = match
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.slice(1, -1).replace(/\\(.)/g, '$1') })
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
  }
  return tokens
}

function isWord(token: Token, word: string): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === word
}

/** Reads an ISO-8601 instant in UTC or with an offset; epoch ms, undefined when it is none or names no day or time that exists. */
export function parseInstant(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(
    text,
  )
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = match
  const days = daysFromCivil(Number(year), Number(month), Number(day))
  if (
    !isDay(Number(year), Number(month), Number(day)) ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59
  ) {
    return undefined
  }
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offsetSeconds(zone)
  return seconds * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
}

// A day exists when it comes back from its number unchanged: February 30 comes back as March 1 or 2.
function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const instant = daysFromCivil(year, month, day) * 86_400_000
  return formatInstant(instant).startsWith(
    `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T`,
  )
}

function offsetSeconds(zone: string): number {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60)
}

// The inverse of the calendar in state/instant.ts: years from March, eras of 400 years.
function daysFromCivil(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

// The core's filter tree → an SQL condition, in two-valued logic: a comparison with an absent value is false, and its
// negation true (SQL alone would say "unknown" to both).

import type { ListField, ListFilter, ListOperator } from '@durable-workflow/engine/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

export type Condition = RawBuilder<boolean>

/** Runs that match a filter, as a condition on the table `runs`. */
export function conditionOf(filter: ListFilter, dialect: Dialect): Condition {
  switch (filter.kind) {
    case 'all':
      return allOf(filter.of.map((part) => conditionOf(part, dialect)))
    case 'not':
      return sql<boolean>`not (${conditionOf(filter.of, dialect)})`
    case 'compare':
      return comparison(filter, dialect)
    case 'in':
      return allOf([isPresent(filter.field), isIn(filter.field, filter.values, dialect)])
    case 'text':
      return textCondition(filter.text, dialect)
    case 'nothing':
      return never
  }
}

type Comparison = Extract<ListFilter, { readonly kind: 'compare' }>

const always = sql<boolean>`1 = 1`
const never = sql<boolean>`1 = 0`

function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return always
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

function comparison({ field, operator, value }: Comparison, dialect: Dialect): Condition {
  const isInstant = field === 'startedAt' || field === 'closedAt'
  // Texts and numbers have no order between them: what cannot be compared does not match.
  if (isInstant !== (typeof value === 'number')) return never
  return allOf([isPresent(field), sql<boolean>`${column(field, dialect)} ${operatorOf(operator)} ${value}`])
}

function isIn(field: ListField, values: readonly string[], dialect: Dialect): Condition {
  if (values.length === 0 || field === 'startedAt' || field === 'closedAt') return never
  return sql<boolean>`${column(field, dialect)} in (${sql.join(values)})`
}

function isPresent(field: ListField): Condition {
  if (field === 'buildId') return never
  return field === 'closedAt' ? sql<boolean>`${sql.ref('runs.closed_at')} is not null` : always
}

function textCondition(text: string, dialect: Dialect): Condition {
  const inWorkflowId = dialect.contains(sql.ref('runs.workflow_id'), text)
  const inBusinessKey = dialect.contains(sql`coalesce(${sql.ref('runs.business_key')}, '')`, text)
  return sql<boolean>`(${inWorkflowId} or ${inBusinessKey})`
}

function column(field: ListField, dialect: Dialect): RawBuilder<unknown> {
  switch (field) {
    case 'workflowType':
      return sql.ref('runs.workflow_type')
    case 'workflowId':
      return sql.ref('runs.workflow_id')
    case 'runId':
      return sql.ref('runs.run_id')
    case 'taskQueue':
      return sql.ref('runs.task_queue')
    case 'startedAt':
      return sql.ref('runs.started_at')
    case 'closedAt':
      return sql.ref('runs.closed_at')
    case 'status':
      return sql.ref('runs.status')
    case 'statusBucket':
      return dialect.bytewise(sql`(case ${sql.ref('runs.status')} when 'completed' then 'completed'
        when 'failed' then 'failed' when 'cancelled' then 'failed' when 'terminated' then 'failed'
        else 'running' end)`)
    case 'buildId':
      // A run is not bound to a build: the field is known and always absent.
      return sql`null`
  }
}

function operatorOf(operator: ListOperator): RawBuilder<unknown> {
  switch (operator) {
    case '=':
      return sql`=`
    case '!=':
      return sql`<>`
    case '<':
      return sql`<`
    case '<=':
      return sql`<=`
    case '>':
      return sql`>`
    case '>=':
      return sql`>=`
  }
}

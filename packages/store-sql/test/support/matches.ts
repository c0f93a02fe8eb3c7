// What a filter tree means, said a second time and plainly: the reference that a dialect's SQL is compared with.

import type { ListField, ListFilter, ListOperator, Run } from '@durable-workflow/engine/ports'

export function matches(filter: ListFilter, run: Run): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.every((part) => matches(part, run))
    case 'not':
      return !matches(filter.of, run)
    case 'compare':
      return isTrue(fieldOf(filter.field, run), filter.operator, filter.value)
    case 'in':
      return filter.values.some((value) => isTrue(fieldOf(filter.field, run), '=', value))
    case 'text':
      return run.workflowId.includes(filter.text) || (run.businessKey ?? '').includes(filter.text)
    case 'nothing':
      return false
  }
}

function fieldOf(field: ListField, run: Run): string | number | undefined {
  if (field === 'statusBucket') return bucketOf(run)
  if (field === 'buildId') return undefined
  return run[field]
}

function bucketOf(run: Run): string {
  if (run.status === 'completed') return 'completed'
  return ['failed', 'cancelled', 'terminated'].includes(run.status) ? 'failed' : 'running'
}

function isTrue(left: string | number | undefined, operator: ListOperator, right: string | number): boolean {
  if (left === undefined || typeof left !== typeof right) return false
  const order = compared(left, right)
  switch (operator) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

/** Texts are compared byte by byte in UTF-8, as databases do. */
function compared(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
}

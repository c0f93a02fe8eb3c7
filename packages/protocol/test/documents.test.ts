// What discovery says word for word must agree with what the same documents demand.
import { expect, test } from 'vitest'
import { documents, refusedFields } from '../src/index.ts'
import { validatorsOf } from '../src/validators.ts'

const { start } = documents.request_contract.operations
const body = validatorsOf['1.19'].startWorkflow.body
const takes = (fields: object): boolean => body?.safeParse({ workflow_type: 't', ...fields }).success === true

test('the fields that a start is said to refuse are those that it refuses', () => {
  expect(start.unsupported_fields).toEqual(refusedFields.startWorkflow)
})

test('a start takes every canonical value, and no alias that is said to be rejected', () => {
  const { canonical_values: values, rejected_aliases: aliases } = start.fields.duplicate_policy
  expect(values.map((value) => takes({ duplicate_policy: value }))).toEqual(values.map(() => true))
  expect(Object.keys(aliases).map((alias) => takes({ duplicate_policy: alias }))).toEqual([false])
})

test.each(['execution_timeout_seconds', 'run_timeout_seconds'] as const)(
  '%s begins where it is said to begin',
  (field) => {
    const { minimum } = start.fields[field]
    expect(takes({ [field]: minimum })).toBe(true)
    expect(takes({ [field]: minimum - 1 })).toBe(false)
  },
)

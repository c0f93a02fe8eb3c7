import { expect, test } from 'vitest'
import { errorFields } from '../src/telemetry/request-log.ts'

test('of an error only name, message, code, stack and cause are logged', () => {
  const row = { detail: 'Key (blob)=(secret) already exists', parameters: ['secret'], code: '23505' }
  const fields = errorFields(new Error('outer', { cause: Object.assign(new Error('unique'), row) }))
  expect(fields).toMatchObject({ message: 'outer', cause: { message: 'unique', code: '23505' } })
  expect(JSON.stringify(fields)).not.toContain('secret')
})

import { expect, test } from 'vitest'
import { admitHeader, meets, parseVersion } from '../src/version.ts'

const older = Array.from({ length: 19 }, (_, minor) => `1.${minor}`)

test.each(['1.19', '1.20'])('a server of %s admits every older line of its major, and its own', (advertised) => {
  for (const header of [...older, '1.19'])
    expect(admitHeader(header, advertised)).toEqual({ admitted: true, version: header })
})

test.each([
  ['missing', undefined, 'missing_protocol_version'],
  ['blank', '   ', 'missing_protocol_version'],
  ['malformed', 'x', 'unsupported_protocol_version'],
  ['malformed', '1', 'unsupported_protocol_version'],
  ['malformed', '1.19.0', 'unsupported_protocol_version'],
  ['malformed', '1.-1', 'unsupported_protocol_version'],
  ['malformed', '1.19, 1.20', 'unsupported_protocol_version'],
  ['of another major', '2.0', 'unsupported_protocol_version'],
  ['of another major', '0.9', 'unsupported_protocol_version'],
  ['ahead', '1.20', 'unsupported_protocol_version'],
  ['ahead', '1.100', 'unsupported_protocol_version'],
])('a 1.19 server refuses a header that is %s: %s', (_, header, reason) => {
  const admission = admitHeader(header, '1.19')
  if (admission.admitted) throw new Error('The header was admitted')
  expect(admission.reason).toBe(reason)
  expect(admission.facts.supported_version).toBe('1.19')
  expect(admission.facts.requested_version).toBe(reason === 'missing_protocol_version' ? null : header)
})

test('the refusal of a 1.19 server names the remedy of both published SDKs and of the operator', () => {
  const admission = admitHeader('1.20', '1.19')
  if (admission.admitted) throw new Error('The header was admitted')
  expect(admission.facts.remediation).toContain('DURABLE_WORKFLOW_WORKER_PROTOCOL_VERSION=1.19')
  expect(admission.facts.remediation).toContain('worker_protocol_version(V119)')
  expect(admission.facts.remediation).toContain('DW_WORKER_PROTOCOL_VERSION=1.20')
})

test('a 1.20 server admits 1.20 and refuses 1.21', () => {
  expect(admitHeader('1.20', '1.20')).toEqual({ admitted: true, version: '1.20' })
  expect(admitHeader('1.21', '1.20')).toMatchObject({ admitted: false, reason: 'unsupported_protocol_version' })
})

test.each([
  ['1.19', false],
  ['1.20', true],
  ['1.21', true],
  ['2.0', false],
  ['x', false],
  ['', false],
])('C-02 whether %s meets 1.20: %s', (version, expected) => {
  expect(meets(version, '1.20')).toBe(expected)
})

test('versions compare as numbers, not as text', () => {
  expect(meets('1.9', '1.19')).toBe(false)
  expect(parseVersion('1.019')).toEqual({ major: 1, minor: 19 })
})

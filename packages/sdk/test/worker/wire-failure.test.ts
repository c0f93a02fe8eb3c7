import { expect, it } from 'vitest'
import { activityFailure, taskFailure } from '../../src/worker/wire-failure.ts'

// JSON writes half a surrogate pair as an escape, and nothing else so.
const halfPair = /\\ud[89a-f]/i

it.each([
  ['in its message', new Error('broken: \ud83d')],
  ['where its message is cut', new Error(`${'x'.repeat(14_999)}😀`)],
  ['in its details', Object.assign(new Error('no'), { details: { name: ['\ude00'] } })],
  ['in its cause', new Error('no', { cause: new Error('\ud83d') })],
  ['as a thrown text', '\ud83d'],
])('an error with half a surrogate pair %s is reported as text that UTF-8 can carry', (_where, error) => {
  expect(JSON.stringify(activityFailure(error, 1_000_000))).not.toMatch(halfPair)
  expect(JSON.stringify(taskFailure(error))).not.toMatch(halfPair)
})

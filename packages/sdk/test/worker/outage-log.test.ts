import { expect, test } from 'vitest'
import { createOutageLog } from '../../src/worker/outage-log.ts'
import { silent } from './harness.ts'

test('an outage is said once, again after half a minute, and its end with how long it lasted', () => {
  let now = 0
  const lines: unknown[] = []
  const take = (message: string, facts?: Record<string, unknown>) => void lines.push([message, facts])
  const outage = createOutageLog({ ...silent, warn: take, info: take }, { now: () => now, at: () => () => {} })
  const failed = () => outage.failed({ kind: 'workflow', reason: 'not_sent' })
  outage.answered()
  for (let count = 0; count < 22; count += 1) failed()
  now = 31_000
  failed()
  failed()
  outage.answered()
  outage.answered()
  expect(lines).toEqual([
    [expect.stringContaining('not answered'), { kind: 'workflow', reason: 'not_sent', failures: 1, sinceMs: 0 }],
    [expect.stringContaining('not answered'), { kind: 'workflow', reason: 'not_sent', failures: 23, sinceMs: 31_000 }],
    [expect.stringContaining('answered again'), { failures: 24, lastedMs: 31_000 }],
  ])
})

// What may be repeated, and what never: a table of operations, a table of answers, and the waits between.
import { describe, expect, test } from 'vitest'
import { TransportError } from '../../src/authoring/failure.ts'
import {
  backoffMs,
  clientRetry,
  isRepeatable,
  type RawReply,
  sendRepeatedly,
  verdictOfError,
  verdictOfReply,
} from '../../src/transport/retry.ts'
import { createManualClock } from './manual-clock.ts'

const reply = (status: number, body: unknown = {}, headers: Record<string, string> = {}): RawReply => ({
  status,
  body,
  headers,
})
const lost = (reason: string) => new TransportError('no answer', { reason })

test.each([
  ['describeWorkflow', {}, true],
  ['getRunHistory', {}, true],
  ['pollWorkflowTask', {}, true],
  ['heartbeatActivityTask', {}, true],
  ['completeWorkflowTask', {}, true],
  ['failActivityTask', {}, true],
  ['queryWorkflow', {}, true],
  ['startWorkflow', { workflow_id: 'a' }, false],
  ['startWorkflow', { workflow_id: 'a', start_id: 's' }, true],
  ['signalWorkflow', { request_id: 'r' }, false],
  ['cancelWorkflow', {}, false],
  ['terminateRun', {}, false],
  ['createNamespace', {}, false],
  ['deregisterWorker', {}, false],
] as const)('%s with %j may be repeated: %s', (operation, body, expected) => {
  expect(isRepeatable(operation, body)).toBe(expected)
})

describe('an answer is repeated', () => {
  test.each([
    [reply(500), true, true],
    [reply(500), false, false],
    [reply(503), true, true],
    [reply(503), false, false],
    [reply(503, { recorded: false }), false, true],
    [reply(503, { request_admitted: false }), false, true],
    [reply(429), false, true],
    [reply(501), true, false],
    [reply(504), true, false],
    [reply(409), true, false],
    [reply(200), true, false],
  ])('%j of a request that is safe (%s): %s', (answer, isSafe, expected) => {
    expect(verdictOfReply(answer, isSafe) !== undefined).toBe(expected)
  })

  test.each([
    ['not_sent', false, true],
    ['answer_lost', true, true],
    ['answer_lost', false, false],
  ])('%s of a request that is safe (%s): %s', (reason, isSafe, expected) => {
    expect(verdictOfError(lost(reason), isSafe) !== undefined).toBe(expected)
  })
})

test('Retry-After is honoured, from the header and from the body', () => {
  expect(verdictOfReply(reply(503, {}, { 'retry-after': '7' }), true)).toEqual({ retryAfterMs: 7_000 })
  expect(verdictOfReply(reply(429, { retry_after_seconds: 2 }), true)).toEqual({ retryAfterMs: 2_000 })
  expect(backoffMs(clientRetry, 1, { retryAfterMs: 7_000 })).toBe(7_000)
})

test('waits double, are bounded and spread by a quarter', () => {
  const none = { retryAfterMs: undefined }
  const policy = { attemptsMax: 9, firstMs: 100, longestMs: 1_000 }
  for (const [attempt, plain] of [
    [1, 100],
    [2, 200],
    [4, 800],
    [8, 1_000],
  ] as const) {
    for (let round = 0; round < 50; round += 1) {
      const waited = backoffMs(policy, attempt, none)
      expect(waited).toBeGreaterThanOrEqual(plain * 0.75)
      expect(waited).toBeLessThanOrEqual(plain * 1.25)
    }
  }
})

describe('sendRepeatedly', () => {
  const policy = { attemptsMax: 3, firstMs: 100, longestMs: 1_000 }

  test('ends with the first answer that needs no repeat', async () => {
    const clock = createManualClock()
    const answers = [reply(500), reply(200, { ok: true })]
    let sent = 0
    const result = sendRepeatedly(async () => answers[sent++] ?? reply(500), { isSafe: true, policy, clock })
    await clock.next()
    expect((await result).body).toEqual({ ok: true })
    expect(sent).toBe(2)
  })

  test('hands out the last answer when the attempts are used up', async () => {
    const clock = createManualClock()
    let sent = 0
    const result = sendRepeatedly(async () => reply(500, { attempt: ++sent }), { isSafe: true, policy, clock })
    await clock.next()
    await clock.next()
    expect((await result).body).toEqual({ attempt: 3 })
    expect(sent).toBe(3)
  })

  test('never repeats what may have been carried out', async () => {
    let sent = 0
    const send = async () => {
      sent += 1
      throw lost('answer_lost')
    }
    await expect(sendRepeatedly(send, { isSafe: false, policy, clock: createManualClock() })).rejects.toMatchObject({
      reason: 'answer_lost',
    })
    expect(sent).toBe(1)
  })

  test('an aborted signal ends the waiting with its reason', async () => {
    const controller = new AbortController()
    const clock = createManualClock()
    const result = sendRepeatedly(async () => reply(500), { isSafe: true, policy, clock, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
  })
})

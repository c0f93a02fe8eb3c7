import { describe, expect, it } from 'vitest'
import { failureFromWire, failureToWire } from '../../src/authoring/failure-wire.ts'
import {
  ActivityFailure,
  CancellationFailure,
  ContractError,
  DurableWorkflowError,
  GuardError,
  NonDeterminismError,
  RefusedError,
  TimeoutFailure,
  WorkflowFailure,
} from '../../src/index.ts'

describe('errors', () => {
  it('X.is tells classes apart, knows derived ones, and survives a second copy of the package', () => {
    class Declined extends WorkflowFailure {}
    const error = new Declined('no')
    expect([WorkflowFailure.is(error), DurableWorkflowError.is(error), ActivityFailure.is(error)]).toEqual([
      true,
      true,
      false,
    ])
    expect([
      DurableWorkflowError.is(new Error('x')),
      DurableWorkflowError.is('x'),
      WorkflowFailure.is(undefined),
    ]).toEqual([false, false, false])
    const foreign = Object.assign(new Error('copy'), {
      [Symbol.for('durable-workflow.error')]: ['DurableWorkflowError', 'RefusedError'],
    })
    expect([RefusedError.is(foreign), GuardError.is(foreign)]).toEqual([true, false])
  })

  it('carry reason, facts, remedy and cause, and their class as name', () => {
    const cause = new Error('root')
    const error = new NonDeterminismError('differs', {
      reason: 'recorded_command_mismatch',
      facts: { sequence: 1 },
      remedy: 'deploy',
      cause,
    })
    expect(error).toMatchObject({
      name: 'NonDeterminismError',
      reason: 'recorded_command_mismatch',
      facts: { sequence: 1 },
      remedy: 'deploy',
      cause,
    })
    expect(new RefusedError('no', { reason: 'x' }).recorded).toBe(false)
  })
})

describe('failures on the wire', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    [
      'a class of authored code',
      new (class CardDeclined extends Error {})('no'),
      { message: 'no', type: 'CardDeclined' },
    ],
    ['an error with a name of its own', Object.assign(new Error('no'), { name: 'Custom' }), { type: 'Custom' }],
    ['nonRetryable on any error', Object.assign(new Error('no'), { nonRetryable: true }), { non_retryable: true }],
    ['details', new WorkflowFailure('no', { type: 'T', details: { a: 1 } }), { type: 'T', details: { a: 1 } }],
    ['a timeout', new TimeoutFailure('slow', { kind: 'heartbeat' }), { category: 'timeout' }],
    ['what is no error', 'text', { message: 'text', type: 'Error' }],
    ['a failure without data', undefined, { message: 'undefined', type: 'Error' }],
  ])('%s', (_name, error, expected) => {
    expect(failureToWire(error)).toMatchObject(expected)
  })

  it('keep causes down to the root, and end where causes go in a circle', () => {
    const root = new RangeError('root')
    expect(failureToWire(new Error('top', { cause: new Error('middle', { cause: root }) }))).toMatchObject({
      cause: { message: 'middle', cause: { message: 'root', type: 'RangeError' } },
    })
    const circle: Error & { cause?: unknown } = new Error('circle')
    circle.cause = circle
    expect(JSON.stringify(failureToWire(circle)).match(/"circle"/g)).toHaveLength(11)
  })

  it('become exceptions again, foreign type and unknown facts kept', () => {
    const failure = failureFromWire({
      message: 'no',
      type: 'CardDeclined',
      non_retryable: true,
      details: 7,
      code: 'E1',
      cause: { message: 'root', type: 'KeyError' },
    })
    expect(failure).toMatchObject({
      name: 'WorkflowFailure',
      message: 'no',
      type: 'CardDeclined',
      nonRetryable: true,
      details: 7,
      facts: { code: 'E1' },
      cause: { message: 'root', type: 'KeyError' },
    })
    expect(failureFromWire({ message: 'slow', category: 'timeout', timeout_kind: 'run_timeout' })).toMatchObject({
      name: 'TimeoutFailure',
      kind: 'run_timeout',
    })
    expect(CancellationFailure.is(failureFromWire({ message: 'x', failure_category: 'terminated' }))).toBe(true)
    expect(failureFromWire(null).message).toBe('failed without a message')
    expect(ContractError.is(failureFromWire({}))).toBe(false)
  })
})

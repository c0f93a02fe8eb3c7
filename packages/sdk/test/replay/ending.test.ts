// How a run ends: output, failure, and what stands in front of them.
import { decodeEnvelope, encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { failureFromWire } from '../../src/authoring/failure-wire.ts'
import { type, WorkflowFailure, workflow } from '../../src/index.ts'
import { cold, event, history, openReplay } from './history.ts'
import { email, resultOf } from './shop.ts'

describe('end of a run', () => {
  it('completes with the validated output; commands of the same turn stay in front', async () => {
    const leaving = workflow('leaving', { output: z.string().transform((text) => text.length) }, async (ctx) => {
      void ctx.run(email, 'bye')
      return 'four'
    })
    const { replay, lines } = openReplay(leaving)
    const step = await replay.step(history(), {})
    expect(step.commands.map((command) => command.type)).toEqual(['schedule_activity', 'complete_workflow'])
    expect(step.steps).toEqual([1, undefined])
    expect(resultOf(step.commands[1])).toBe(4)
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: expect.stringMatching(/ctx\.run\(email\) at .*ending\.test\.ts:\d+:\d+ was never awaited/),
      }),
    ])
  })

  it('sends its terminal command once, and none where history has it already', async () => {
    const quick = workflow('quick', { output: type<string>() }, async () => 'done')
    const { replay } = openReplay(quick)
    expect((await replay.step(history(), {})).commands).toHaveLength(1)
    expect((await replay.step([], {})).commands).toEqual([])
    const closed = await cold(quick, history(event('WorkflowCompleted', { output: encodeEnvelope('done') })))
    expect(closed).toMatchObject({ commands: [], outcome: { kind: 'completed' } })
  })

  it.each([
    ['a class of its own', class CardDeclined extends Error {}, 'CardDeclined'],
    ['a built-in class', TypeError, 'TypeError'],
    ['Error', Error, 'Error'],
  ])('fails with the class name as type: %s', async (_name, Thrown, expected) => {
    const throwing = workflow('throwing', {}, async () => {
      throw new Thrown('no')
    })
    const step = await cold(throwing, history())
    expect(step.commands).toMatchObject([
      { type: 'fail_workflow', message: 'no', exception_type: expected, exception_class: expected },
    ])
  })

  it('fails with the type, details and causes of a WorkflowFailure', async () => {
    const throwing = workflow('throwing', {}, async () => {
      throw new WorkflowFailure('nobody approved', {
        type: 'ApprovalTimeout',
        details: { waited: 2 },
        nonRetryable: true,
        cause: new RangeError('root'),
      })
    })
    const [command] = (await cold(throwing, history())).commands
    expect(command).toMatchObject({
      exception_type: 'ApprovalTimeout',
      exception_class: 'WorkflowFailure',
      non_retryable: true,
      exception: {
        type: 'ApprovalTimeout',
        details_payload_codec: 'avro',
        cause: { type: 'RangeError', message: 'root' },
      },
    })
    expect(command?.type === 'fail_workflow' && decodeEnvelope(command.exception?.details)).toEqual({ waited: 2 })
    expect(JSON.stringify(command)).not.toContain('replay.test.ts')
  })

  it('fails also with details that are not data, here and in a cause: the reason stands in their place', async () => {
    const throwing = workflow('throwing', {}, async () => {
      const cause = new WorkflowFailure('inner', { details: { big: 2n ** 60n } })
      throw new WorkflowFailure('outer', { details: () => 1, cause })
    })
    const [command] = (await cold(throwing, history())).commands
    const wire = command?.type === 'fail_workflow' ? command.exception : undefined
    expect(decodeEnvelope(wire?.details)).toBe(
      'details: a function is not data; pass data, or the name of what to call',
    )
    expect(failureFromWire(JSON.parse(JSON.stringify(wire)))).toMatchObject({
      message: 'outer',
      cause: { message: 'inner', details: { big: 2n ** 60n } },
    })
  })

  it('fails the run for input or output that does not fit, and for output that is not data', async () => {
    const strict = workflow('strict', { input: z.int(), output: z.string() }, async (_ctx, count) => String(count))
    expect((await cold(strict, history(), { input: ['x'] })).commands).toMatchObject([
      { type: 'fail_workflow', exception_type: 'ContractError' },
    ])
    const loose = workflow('loose', { output: type<unknown>() }, async () => () => 1)
    expect((await cold(loose, history())).commands).toMatchObject([
      { type: 'fail_workflow', exception_type: 'CodecError' },
    ])
  })
})

// The two commands that end a run.

import { limits } from '@durable-workflow/protocol'
import { describe } from 'vitest'
import { at, check, type Part } from '../../../test/support/check.ts'
import { envelope, leasedTask, runId } from '../../../test/support/make.ts'
import { complete, completeCommand, failCommand } from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask(), run: { cachedBy: 'worker-1' } })
const completed = (run: Part = {}) => ({
  runs: [
    { status: 'completed', closedReason: 'completed', closedAt: at, progress: undefined, cachedBy: undefined, ...run },
  ],
  workflowTasks: [{ status: 'completed' }],
})
const failed = (failure: Part) => ({
  runs: [
    {
      status: 'failed',
      closedReason: 'failed',
      failure: {
        failureId: `${runId}f101`,
        category: 'application',
        message: 'broken',
        exceptionType: undefined,
        exceptionClass: undefined,
        nonRetryable: false,
        exception: undefined,
        ...failure,
      },
    },
  ],
  workflowTasks: [{}],
})

describe('complete_workflow', () => {
  check([
    {
      name: 'with a result',
      given: leased,
      operation: complete([completeCommand()]),
      events: [['WorkflowCompleted', { output: { codec: 'avro', blob: 'AA==' }, payload_codec: 'avro' }]],
      rows: completed({ output: envelope }),
    },
    {
      name: 'without one: output and codec are absent',
      given: leased,
      operation: complete([completeCommand({ result: null })]),
      events: ['WorkflowCompleted'],
      rows: completed({ output: undefined }),
    },
    {
      name: 'a bare blob',
      given: leased,
      operation: complete([completeCommand({ result: 'AAA=', payload_codec: 'avro' })]),
      events: ['WorkflowCompleted'],
      rows: completed({ output: { codec: 'avro', blob: 'AAA=' } }),
    },
    {
      name: 'another codec is refused',
      given: leased,
      operation: complete([completeCommand({ payload_codec: 'json' })]),
      refused: 'validation_failed',
      facts: { commandType: 'complete_workflow', problem: "unsupported payload codec 'json'; send 'avro'" },
    },
    {
      name: 'a result of exactly the limit',
      given: leased,
      operation: complete([completeCommand({ result: blobOf(limits.payloadBytesMax) })]),
      events: ['WorkflowCompleted'],
      rows: completed(),
    },
    {
      name: 'a result of one byte more is refused',
      given: leased,
      operation: complete([completeCommand({ result: blobOf(limits.payloadBytesMax + 1) })]),
      refused: 'structural_limit_exceeded',
      facts: { limitKind: 'payload_size', currentValue: limits.payloadBytesMax + 1 },
    },
    {
      name: 'a result above the limit is refused',
      given: leased,
      operation: complete([completeCommand({ result: 'A'.repeat(Math.ceil(limits.payloadBytesMax / 3) * 4 + 4) })]),
      refused: 'structural_limit_exceeded',
      facts: { limitKind: 'payload_size' },
    },
  ])
})

describe('fail_workflow', () => {
  check([
    {
      name: 'a message alone',
      given: leased,
      operation: complete([failCommand()]),
      events: [
        [
          'WorkflowFailed',
          { message: 'broken', failure_category: 'application', non_retryable: false, failure_id: `${runId}f101` },
        ],
      ],
      rows: failed({}),
    },
    {
      name: 'the structured exception fills blanks and is kept whole',
      given: leased,
      operation: complete([
        failCommand({
          exception: { type: 'OrderFailed', class: 'shop.OrderFailed', code: 7, more: { a: [1] } },
          failed_step_sequence: 3,
          failed_activity_execution_id: 'x',
        }),
      ]),
      events: [
        [
          'WorkflowFailed',
          {
            exception_type: 'OrderFailed',
            exception_class: 'shop.OrderFailed',
            exception: { code: 7, more: { a: [1] } },
            failed_step_sequence: 3,
            failed_activity_execution_id: 'x',
          },
        ],
      ],
      rows: failed({
        exceptionType: 'OrderFailed',
        exceptionClass: 'shop.OrderFailed',
        exception: { type: 'OrderFailed', class: 'shop.OrderFailed', code: 7, more: { a: [1] } },
      }),
    },
    {
      name: 'what is named wins over the exception',
      given: leased,
      operation: complete([failCommand({ exception_type: 'A', exception: { type: 'B' } })]),
      events: ['WorkflowFailed'],
      rows: failed({ exceptionType: 'A', exception: { type: 'B' } }),
    },
    ...(['ActivityFailed', 'ActivityFailure', 'ActivityCancelled'] as const).map((type) => ({
      name: `an escaped ${type} is of category activity`,
      given: leased,
      operation: complete([failCommand({ exception_type: type })]),
      events: ['WorkflowFailed'],
      rows: failed({ category: 'activity', exceptionType: type }),
    })),
    ...(['ActivityTimedOut', 'TimeoutFailure'] as const).map((type) => ({
      name: `an escaped ${type} is of category timeout`,
      given: leased,
      operation: complete([failCommand({ exception_type: type })]),
      events: ['WorkflowFailed'],
      rows: failed({ category: 'timeout', exceptionType: type }),
    })),
  ])
})

/** A blob whose text has this many bytes: the text is what is stored and counted. */
function blobOf(bytes: number): string {
  return 'A'.repeat(bytes)
}

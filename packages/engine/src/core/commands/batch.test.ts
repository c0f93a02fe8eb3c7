// The commands of a completion as a whole: applied whole or refused whole, the claim kept.

import { limits } from '@durable-workflow/protocol'
import { describe, expect, test } from 'vitest'
import { at, check } from '../../../test/support/check.ts'
import { conditionWait, leasedTask } from '../../../test/support/make.ts'
import {
  activityCommand,
  complete,
  completeCommand,
  failCommand,
  timerCommand,
} from '../../../test/support/operations.ts'
import { decide, given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask() })

describe('batch', () => {
  check([
    {
      name: 'no command at all',
      given: leased,
      operation: complete([]),
      refused: 'validation_failed',
      facts: { commandIndex: 0, commandType: 'none' },
    },
    {
      name: 'an unknown command refuses the whole completion',
      given: leased,
      operation: complete([timerCommand(), { type: 'launch_rocket' }]),
      refused: 'validation_failed',
      facts: { commandIndex: 1, commandType: 'launch_rocket' },
    },
    {
      name: 'a name of Object.prototype is no command',
      given: leased,
      operation: complete([{ type: 'toString' }]),
      refused: 'validation_failed',
      facts: { commandType: 'toString' },
    },
    {
      name: 'a planned command is refused by name',
      given: leased,
      operation: complete([{ type: 'continue_as_new' }]),
      refused: 'validation_failed',
      facts: {
        commandType: 'continue_as_new',
        problem: "command 'continue_as_new' is not supported by this server yet",
      },
    },
    {
      name: 'a field that is not built is refused by name',
      given: leased,
      operation: complete([activityCommand({ worker_session: { session_id: 's1' } })]),
      refused: 'validation_failed',
      facts: { problem: "field 'worker_session' is not supported by this server yet" },
    },
    ...(
      [
        [timerCommand({ retry_policy: { max_attempts: 3 } }), 'retry_policy'],
        [timerCommand({ start_to_close_timeout: 5 }), 'start_to_close_timeout'],
        [activityCommand({ delay_seconds: 5 }), 'delay_seconds'],
        [activityCommand({ timeout_seconds: 5 }), 'timeout_seconds'],
        [completeCommand({ non_retryable: true }), 'non_retryable'],
        [completeCommand({ parent_close_policy: 'abandon' }), 'parent_close_policy'],
        [failCommand({ payload_codec: 'avro' }), 'payload_codec'],
      ] as const
    ).map(([command, field]) => ({
      name: `a guarded field of another command: ${field} of ${command.type}`,
      given: leased,
      operation: complete([command]),
      refused: 'validation_failed',
      facts: { commandType: command.type, problem: `field '${field}' is not allowed on this command` },
    })),
    {
      name: 'null in a guarded field is no value',
      given: leased,
      operation: complete([timerCommand({ retry_policy: null, queue: null })]),
      accepted: { runStatus: 'waiting' },
      events: ['TimerScheduled'],
      rows: { runs: [{}], timers: [{}], workflowTasks: [{}] },
    },
    {
      name: 'a second terminal command',
      given: leased,
      operation: complete([completeCommand(), failCommand()]),
      refused: 'validation_failed',
      facts: { commandIndex: 1, commandType: 'fail_workflow' },
    },
    {
      name: '1,001 commands exceed the batch, the claim is kept',
      given: leased,
      operation: complete(Array.from({ length: 1001 }, () => timerCommand())),
      refused: 'structural_limit_exceeded',
      facts: { limitKind: 'command_batch_size', currentValue: 1001, configuredLimit: 1000 },
    },
    {
      name: 'a refused command in the middle leaves nothing of the commands before it',
      given: leased,
      operation: complete([timerCommand(), activityCommand({ payload_codec: 'json' })]),
      refused: 'validation_failed',
      facts: { commandIndex: 1, commandType: 'schedule_activity' },
    },
  ])
})

// 1,000 commands and the ends of the waits that they move past.
describe('events of one completion', () => {
  const commands = Array.from({ length: 1_000 }, () => timerCommand())
  const movedPast = (count: number) =>
    decide(
      given({
        task: leasedTask(),
        run: { openConditionWaits: count },
        waits: Array.from({ length: count }, (_, n) => conditionWait({}, n + 1)),
      }),
      complete(commands),
      at,
    )

  test('as many as the limit are recorded', () => {
    const { outcome, changes } = movedPast(limits.historyTransactionEventsMax - 1_000)
    expect(outcome.kind).toBe('accepted')
    expect(changes.events).toHaveLength(limits.historyTransactionEventsMax)
  })

  test('one more refuses the completion, the claim is kept', () => {
    const { outcome, changes } = movedPast(limits.historyTransactionEventsMax - 999)
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: 'structural_limit_exceeded',
      facts: { limitKind: 'history_transaction_size', currentValue: 5_001, configuredLimit: 5_000 },
    })
    expect(changes.events).toEqual([])
  })
})

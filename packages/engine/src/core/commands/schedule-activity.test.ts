import { limits } from '@durable-workflow/protocol'
import { describe, expect } from 'vitest'
import { at, check, type Part } from '../../../test/support/check.ts'
import { activityId, leasedTask, runId } from '../../../test/support/make.ts'
import { activityCommand, complete } from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask() })
const id = activityId(101)
const one = (activity: Part) => ({
  events: ['ActivityScheduled'],
  rows: { runs: [{ openActivities: 1 }], workflowTasks: [{}], activities: [activity] },
})
const noTimeouts = {
  scheduleToStartMs: undefined,
  startToCloseMs: undefined,
  scheduleToCloseMs: undefined,
  heartbeatMs: undefined,
}

describe('scheduled', () => {
  check([
    {
      name: 'a row that is at the same time its task, ready at once',
      given: leased,
      operation: complete([activityCommand()]),
      accepted: { createdTaskIds: [id] },
      events: [
        [
          'ActivityScheduled',
          {
            sequence: 1,
            activity_execution_id: id,
            activity_type: 'charge',
            activity: { id, queue: 'orders', arguments: { codec: 'avro', blob: 'AA==' } },
          },
        ],
      ],
      rows: {
        runs: [{ openActivities: 1, lastStep: 1, progress: 'activity' }],
        workflowTasks: [{ status: 'completed' }],
        activities: [
          {
            activityId: id,
            step: 1,
            status: 'pending',
            availableAt: at,
            attempt: 0,
            timeouts: noTimeouts,
            retry: { maxAttempts: 1, backoffMs: [], nonRetryableErrorTypes: [] },
            retryPolicyText: undefined,
            dueAt: undefined,
          },
        ],
      },
    },
    {
      name: 'on another queue',
      given: leased,
      operation: complete([activityCommand({ queue: 'payments' })]),
      ...one({ taskQueue: 'payments' }),
    },
    {
      name: 'a bare blob is of the one codec',
      given: leased,
      operation: complete([activityCommand({ arguments: 'AAA=' })]),
      ...one({ arguments: { codec: 'avro', blob: 'AAA=' } }),
    },
    {
      name: 'no arguments become the encoded empty list',
      given: leased,
      operation: complete([activityCommand({ arguments: null })]),
      ...one({ arguments: expect.objectContaining({ codec: 'avro' }) }),
    },
    {
      name: 'whole seconds, and the exact form where it came',
      given: leased,
      operation: complete([
        activityCommand({
          start_to_close_timeout: 10,
          schedule_to_close_timeout: 60,
          schedule_to_start_timeout: 5,
          heartbeat_timeout: 2,
          heartbeat_timeout_ms: 1500,
        }),
      ]),
      ...one({
        timeouts: { scheduleToStartMs: 5_000, startToCloseMs: 10_000, scheduleToCloseMs: 60_000, heartbeatMs: 1_500 },
        scheduleDeadlineAt: at + 5_000,
        scheduleToCloseDeadlineAt: at + 60_000,
        closeDeadlineAt: undefined,
        heartbeatDeadlineAt: undefined,
        dueAt: at + 5_000,
      }),
    },
    {
      name: 'a retry policy, kept as it came',
      given: leased,
      operation: complete([
        activityCommand({
          retry_policy: { max_attempts: 4, backoff_seconds: [1, 5], non_retryable_error_types: ['Fatal'] },
        }),
      ]),
      ...one({
        retry: { maxAttempts: 4, backoffMs: [1_000, 5_000], nonRetryableErrorTypes: ['Fatal'] },
        retryPolicyText: '{"max_attempts":4,"backoff_seconds":[1,5],"non_retryable_error_types":["Fatal"]}',
      }),
    },
    {
      name: 'a policy without max_attempts means one',
      given: leased,
      operation: complete([activityCommand({ retry_policy: { backoff_seconds: [1] } })]),
      ...one({ retry: { maxAttempts: 1, backoffMs: [1_000], nonRetryableErrorTypes: [] } }),
    },
    {
      name: 'equal timeouts are legal',
      given: leased,
      operation: complete([
        activityCommand({
          heartbeat_timeout: 5,
          start_to_close_timeout: 5,
          schedule_to_start_timeout: 5,
          schedule_to_close_timeout: 5,
        }),
      ]),
      ...one({ dueAt: at + 5_000 }),
    },
  ])
})

describe('refused, the claim is kept', () => {
  const refuses = (name: string, command: object, facts: Part) => ({
    name,
    given: leased,
    operation: complete([activityCommand(command)]),
    refused: 'validation_failed',
    facts: { commandIndex: 0, commandType: 'schedule_activity', ...facts },
  })
  check([
    refuses(
      'heartbeat above start-to-close',
      { heartbeat_timeout: 6, start_to_close_timeout: 5 },
      { problem: 'heartbeat_timeout is above start_to_close_timeout' },
    ),
    refuses(
      'start-to-close above schedule-to-close',
      { start_to_close_timeout: 6, schedule_to_close_timeout: 5 },
      { problem: 'start_to_close_timeout is above schedule_to_close_timeout' },
    ),
    refuses(
      'schedule-to-start above schedule-to-close',
      { schedule_to_start_timeout: 6, schedule_to_close_timeout: 5 },
      { problem: 'schedule_to_start_timeout is above schedule_to_close_timeout' },
    ),
    refuses('another codec', { payload_codec: 'json' }, { problem: "unsupported payload codec 'json'; send 'avro'" }),
    refuses(
      'an envelope of another codec',
      { arguments: { codec: 'json', blob: 'AA==' } },
      { problem: "unsupported payload codec 'json'; send 'avro'" },
    ),
    refuses(
      'a planned field',
      { worker_session: { id: 's' } },
      { problem: "field 'worker_session' is not supported by this server yet" },
    ),
    {
      name: 'arguments above the payload limit',
      given: leased,
      operation: complete([activityCommand({ arguments: 'A'.repeat(Math.ceil(limits.payloadBytesMax / 3) * 4 + 4) })]),
      refused: 'structural_limit_exceeded',
      facts: { limitKind: 'payload_size', configuredLimit: limits.payloadBytesMax },
    },
    {
      name: 'one more than 2,000 pending ones, counted within the batch',
      given: given({ task: leasedTask(), run: { openActivities: limits.pendingActivitiesMax - 1 } }),
      operation: complete([activityCommand(), activityCommand()]),
      refused: 'structural_limit_exceeded',
      facts: { runId, limitKind: 'pending_activity_count', currentValue: 2000, configuredLimit: 2000 },
    },
  ])
})

import { limits } from '@durable-workflow/protocol'
import { check } from '../../../test/support/check.ts'
import { envelope, leasedTask } from '../../../test/support/make.ts'
import { activityCommand, complete, sideEffectCommand } from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask() })
const tooLarge = 'A'.repeat(Math.ceil((limits.payloadBytesMax * 4) / 3) + 8)

check([
  {
    name: 'an envelope takes a step of its own and makes nothing to wait for',
    given: leased,
    operation: complete([sideEffectCommand(), activityCommand()]),
    events: [
      ['SideEffectRecorded', { sequence: 1, result: envelope, payload_codec: 'avro' }],
      ['ActivityScheduled', { sequence: 2 }],
    ],
    rows: { runs: [{ lastStep: 2, openActivities: 1 }], workflowTasks: [{}], activities: [{ step: 2 }] },
  },
  {
    name: 'the bare blob of the Python SDK is recorded as an envelope',
    given: leased,
    operation: complete([sideEffectCommand({ result: envelope.blob })]),
    events: [['SideEffectRecorded', { result: envelope, payload_codec: 'avro' }]],
    rows: { runs: [{ lastStep: 1, progress: 'message' }], workflowTasks: [{ status: 'completed' }] },
  },
  ...[
    ['an empty blob', { result: '' }, 'result is empty'],
    ['an envelope of nothing', { result: { codec: 'avro', blob: '' } }, 'result is empty'],
    ['no result', { result: null }, 'result is empty'],
    ['another codec', { result: { codec: 'json', blob: 'AA==' } }, "unsupported payload codec 'json'; send 'avro'"],
    [
      'a declared codec that is another',
      { result: 'AA==', payload_codec: 'json' },
      "unsupported payload codec 'json'; send 'avro'",
    ],
    [
      'a stream append',
      { workflow_stream: { operation: 'append' } },
      "field 'workflow_stream' is not supported by this server yet",
    ],
  ].map(([name, fields, problem]) => ({
    name: `refused whole, the claim kept: ${String(name)}`,
    given: leased,
    operation: complete([activityCommand(), sideEffectCommand(Object(fields))]),
    refused: 'validation_failed',
    facts: { commandIndex: 1, commandType: 'record_side_effect', problem },
  })),
  {
    name: 'a stream append on another command is refused too',
    given: leased,
    operation: complete([activityCommand({ workflow_stream: { operation: 'append' } })]),
    refused: 'validation_failed',
    facts: { commandType: 'schedule_activity', problem: "field 'workflow_stream' is not allowed on this command" },
  },
  {
    name: 'a value above the payload limit',
    given: leased,
    operation: complete([sideEffectCommand({ result: tooLarge })]),
    refused: 'structural_limit_exceeded',
    facts: { limitKind: 'payload_size', configuredLimit: limits.payloadBytesMax },
  },
])

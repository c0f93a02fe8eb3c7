// The commands of a completion as a whole: applied whole or refused whole, the claim kept.

import { describe } from 'vitest'
import { check } from '../../../test/support/check.ts'
import { leasedTask } from '../../../test/support/make.ts'
import {
  activityCommand,
  complete,
  completeCommand,
  failCommand,
  timerCommand,
} from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'

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
      operation: complete([timerCommand({ parallel_group_id: 'g1' })]),
      refused: 'validation_failed',
      facts: { problem: "field 'parallel_group_id' is not supported by this server yet" },
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

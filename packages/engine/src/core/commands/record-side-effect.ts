import type { Commands } from '@durable-workflow/protocol'
import { append } from '../history/append.ts'
import { nextStep } from '../history/step.ts'
import { payloadCodec } from '../state/payload.ts'
import { type CommandContext, type CommandRefusal, refuseCommand } from './command.ts'
import { envelopeOf, payloadRefusal } from './payload.ts'

/** Records a value that the code computed once, so that every replay gets the same. It makes nothing to wait for. */
export function recordSideEffect(
  context: CommandContext,
  command: Commands['record_side_effect'],
): CommandRefusal | undefined {
  const result = envelopeOf(command.result)
  if (result === undefined || result.blob === '') return refuseCommand(context, command.type, 'result is empty')
  const refused = payloadRefusal(context, command.type, command.result, command.payload_codec)
  if (refused !== undefined) return refused
  const { draft, runId, task, now } = context
  append(
    draft,
    runId,
    {
      type: 'SideEffectRecorded',
      payload: { sequence: nextStep(draft, runId), result, payload_codec: payloadCodec },
      workflowTaskId: task.taskId,
    },
    now,
  )
  return undefined
}

import type { Commands } from '@durable-workflow/protocol'
import { append } from '../history/append.ts'
import { closeRun, endOpenWork } from '../rules/close-run.ts'
import { payloadCodec } from '../state/payload.ts'
import type { CommandContext, CommandRefusal } from './command.ts'
import { envelopeOf, payloadRefusal } from './payload.ts'

/** Ends the run with a result. */
export function completeWorkflow(
  context: CommandContext,
  command: Commands['complete_workflow'],
): CommandRefusal | undefined {
  const refused = payloadRefusal(context, command.type, command.result, command.payload_codec)
  if (refused !== undefined) return refused
  const output = envelopeOf(command.result)
  const { draft, runId, task, now } = context
  endOpenWork(draft, runId, undefined, now)
  append(
    draft,
    runId,
    {
      type: 'WorkflowCompleted',
      payload: output === undefined ? {} : { output, payload_codec: payloadCodec },
      workflowTaskId: task.taskId,
    },
    now,
  )
  closeRun(draft, runId, { status: 'completed', closedReason: 'completed', output }, now)
  return undefined
}

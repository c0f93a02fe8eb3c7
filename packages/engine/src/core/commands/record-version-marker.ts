import type { Commands } from '@durable-workflow/protocol'
import { append } from '../history/append.ts'
import { nextStep } from '../history/step.ts'
import { type CommandContext, type CommandRefusal, refuseCommand } from './command.ts'

/** Pins the run to one version of a change of its code. It makes nothing to wait for. */
export function recordVersionMarker(
  context: CommandContext,
  command: Commands['record_version_marker'],
): CommandRefusal | undefined {
  const { change_id, version, min_supported, max_supported } = command
  if (version < min_supported || version > max_supported) {
    return refuseCommand(
      context,
      command.type,
      `version ${version} of change '${change_id}' is outside of min_supported ${min_supported} to max_supported ${max_supported}`,
    )
  }
  const { draft, runId, task, now } = context
  append(
    draft,
    runId,
    {
      type: 'VersionMarkerRecorded',
      payload: { sequence: nextStep(draft, runId), change_id, version, min_supported, max_supported },
      workflowTaskId: task.taskId,
    },
    now,
  )
  return undefined
}

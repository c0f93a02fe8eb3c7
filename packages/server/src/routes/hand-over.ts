// The hand-over of a report (ours, capability `task_hand_over`): free slots that came with it, tasks that go back with its
// answer. Each task is what a poll with the same id would have got.
import type { HandedOver, HandOverOffer } from '@durable-workflow/engine'
import type { BuiltOperationId } from '@durable-workflow/protocol'
import { listText, objectText } from '../json-text.ts'
import type { Call } from '../route.ts'
import type { Additions } from '../settings.ts'
import { activityTaskDocument } from './activity-task-document.ts'
import { workflowTaskText } from './workflow-task-document.ts'

interface OfferingBody {
  readonly lease_owner: string
  readonly hand_over?: {
    readonly poll_request_id: string
    readonly workflow_tasks?: number | null
    readonly activity_tasks?: number | null
  } | null
}

/** The slots that a report offers; undefined where it offers none or the addition is off. */
export function offerOf(
  { namespace, version, server }: Pick<Call<BuiltOperationId>, 'namespace' | 'version' | 'server'>,
  body: OfferingBody,
): HandOverOffer | undefined {
  const offered = body.hand_over
  if (offered == null || !server.settings.additions.taskHandOver) return undefined
  return {
    namespace,
    workerId: body.lease_owner,
    pollRequestId: offered.poll_request_id,
    protocolVersion: version,
    workflowTasks: offered.workflow_tasks ?? 0,
    activityTasks: offered.activity_tasks ?? 0,
  }
}

/** The member `handed_over` of an answer, as text; none when nothing was handed over. */
export function handedOverTexts(handedOver: HandedOver | undefined, additions: Additions): Record<string, string> {
  if (handedOver === undefined) return {}
  const [workflowTask] = handedOver.workflowTasks
  const texts: Record<string, string> = {}
  if (workflowTask !== undefined) texts.workflow_task = workflowTaskText(workflowTask, additions)
  if (handedOver.activityTasks.length > 0) {
    const tasks = handedOver.activityTasks.map((claim) => objectText(activityTaskDocument(claim, additions)))
    texts.activity_tasks = listText(tasks)
  }
  return Object.keys(texts).length === 0 ? {} : { handed_over: objectText({}, texts) }
}

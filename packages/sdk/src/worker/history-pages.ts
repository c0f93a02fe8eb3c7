import type { HistoryEvent, WorkflowTask } from '@durable-workflow/protocol'
import { TransportError } from '../authoring/failure.ts'
import { numberOf } from '../transport/json.ts'
import type { Session } from './session.ts'

/** The token of the page that begins with the first event. */
const firstPageToken = 'MA=='

/** Events before the first one of the claim, because the server knows that this worker keeps them; 0 otherwise. */
export function offsetOf(task: WorkflowTask): number {
  return numberOf(task, 'history_offset') ?? 0
}

/** The events that a claim hands over: its own page and all that follow. */
export async function readHistory(session: Session, task: WorkflowTask): Promise<readonly HistoryEvent[]> {
  if (task.next_history_page_token === null || task.next_history_page_token === undefined) return task.history_events
  return [...task.history_events, ...(await readPages(session, task, task.next_history_page_token))]
}

/** The whole history, whatever the claim handed over. */
export async function readWholeHistory(session: Session, task: WorkflowTask): Promise<readonly HistoryEvent[]> {
  return offsetOf(task) === 0 ? readHistory(session, task) : readPages(session, task, firstPageToken)
}

async function readPages(session: Session, task: WorkflowTask, first: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = []
  const seen = new Set<string>()
  let token: string | null = first
  while (token !== null && token !== undefined) {
    if (seen.has(token)) throw repeated(task, token)
    seen.add(token)
    const page: { history_events: HistoryEvent[]; next_history_page_token: string | null } =
      await session.connection.call('getWorkflowTaskHistory', {
        path: { task_id: task.task_id },
        body: {
          lease_owner: session.workerId,
          workflow_task_attempt: task.workflow_task_attempt,
          next_history_page_token: token,
        },
      })
    events.push(...page.history_events)
    token = page.next_history_page_token
  }
  return events
}

// A server that hands out a page twice never comes to an end; the claim is given back by its lease.
function repeated(task: WorkflowTask, token: string): TransportError {
  return new TransportError(`History of run ${task.run_id} was answered with the page token ${token} a second time.`, {
    reason: 'repeated_page_token',
    facts: { runId: task.run_id, taskId: task.task_id, token },
  })
}

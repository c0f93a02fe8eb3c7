import type { ActivityTask, QueryTask, WorkflowTask } from '@durable-workflow/protocol'
import { successOf } from '../transport/connection.ts'
import type { PollOptions } from './poller.ts'
import type { Session } from './session.ts'

/** One poll of each kind, sent once. They throw what the answer means: see `successOf`. */
export interface Polls {
  workflow(options: PollOptions): Promise<WorkflowTask | undefined>
  activity(options: PollOptions): Promise<ActivityTask | undefined>
  query(options: PollOptions): Promise<QueryTask | undefined>
}

const historyPageSize = 500

export function createPolls({ connection, workerId, taskQueue, buildId }: Session): Polls {
  const bodyOf = ({ pollRequestId, timeoutSeconds }: PollOptions) => ({
    worker_id: workerId,
    task_queue: taskQueue,
    ...(buildId === undefined ? {} : { build_id: buildId }),
    poll_request_id: pollRequestId,
    timeout_seconds: timeoutSeconds,
  })
  return {
    async workflow(options) {
      const body = { ...bodyOf(options), history_page_size: historyPageSize }
      const reply = await connection.exchange('pollWorkflowTask', { body, signal: options.signal })
      return successOf('pollWorkflowTask', reply).task ?? undefined
    },
    async activity(options) {
      const reply = await connection.exchange('pollActivityTask', { body: bodyOf(options), signal: options.signal })
      return successOf('pollActivityTask', reply).task ?? undefined
    },
    async query(options) {
      const reply = await connection.exchange('pollQueryTask', { body: bodyOf(options), signal: options.signal })
      return successOf('pollQueryTask', reply).task ?? undefined
    },
  }
}

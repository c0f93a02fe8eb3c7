// A worker that goes on, and gives up, as the published ones do: it repeats the very same request on a transport error and
// on a 503 that keeps the contract of its operation, and ends on any other no. It runs one workflow of one activity.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { encodeEnvelope } from '@durable-workflow/codec'
import { type JsonClient, jsonClient, type Reply } from './http.ts'
import { outageProblems } from './outage-contract.ts'
import { isJsonObject, type JsonObject } from './process.ts'

export interface PublishedWorkerOptions {
  readonly url: string
  readonly taskQueue: string
  /** Transport errors in a row after which it gives up: a Rust worker after 5, a Python worker never. Default: never. */
  readonly transportErrorsMax?: number
}

/** A worker at work; it is stopped at the end of its scope. */
export interface PublishedWorker extends AsyncDisposable {
  readonly workerId: string
  /** Activities whose completion was answered. */
  readonly activities: number
  /** How often it repeated a request because a 503 told it to. */
  readonly repeats: number
  /** Why it ended; undefined while it goes on. */
  readonly ended: Error | undefined
  stop(): Promise<void>
}

const pollSeconds = 5
/** A poll that is not answered this long after its time counts as lost. */
const graceSeconds = 5
const backoffMsMin = 100
const backoffMsMax = 5000

interface Request {
  readonly operation: string
  readonly route: string
  readonly path: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** Registers and polls until it is stopped or gives up. */
export function startPublishedWorker(options: PublishedWorkerOptions): PublishedWorker {
  const client = jsonClient({ url: options.url })
  const workerId = `published-${randomUUID()}`
  const stopping = new AbortController()
  let activities = 0
  let repeats = 0
  let ended: Error | undefined

  const send = (request: Request): Promise<Reply | undefined> =>
    repeated(client, request, { ...options, signal: stopping.signal, onRepeat: () => (repeats += 1) })
  const poll = async (kind: 'workflow' | 'activity'): Promise<JsonObject | undefined> => {
    const operation = kind === 'workflow' ? 'pollWorkflowTask' : 'pollActivityTask'
    const body = {
      worker_id: workerId,
      task_queue: options.taskQueue,
      timeout_seconds: pollSeconds,
      poll_request_id: randomUUID(),
    }
    const reply = await send({ operation, route: `/${kind}-tasks/poll`, path: {}, body })
    const task = reply?.at('task')
    return isJsonObject(task) ? task : undefined
  }
  const workflows = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const task = await poll('workflow')
      if (task === undefined) continue
      const path = { task_id: String(task.task_id) }
      const body = {
        lease_owner: workerId,
        workflow_task_attempt: task.workflow_task_attempt,
        commands: [hasResult(task) ? finish : scheduleWork],
      }
      await send({ operation: 'completeWorkflowTask', route: `/workflow-tasks/${path.task_id}/complete`, path, body })
    }
  }
  const works = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const task = await poll('activity')
      if (task === undefined) continue
      const path = { task_id: String(task.task_id) }
      const body = {
        lease_owner: workerId,
        activity_attempt_id: task.activity_attempt_id,
        result: encodeEnvelope('worked'),
      }
      await send({ operation: 'completeActivityTask', route: `/activity-tasks/${path.task_id}/complete`, path, body })
      activities += 1
    }
  }
  const heartbeats = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(1000, undefined, { signal: stopping.signal }).catch(() => undefined)
      const body = { worker_id: workerId, process_metrics: { process_id: 1, process_uptime_seconds: 0 } }
      await send({ operation: 'heartbeatWorker', route: '/heartbeat', path: {}, body })
    }
  }
  const run = async (): Promise<void> => {
    const body = {
      worker_id: workerId,
      task_queue: options.taskQueue,
      runtime: 'rust',
      supported_workflow_types: ['drill'],
      supported_activity_types: ['work'],
    }
    await send({ operation: 'registerWorker', route: '/register', path: {}, body })
    await Promise.all([workflows(), workflows(), works(), works(), heartbeats()])
  }
  const running = run().catch((error: unknown) => {
    ended ??= error instanceof Error ? error : new Error(String(error))
    stopping.abort()
  })
  const worker: PublishedWorker = {
    workerId,
    get activities() {
      return activities
    },
    get repeats() {
      return repeats
    },
    get ended() {
      return ended
    },
    async stop() {
      stopping.abort()
      await running
      await client.close()
    },
    [Symbol.asyncDispose]: () => worker.stop(),
  }
  return worker
}

interface Repeating {
  readonly signal: AbortSignal
  readonly transportErrorsMax?: number
  readonly onRepeat: () => void
}

/** Sends until there is an answer that is none of those to be repeated. @returns undefined when it was stopped */
async function repeated(client: JsonClient, request: Request, how: Repeating): Promise<Reply | undefined> {
  const { transportErrorsMax = Number.POSITIVE_INFINITY } = how
  const timeoutMs = (pollSeconds + graceSeconds) * 1000
  for (let transportErrors = 0, sends = 0; !how.signal.aborted; sends += 1) {
    const reply = await sendOnce(client, request, how.signal, timeoutMs)
    if (how.signal.aborted) return undefined
    if (reply instanceof Error) {
      transportErrors += 1
      if (transportErrors > transportErrorsMax) throw new Error(`${request.operation}: gave up`, { cause: reply })
      await rest(how.signal, backoffOf(sends))
      continue
    }
    transportErrors = 0
    if (reply.status < 300) return reply
    const problems = outageProblems(request, gotOf(reply))
    if (problems.length > 0) {
      throw new Error(`${request.operation} was answered ${reply.status} ${reply.text}: ${problems.join(', ')}`)
    }
    how.onRepeat()
    await rest(
      how.signal,
      Math.min(Math.max(backoffOf(sends), reply.numberAt('retry_after_seconds') * 1000), backoffMsMax),
    )
  }
  return undefined
}

async function sendOnce(
  client: JsonClient,
  request: Request,
  stopped: AbortSignal,
  timeoutMs: number,
): Promise<Reply | Error> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
  try {
    return await client.worker('POST', request.route, request.body, { signal })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const backoffOf = (sends: number): number => Math.min(backoffMsMin * 2 ** sends, backoffMsMax)

function rest(signal: AbortSignal, ms: number): Promise<void> {
  // Stopped while it rests: whoever loops looks at the signal.
  return pause(ms, undefined, { signal }).catch(() => undefined)
}

/** What a reply says, as the judge of the contract wants it. */
export function gotOf(reply: Reply) {
  const retryAfter = reply.headers['retry-after']
  return {
    status: reply.status,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
    body: isJsonObject(reply.body) ? reply.body : {},
  }
}

const finish: JsonObject = { type: 'complete_workflow', result: encodeEnvelope('done') }
const scheduleWork: JsonObject = { type: 'schedule_activity', activity_type: 'work' }

function hasResult({ history_events: events }: JsonObject): boolean {
  return (
    Array.isArray(events) && events.some((event) => isJsonObject(event) && event.event_type === 'ActivityCompleted')
  )
}

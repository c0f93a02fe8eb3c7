// What published workers demand of a 503 before they repeat the very same request (published Python worker §14, Rust worker
// §6, shape B), written down here once more and independent of the server: a field that is missing or differs makes a
// Python worker give up the request and ends a Rust worker.

/** A request as its worker sent it. */
export interface Sent {
  /** As in the documents: `pollWorkflowTask`. */
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface Got {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const polls: readonly string[] = ['pollWorkflowTask', 'pollActivityTask', 'pollQueryTask']
const byWorkerId: readonly string[] = [...polls, 'registerWorker', 'heartbeatWorker']
/** Seconds that a worker is willing to be told to wait. */
const secondsMax = 60

/** Everything in which an answer misses the contract of its operation; nothing: the worker repeats the request. */
export function outageProblems(sent: Sent, got: Got): string[] {
  const { body } = got
  const problems: string[] = []
  const want = (name: string, value: unknown) => {
    if (!Object.hasOwn(body, name)) problems.push(`${name} is missing`)
    else if (body[name] !== value)
      problems.push(`${name} is ${JSON.stringify(body[name])}, not ${JSON.stringify(value)}`)
  }
  if (got.status !== 503) problems.push(`status is ${got.status}, not 503`)
  want('reason', 'backend_unavailable')
  want('operation', snakeCase(sent.operation))
  want('retryable', true)
  const seconds = body.retry_after_seconds
  if (typeof seconds !== 'number' || seconds < 1 || seconds > secondsMax) {
    problems.push(`retry_after_seconds is ${JSON.stringify(seconds)}`)
  }
  if (got.retryAfter !== String(seconds)) problems.push(`Retry-After is ${got.retryAfter}`)
  for (const [name, value] of Object.entries(demanded(sent))) want(name, value)
  return problems
}

function demanded({ operation, path, body }: Sent): Readonly<Record<string, unknown>> {
  if (!isOfWorkerPlane(operation)) return {}
  const taskQueue = body.task_queue ?? null
  const outcome = { outcome: 'unknown' }
  if (polls.includes(operation)) {
    return {
      ...outcome,
      worker_id: body.worker_id,
      task_queue: taskQueue,
      task: null,
      poll_status: 'backend_unavailable',
      poll_request_id: body.poll_request_id ?? null,
      retry_same_poll_request_id: true,
    }
  }
  if (byWorkerId.includes(operation)) return { ...outcome, worker_id: body.worker_id, task_queue: taskQueue }
  if (operation === 'deregisterWorker') {
    return { ...outcome, worker_id: path.worker_id, ...pickedFrom(body, ['registration_token']) }
  }
  return {
    ...outcome,
    worker_id: body.lease_owner,
    lease_owner: body.lease_owner,
    task_queue: null,
    ...(path.task_id === undefined ? {} : { task_id: path.task_id }),
    ...(path.query_task_id === undefined ? {} : { query_task_id: path.query_task_id }),
    ...pickedFrom(body, ['workflow_task_attempt', 'activity_attempt_id', 'query_task_attempt']),
  }
}

function isOfWorkerPlane(operation: string): boolean {
  return byWorkerId.includes(operation) || /Worker$|Task$|TaskHistory$/.test(operation)
}

function pickedFrom(body: Sent['body'], names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

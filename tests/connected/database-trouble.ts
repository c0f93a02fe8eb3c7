// The same drill for every trouble that a database may be in: workers of the published shape at work, every operation
// asked in the middle of it, and afterwards everything done once.
import { expect } from 'vitest'
import { finish, type RawWorker, rawWorker, scheduleWork, startRun } from '../drills/raw-worker.ts'
import { type JsonClient, jsonClient, type Reply } from '../support/http.ts'
import { metric } from '../support/metrics.ts'
import { outageProblems } from '../support/outage-contract.ts'
import { gotOf, type PublishedWorker, startPublishedWorker } from '../support/published-worker.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'

/** Work that goes on before, during and after a trouble. */
export interface Drill extends AsyncDisposable {
  /** Runs that were started. */
  readonly runIds: readonly string[]
  readonly workers: readonly PublishedWorker[]
  start(count: number): Promise<void>
  /** Every run is completed; nobody gave up. */
  finished(): Promise<void>
  /** What every operation answers now: those that write, those that read, and polls. */
  askAll(order?: 'at once' | 'reads first'): Promise<Asked>
  /** Sends the reports again that `askAll` could not bring home. */
  reportAgain(): Promise<void>
}

export interface Asked {
  /** By operation; those that must write. */
  readonly writes: ReadonlyMap<string, Call>
  readonly reads: ReadonlyMap<string, Call>
  readonly polls: ReadonlyMap<string, Call>
}

export interface Call {
  readonly reply: Reply
  /** In what the answer misses the contract of the 503. */
  readonly problems: readonly string[]
}

interface Asking {
  readonly operation: string
  readonly plane: 'worker' | 'control'
  readonly method: string
  /** With {name} for the parts of `path`. */
  readonly route: string
  readonly path?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

export interface DrillOptions {
  /** Transport errors in a row that the less patient of the two workers bears; default 5, as a Rust worker. */
  readonly transportErrorsMax?: number
}

/** Starts two workers of the published shape and a worker by hand that holds a task of each kind. */
export async function startDrill(server: ServerProcess, options: DrillOptions = {}): Promise<Drill> {
  const { transportErrorsMax = 5 } = options
  const client = jsonClient({ url: server.url })
  const byHand = rawWorker({ url: server.url, taskQueue: 'by-hand' })
  await byHand.register()
  const held = await holdTasks(byHand)
  const workers = [
    startPublishedWorker({ url: server.url, taskQueue: 'published' }),
    startPublishedWorker({ url: server.url, taskQueue: 'published', transportErrorsMax }),
  ]
  const runIds: string[] = []
  const { writes, reads, polls } = asking(byHand, held)
  return {
    runIds,
    workers,
    async start(count) {
      const started = await Promise.all(Array.from({ length: count }, () => startRun(client, 'published')))
      runIds.push(...started.map(({ runId }) => runId))
    },
    async finished() {
      await waitFor('every run is completed', () => completedCount(client), {
        timeoutMs: 60_000,
        until: (count) => count >= runIds.length,
      })
      for (const { ended } of workers) expect(ended).toBeUndefined()
    },
    async askAll(order = 'at once') {
      const ask = async (list: readonly Asking[]) =>
        new Map(await Promise.all(list.map(async (one) => [one.operation, await call(client, one)] as const)))
      const reading = ask(reads)
      // Where some writes are served, a worker may be gone before its tasks are read.
      if (order === 'reads first') await reading
      const [written, read, polled] = await Promise.all([ask(writes), reading, ask(polls)])
      return { writes: written, reads: read, polls: polled }
    },
    async reportAgain() {
      for (const one of writes.filter(({ operation }) => /^complete/.test(operation))) {
        const { reply } = await call(client, one)
        expect(reply, `${one.operation}: ${reply.text}`).toMatchObject({ status: 200, body: { recorded: true } })
      }
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker.stop()
      await byHand.client.close()
      await client.close()
    },
  }
}

/** Everything that must write was answered by the contract and recorded nothing. */
export function expectRefused(calls: ReadonlyMap<string, Call>, condition?: string): void {
  for (const [operation, { reply, problems }] of calls) {
    expect(problems, `${operation}: ${reply.status} ${reply.text}`).toEqual([])
    expect(reply.at('recorded'), operation).toBe(false)
    if (condition !== undefined) expect(reply.at('condition'), operation).toBe(condition)
  }
}

/** Whatever was not served was answered by the contract. */
export function expectServedOrRefused(calls: ReadonlyMap<string, Call>): void {
  for (const [operation, { reply, problems }] of calls) {
    if (reply.status >= 500) expect(problems, `${operation}: ${reply.status} ${reply.text}`).toEqual([])
  }
}

/** Reading goes on. */
export function expectServed(calls: ReadonlyMap<string, Call>): void {
  for (const [operation, { reply }] of calls) expect(reply.status, `${operation}: ${reply.text}`).toBe(200)
}

/** Waits until the server has met the trouble. */
export async function troubleIsMet(server: ServerProcess, condition: string): Promise<void> {
  await waitFor(
    `an error of the store is ${condition}`,
    () => metric(server.url, `store_errors_total{condition="${condition}"}`),
    {
      until: (count) => (count ?? 0) > 0,
      timeoutMs: 60_000,
    },
  )
}

/** Waits until a commit has come through. */
export async function isServing(url: string): Promise<void> {
  await using client = jsonClient({ url })
  await waitFor('commits come through again', async () => (await client.control('GET', '/ready')).at('checks.writes'), {
    until: (word) => word === 'ok',
    timeoutMs: 20_000,
  })
}

async function completedCount(client: JsonClient): Promise<number> {
  const reply = await client.control('GET', '/workflows?status=completed&page_size=200')
  return reply
    .listAt('workflows')
    .filter((run) => typeof run === 'object' && run !== null && 'task_queue' in run && run.task_queue === 'published')
    .length
}

interface Held {
  readonly workflow: Awaited<ReturnType<RawWorker['claimWorkflow']>>
  readonly activity: Awaited<ReturnType<RawWorker['claimActivity']>>
  readonly workflowId: string
  readonly runId: string
}

async function holdTasks(byHand: RawWorker): Promise<Held> {
  await startRun(byHand.client, 'by-hand')
  const scheduled = await byHand.report(await byHand.claimWorkflow(), 'complete', { commands: [scheduleWork()] })
  expect(scheduled.status, scheduled.text).toBe(200)
  const activity = await byHand.claimActivity()
  const { workflowId, runId } = await startRun(byHand.client, 'by-hand')
  return { activity, workflow: await byHand.claimWorkflow(), workflowId, runId }
}

function asking(byHand: RawWorker, held: Held) {
  const { workerId } = byHand
  const workflow = { lease_owner: workerId, workflow_task_attempt: held.workflow.attempt }
  const activity = { lease_owner: workerId, activity_attempt_id: held.activity.attemptId }
  const workflowTask = { task_id: held.workflow.taskId }
  const activityTask = { task_id: held.activity.taskId }
  const target = { workflow_id: held.workflowId }
  const run = { ...target, run_id: held.runId }
  const worker = { plane: 'worker', method: 'POST' } as const
  const post = { plane: 'control', method: 'POST' } as const
  const get = { plane: 'control', method: 'GET' } as const
  const failure = { failure: { message: 'it failed' } }
  const writes: readonly Asking[] = [
    {
      ...worker,
      operation: 'registerWorker',
      route: '/register',
      body: { worker_id: 'late', task_queue: 'late', runtime: 'python' },
    },
    { ...worker, operation: 'heartbeatWorker', route: '/heartbeat', body: { worker_id: workerId } },
    {
      ...worker,
      operation: 'deregisterWorker',
      method: 'DELETE',
      route: '/registrations/{worker_id}',
      path: { worker_id: workerId },
    },
    {
      ...worker,
      operation: 'heartbeatWorkflowTask',
      route: '/workflow-tasks/{task_id}/heartbeat',
      path: workflowTask,
      body: workflow,
    },
    {
      ...worker,
      operation: 'failWorkflowTask',
      route: '/workflow-tasks/{task_id}/fail',
      path: workflowTask,
      body: { ...workflow, ...failure },
    },
    {
      ...worker,
      operation: 'completeWorkflowTask',
      route: '/workflow-tasks/{task_id}/complete',
      path: workflowTask,
      body: { ...workflow, commands: [finish()] },
    },
    {
      ...worker,
      operation: 'heartbeatActivityTask',
      route: '/activity-tasks/{task_id}/heartbeat',
      path: activityTask,
      body: activity,
    },
    {
      ...worker,
      operation: 'failActivityTask',
      route: '/activity-tasks/{task_id}/fail',
      path: activityTask,
      body: { ...activity, ...failure },
    },
    {
      ...worker,
      operation: 'completeActivityTask',
      route: '/activity-tasks/{task_id}/complete',
      path: activityTask,
      body: activity,
    },
    {
      ...post,
      operation: 'startWorkflow',
      route: '/workflows',
      body: { workflow_id: 'in-trouble', workflow_type: 'drill', task_queue: 'by-hand' },
    },
    { ...post, operation: 'signalWorkflow', route: '/workflows/{workflow_id}/signal/go', path: target, body: {} },
    { ...post, operation: 'cancelWorkflow', route: '/workflows/{workflow_id}/cancel', path: target, body: {} },
    { ...post, operation: 'terminateWorkflow', route: '/workflows/{workflow_id}/terminate', path: target, body: {} },
    { ...post, operation: 'repairWorkflow', route: '/workflows/{workflow_id}/repair', path: target, body: {} },
    {
      ...post,
      operation: 'createNamespace',
      route: '/namespaces',
      body: { name: 'in-trouble', description: 'd', retention_days: 3 },
    },
  ]
  const reads: readonly Asking[] = [
    {
      ...worker,
      operation: 'getWorkflowTaskHistory',
      route: '/workflow-tasks/{task_id}/history',
      path: workflowTask,
      body: { ...workflow, next_history_page_token: 'MA==' },
    },
    { ...get, operation: 'listWorkflows', route: '/workflows' },
    { ...get, operation: 'describeWorkflow', route: '/workflows/{workflow_id}', path: target },
    { ...get, operation: 'listRuns', route: '/workflows/{workflow_id}/runs', path: target },
    { ...get, operation: 'describeRun', route: '/workflows/{workflow_id}/runs/{run_id}', path: run },
    { ...get, operation: 'getRunHistory', route: '/workflows/{workflow_id}/runs/{run_id}/history', path: run },
    { ...get, operation: 'debugWorkflow', route: '/workflows/{workflow_id}/debug', path: target },
    { ...get, operation: 'listNamespaces', route: '/namespaces' },
    { ...get, operation: 'describeNamespace', route: '/namespaces/default' },
  ]
  const poll = { worker_id: 'stranger', task_queue: 'by-hand', timeout_seconds: 0, poll_request_id: 'p-1' }
  const polls: readonly Asking[] = [
    { ...worker, operation: 'pollWorkflowTask', route: '/workflow-tasks/poll', body: poll },
    { ...worker, operation: 'pollActivityTask', route: '/activity-tasks/poll', body: poll },
    { ...worker, operation: 'pollQueryTask', route: '/query-tasks/poll', body: poll },
  ]
  return { writes, reads, polls }
}

async function call(client: JsonClient, { operation, plane, method, route, path = {}, body }: Asking): Promise<Call> {
  const to = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '')
  const reply = await client[plane](method, to, body)
  return { reply, problems: outageProblems({ operation, path, body: body ?? {} }, gotOf(reply)) }
}

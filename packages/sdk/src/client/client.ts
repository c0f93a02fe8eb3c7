import { encodeArguments } from '@durable-workflow/codec'
import { defaults, type RequestOf } from '@durable-workflow/protocol'
import type { Contract, In, MaybeSchema, Out, Schema } from '../authoring/contract.ts'
import type { Message } from '../authoring/message.ts'
import { type Duration, parseDuration, wholeSeconds } from '../authoring/options.ts'
import type { WorkflowContract } from '../authoring/workflow.ts'
import type { Chance } from '../transport/chance.ts'
import type { Clock } from '../transport/clock.ts'
import { type Connection, openConnection } from '../transport/connection.ts'
import { textOf } from '../transport/json.ts'
import type { RetryPolicy } from '../transport/retry.ts'
import type { ConnectionSettings } from '../transport/settings.ts'
import type { Transport } from '../transport/transport.ts'
import { type RunItem, readItem } from './description.ts'
import { type CallOptions, createHandle, inputOf, type WorkflowHandle } from './handle.ts'
import { createNamespaces, type Namespaces } from './namespaces.ts'
import { describeServer, type ServerDescription } from './server-description.ts'

/** Where a client connects, and what ends it. */
export interface ClientOptions extends ConnectionSettings {
  /** Where runs start that name no task queue; default `default`. */
  readonly taskQueue?: string | undefined
  /** Closes the client when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Handed in by tests. */
  readonly transport?: Transport | undefined
  readonly clock?: Clock | undefined
  readonly chance?: Chance | undefined
  readonly retry?: RetryPolicy | undefined
}

/** What a start may say besides its input. */
export interface StartFacts extends CallOptions {
  /** Durable identity, 1 to 128 of `a-z A-Z 0-9 . _ : -`; left out: made and returned. */
  readonly id?: string | undefined
  /** Default: the client's. */
  readonly taskQueue?: string | undefined
  /** `fail` (default): an id that ever had a run is refused; `use`: an open run of the id is returned, a closed one refused. */
  readonly ifExists?: 'fail' | 'use' | undefined
  /** For all runs of the workflow together; whole seconds on the wire, rounded up. */
  readonly executionTimeout?: Duration | undefined
  /** For one run. */
  readonly runTimeout?: Duration | undefined
}

type InputFact<I extends MaybeSchema> = I extends Schema
  ? undefined extends In<I>
    ? { readonly input?: In<I> }
    : { readonly input: In<I> }
  : { readonly input?: undefined }

/** What a start needs: the input where the contract declares one. */
export type StartOptions<I extends MaybeSchema> = StartFacts & InputFact<I>

/** A handle of a run that this client started: its id is known. */
export interface StartedRun<O extends MaybeSchema, H extends Message> extends WorkflowHandle<O, H> {
  readonly runId: string
}

/** Which runs a list names; left out: all of the namespace. */
export interface ListOptions extends CallOptions {
  /** Runs of this workflow, or of this workflow type. */
  readonly type?: Contract | string | undefined
  /** Runs that stand so; `running` is every open run. */
  readonly status?: 'running' | 'completed' | 'failed' | 'cancelled' | 'terminated' | undefined
  /** The server's query grammar, for example `TaskQueue = 'orders' AND StartTime > '2026-01-01T00:00:00Z'`. */
  readonly where?: string | undefined
  /** Runs fetched at a time, 1 to 200; default 100. */
  readonly pageSize?: number | undefined
}

/** Starts and finds runs of one namespace of one server. */
export interface Client {
  /**
   * Starts a run; it is recorded when this resolves. Repeated after a lost reply only where the server knows start ids.
   *
   * @throws ContractError when the input does not fit (nothing is sent), RefusedError `duplicate_not_allowed`,
   *   TransportError when it is unknown whether the run was started
   */
  start<I extends MaybeSchema, O extends MaybeSchema, H extends Message>(
    workflow: WorkflowContract<I, O, H>,
    options: StartOptions<I>,
  ): Promise<StartedRun<O, H>>
  /** Starts a run and waits for its result. */
  execute<I extends MaybeSchema, O extends MaybeSchema, H extends Message>(
    workflow: WorkflowContract<I, O, H>,
    options: StartOptions<I>,
  ): Promise<Out<O>>
  /** A handle of a run that exists; asks nothing. With `runId` every call is for that run alone. */
  get<I extends MaybeSchema, O extends MaybeSchema, H extends Message>(
    workflow: WorkflowContract<I, O, H>,
    id: string,
    options?: { readonly runId?: string | undefined },
  ): WorkflowHandle<O, H>
  /** Runs, newest first. */
  list(options?: ListOptions): AsyncIterableIterator<RunItem>
  readonly namespaces: Namespaces
  /**
   * What the server says about itself, asked anew, and which operations it understands otherwise than this package.
   *
   * @throws TransportError where it cannot be reached, RefusedError `unauthorized`
   */
  describeServer(options?: CallOptions): Promise<ServerDescription>
  /** Ends open requests and closes the connections. */
  close(): Promise<void>
}

const pageSizeDefault = 100

/**
 * A client of a server. Connects with the first call.
 *
 * @throws ContractError `invalid_server_url`
 * @example
 * const client = createClient()
 * const run = await client.start(checkout, { id: 'order-42', input: order, taskQueue: 'orders' })
 * const receipt = await run.result()
 */
export function createClient(options: ClientOptions = {}): Client {
  const connection = openConnection({ ...options, environment: process.env })
  const close = () => connection.close()
  options.signal?.addEventListener('abort', () => void close(), { once: true })

  const client: Client = {
    async start(workflow, given) {
      const reply = await connection.call('startWorkflow', {
        body: await startRequest(connection, workflow, { ...given, taskQueue: given.taskQueue ?? options.taskQueue }),
        ...(given.signal === undefined ? {} : { signal: given.signal }),
      })
      const target = { contract: workflow, workflowId: reply.workflow_id, runId: reply.run_id, isPinned: false }
      return { ...createHandle(connection, target), runId: reply.run_id }
    },
    execute: async (workflow, given) => (await client.start(workflow, given)).result({ signal: given.signal }),
    get: (workflow, workflowId, { runId } = {}) =>
      createHandle(connection, { contract: workflow, workflowId, runId, isPinned: runId !== undefined }),
    list: (given = {}) => listRuns(connection, given),
    namespaces: createNamespaces(connection),
    describeServer: (given = {}) => describeServer(connection, given.signal),
    close,
  }
  return client
}

async function startRequest(
  connection: Connection,
  workflow: WorkflowContract,
  options: StartFacts & { readonly input?: unknown },
): Promise<RequestOf<'startWorkflow'>> {
  const input = (await inputOf(workflow, [options.input])) ?? encodeArguments([])
  const { startId, millisecondDurations } = await connection.discover()
  return {
    workflow_id: options.id ?? generatedId(workflow.name, connection.chance),
    workflow_type: workflow.name,
    task_queue: options.taskQueue ?? defaults.taskQueue,
    input,
    ...(options.ifExists === 'use' ? { duplicate_policy: 'use-existing' } : {}),
    ...timeout('execution_timeout', options.executionTimeout, millisecondDurations),
    ...timeout('run_timeout', options.runTimeout, millisecondDurations),
    ...(startId ? { start_id: connection.chance.uuid() } : {}),
  }
}

function timeout(
  name: 'execution_timeout' | 'run_timeout',
  duration: Duration | undefined,
  exact: boolean,
): Record<string, number> {
  if (duration === undefined) return {}
  const durationMs = parseDuration(duration)
  return { [`${name}_seconds`]: wholeSeconds(durationMs), ...(exact ? { [`${name}_ms`]: durationMs } : {}) }
}

/** The workflow's name makes an id that was not chosen readable. */
function generatedId(name: string, chance: Chance): string {
  return `${name.replace(/[^a-zA-Z0-9._:-]/g, '-').slice(0, 80)}-${chance.uuid()}`
}

async function* listRuns(connection: Connection, options: ListOptions): AsyncIterableIterator<RunItem> {
  const type = typeof options.type === 'string' ? options.type : options.type?.name
  const query = {
    page_size: String(options.pageSize ?? pageSizeDefault),
    ...(type === undefined ? {} : { workflow_type: type }),
    ...statusOf(options),
  }
  let token: string | undefined
  do {
    const page = await connection.call('listWorkflows', {
      query: { ...query, ...(token === undefined ? {} : { next_page_token: token }) },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    for (const item of page.workflows) yield readItem(item)
    token = textOf(page, 'next_page_token')
  } while (token !== undefined)
}

// The parameter `status` knows only the three buckets; the raw status is asked for in the query.
function statusOf({ status, where }: ListOptions): { status?: 'running' | 'completed' | 'failed'; query?: string } {
  const raw = status === 'cancelled' || status === 'terminated' ? `Status = '${status}'` : undefined
  const query = [raw, where].filter((part) => part !== undefined).join(' AND ')
  const bucket = status === 'cancelled' || status === 'terminated' ? undefined : status
  return { ...(bucket === undefined ? {} : { status: bucket }), ...(query === '' ? {} : { query }) }
}

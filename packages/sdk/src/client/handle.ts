import { decodeEnvelope, type Envelope, encodeArguments } from '@durable-workflow/codec'
import {
  argumentsFromInput,
  type Contract,
  type InputParameters,
  type MaybeSchema,
  type Out,
  validateInput,
} from '../authoring/contract.ts'
import type { Message, Query, Signal } from '../authoring/message.ts'
import type { Connection } from '../transport/connection.ts'
import { memberOf, textOf } from '../transport/json.ts'
import { closedRun, describeRun } from './closed-run.ts'
import { type RecordedEvent, type RunDescription, readDescription, readEvent, readItem } from './description.ts'
import { explain } from './explanation.ts'
import { type ExportedEvent, type ExportedRun, exportedRun } from './exported-run.ts'
import { outcomeOf, received } from './outcome.ts'

/** Everything takes an AbortSignal; it ends the waiting, never the run. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** A run, or the newest run of a workflow id, from outside. */
export interface WorkflowHandle<O extends MaybeSchema = MaybeSchema, H extends Message = Message> {
  readonly workflowId: string
  /** The run that was started or asked for; undefined for "the current one". */
  readonly runId: string | undefined
  /**
   * Waits until the run is closed, however long that takes.
   *
   * @returns its output, validated by the contract
   * @throws WorkflowFailure with the foreign type name, TimeoutFailure, or CancellationFailure (cancelled, terminated)
   */
  result(options?: CallOptions): Promise<Out<O>>
  /** Sends a signal; it is recorded when this resolves. Sent once: after a TransportError it may have arrived. */
  signal<M extends Extract<H, Signal>>(signal: M, ...args: InputParameters<M['input']>): Promise<void>
  /** Asks a worker for an answer from the run's state; changes nothing. */
  query<M extends Extract<H, Query>>(query: M, ...args: InputParameters<M['input']>): Promise<Out<M['output']>>
  describe(options?: CallOptions): Promise<RunDescription>
  /** The recorded events, oldest first. */
  history(options?: CallOptions): AsyncIterableIterator<RecordedEvent>
  /**
   * The run as one document for a file: what it was started with and every event, in the words of the wire.
   *
   * @example
   * await writeFile('order-42.json', JSON.stringify(await run.export()))
   */
  export(options?: CallOptions): Promise<ExportedRun>
  /** Why the run waits, in sentences. */
  explain(options?: CallOptions): Promise<string[]>
  /** Closes the run at once as cancelled. */
  cancel(reason?: string): Promise<void>
  /** Closes the run at once as terminated. */
  terminate(reason?: string): Promise<void>
  /**
   * Gives a run that does not move its next workflow task: above all one that is blocked in replay, once its code is corrected. A
   * worker whose code differs from the one that was blocked resumes it by itself; this is for code that looks the same.
   *
   * @returns whether a task was made; false for a run that moves by itself
   * @throws RefusedError for a run that is closed, or a role that may not repair
   */
  repair(): Promise<boolean>
}

export interface HandleTarget {
  readonly contract: Contract
  readonly workflowId: string
  /** The run whose result is awaited. */
  readonly runId: string | undefined
  /** True when messages, too, are only for that run. */
  readonly isPinned: boolean
}

const historyPageSize = '1000'

export function createHandle<O extends MaybeSchema, H extends Message>(
  connection: Connection,
  target: HandleTarget & { readonly contract: Contract<MaybeSchema, O> },
): WorkflowHandle<O, H> {
  const { contract, workflowId } = target
  const pinned = target.isPinned ? target.runId : undefined

  async function currentRunId(signal?: AbortSignal): Promise<string> {
    if (target.runId !== undefined) return target.runId
    return textOf(await describeRun(connection, target.workflowId, undefined, {}, signal), 'run_id') ?? ''
  }

  async function* events(runId: string, signal?: AbortSignal): AsyncIterableIterator<ExportedEvent> {
    const path = { workflow_id: workflowId, run_id: runId }
    let token: string | undefined
    do {
      const page = await connection.call('getRunHistory', {
        path,
        query: { page_size: historyPageSize, ...(token === undefined ? {} : { next_page_token: token }) },
        ...(signal === undefined ? {} : { signal }),
      })
      yield* page.events
      token = page.next_page_token ?? undefined
    } while (token !== undefined)
  }

  async function* history(signal?: AbortSignal): AsyncIterableIterator<RecordedEvent> {
    for await (const event of events(await currentRunId(signal), signal)) yield readEvent(event)
  }

  async function close(kind: 'cancel' | 'terminate', reason: string | undefined): Promise<void> {
    const body = { request_id: connection.chance.uuid(), ...(reason === undefined ? {} : { reason }) }
    const path = { workflow_id: workflowId }
    if (pinned === undefined) {
      await connection.call(kind === 'cancel' ? 'cancelWorkflow' : 'terminateWorkflow', { path, body })
    } else {
      await connection.call(kind === 'cancel' ? 'cancelRun' : 'terminateRun', {
        path: { ...path, run_id: pinned },
        body,
      })
    }
  }

  return {
    workflowId,
    runId: target.runId,
    async result(options = {}) {
      return typed<O>(await outcomeOf(contract, await closedRun(connection, target, options.signal)))
    },
    async signal(signal, ...args) {
      const input = await inputOf(signal, args)
      const body = { request_id: connection.chance.uuid(), ...(input === undefined ? {} : { input }) }
      const path = { workflow_id: workflowId, signal_name: signal.name }
      if (pinned === undefined) await connection.call('signalWorkflow', { path, body })
      else await connection.call('signalRun', { path: { ...path, run_id: pinned }, body })
    },
    async query<M extends Extract<H, Query>>(query: M, ...args: InputParameters<M['input']>) {
      const input = await inputOf(query, args)
      const body = input === undefined ? {} : { input }
      const path = { workflow_id: workflowId, query_name: query.name }
      const reply =
        pinned === undefined
          ? await connection.call('queryWorkflow', { path, body })
          : await connection.call('queryRun', { path: { ...path, run_id: pinned }, body })
      return typed<M['output']>(await received(query, answerOf(reply)))
    },
    describe: async (options = {}) =>
      readDescription(await describeRun(connection, workflowId, target.runId, {}, options.signal)),
    history: (options = {}) => history(options.signal),
    async export({ signal } = {}) {
      const description = await describeRun(connection, workflowId, target.runId, {}, signal)
      const run = readItem(description)
      const rows: ExportedEvent[] = []
      for await (const row of events(run.runId, signal)) rows.push(row)
      return exportedRun(description, run, rows)
    },
    async explain(options = {}) {
      const signal = options.signal === undefined ? {} : { signal: options.signal }
      const path = { workflow_id: workflowId }
      return explain(
        target.runId === undefined
          ? await connection.call('debugWorkflow', { path, ...signal })
          : await connection.call('debugRun', { path: { ...path, run_id: target.runId }, ...signal }),
      )
    },
    cancel: (reason) => close('cancel', reason),
    terminate: (reason) => close('terminate', reason),
    async repair() {
      const body = { request_id: connection.chance.uuid() }
      const path = { workflow_id: workflowId }
      const reply =
        pinned === undefined
          ? await connection.call('repairWorkflow', { path, body })
          : await connection.call('repairRun', { path: { ...path, run_id: pinned }, body })
      return reply.outcome === 'repair_dispatched'
    },
  }
}

/** Validated input as wire arguments; undefined where there are none. */
export async function inputOf(contract: Contract, args: readonly unknown[]): Promise<Envelope | undefined> {
  const values = argumentsFromInput(contract, await validateInput(contract, args[0]))
  return values.length === 0 ? undefined : encodeArguments(values)
}

function answerOf(reply: unknown): unknown {
  const envelope = memberOf(reply, 'result_envelope')
  return envelope === undefined || envelope === null ? memberOf(reply, 'result') : decodeEnvelope(envelope)
}

// Validation has just said that the value fits the schema; the compiler cannot follow it there.
function typed<S extends MaybeSchema>(value: unknown): Out<S>
function typed(value: unknown): unknown {
  return value
}

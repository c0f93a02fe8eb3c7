// The queries of one run: their handlers, and the answers.

import { decodeEnvelope, encodeEnvelope, type PayloadValue } from '@durable-workflow/codec'
import { inputFromArguments, validateInput, validateOutput } from '../authoring/contract.ts'
import { GuardError, MissingHandlerError, RefusedError } from '../authoring/failure.ts'
import type { Query } from '../authoring/message.ts'
import type { WorkflowImplementation } from '../authoring/workflow.ts'
import type { ReplayOptions } from './options.ts'
import { createRandom, type Random } from './random.ts'

interface Handler {
  readonly query: Query
  readonly answer: (input: unknown) => unknown
}

export interface Queries {
  handle(query: Query, answer: (input: unknown) => unknown): void
  /** @throws MissingHandlerError for a query that the contract lists and nobody handles */
  assertHandled(): void
  /** @throws RefusedError `rejected_unknown_query`; ContractError; GuardError for a promise; what the handler throws */
  answer(name: string, args: readonly PayloadValue[]): Promise<PayloadValue>
  /** A query's chance is its own: what it draws must not move the run's sequence. */
  readonly random: Random
}

export function createQueries({ workflow, run, enter }: ReplayOptions): Queries {
  const handlers = new Map<string, Handler>()
  let random = createRandom(`${run.runId}:query`)
  return {
    handle: (query, answer) => void handlers.set(query.name, { query, answer }),
    assertHandled: () => assertHandled(workflow, handlers),
    async answer(name, args) {
      const handler = handlers.get(name)
      if (handler === undefined) throw unknownQuery(workflow, name, [...handlers.keys()])
      const input = await validateInput(handler.query, inputFromArguments(handler.query, args))
      random = createRandom(`${run.runId}:query`)
      const answer = enter(() => handler.answer(input))
      if (answer instanceof Promise) throw asynchronousAnswer(name)
      return decodeEnvelope(encodeEnvelope(await validateOutput(handler.query, answer)))
    },
    get random() {
      return random
    },
  }
}

function assertHandled(workflow: WorkflowImplementation, queries: ReadonlyMap<string, Handler>): void {
  const missing = workflow.handles
    .filter(({ kind, name }) => kind === 'query' && !queries.has(name))
    .map(({ name }) => name)
  if (missing.length === 0) return
  const listed = missing.map((name) => `"${name}"`).join(', ')
  throw new MissingHandlerError(
    `Workflow "${workflow.name}" lists ${listed} in \`handles\` and has no handler before its first durable call; call ctx.handle for each first.`,
    { reason: 'query_handler_missing', facts: { workflowType: workflow.name, queries: missing } },
  )
}

function unknownQuery(workflow: WorkflowImplementation, name: string, known: readonly string[]): RefusedError {
  return new RefusedError(
    `Workflow "${workflow.name}" has no handler for query "${name}"; it answers ${known.join(', ') || 'none'}.`,
    { reason: 'rejected_unknown_query', facts: { query: name, workflowType: workflow.name, known } },
  )
}

function asynchronousAnswer(name: string): GuardError {
  return new GuardError(
    `The handler of query "${name}" returned a promise; a query answers at once from state that is already there.`,
    { reason: 'query_handler_asynchronous', facts: { query: name } },
  )
}

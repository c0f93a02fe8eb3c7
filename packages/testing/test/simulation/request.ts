// What clients and workers send, as data: the same request sent again is the same bytes.

import {
  cancelWorkflow,
  completeActivityTask,
  completeQueryTask,
  completeWorkflowTask,
  createNamespace,
  type Engine,
  failActivityTask,
  failQueryTask,
  failWorkflowTask,
  type HandedOver,
  type HandOverOffer,
  heartbeatActivityTask,
  heartbeatWorker,
  heartbeatWorkflowTask,
  type Operation,
  type Outcome,
  type PollRequest,
  type PollResult,
  type QueryAnswer,
  type QueryInput,
  type RegisterInput,
  repairWorkflow,
  requestCancellation,
  signalWorkflow,
  startWorkflow,
  terminateWorkflow,
} from '@durable-workflow/engine'

type Input<Make extends (input: never) => unknown> = Parameters<Make>[0]

/** How a document is asked for. */
export interface ReadInput {
  readonly document: 'describe' | 'history' | 'debug' | 'workflows' | 'runs' | 'registration' | 'repairStatus'
  readonly namespace: string
  readonly workflowId: string
  readonly workerId: string
}

/** The next page of a claimed task's history. */
export type TaskHistoryInput = Parameters<Engine['views']['taskHistory']>[0]

export type Request =
  | { readonly kind: 'start'; readonly input: Input<typeof startWorkflow> }
  | { readonly kind: 'signal'; readonly input: Input<typeof signalWorkflow>; readonly token: string }
  | { readonly kind: 'query'; readonly input: QueryInput }
  | { readonly kind: 'cancel'; readonly input: Input<typeof cancelWorkflow> }
  | { readonly kind: 'terminate'; readonly input: Input<typeof terminateWorkflow> }
  | { readonly kind: 'requestCancellation'; readonly input: Input<typeof requestCancellation> }
  | { readonly kind: 'repair'; readonly input: Input<typeof repairWorkflow> }
  | { readonly kind: 'repairPass'; readonly namespace: string; readonly workflowId: string | undefined }
  | { readonly kind: 'poll'; readonly input: PollRequest }
  | {
      readonly kind: 'completeWorkflowTask'
      readonly input: Input<typeof completeWorkflowTask>
      readonly offer: HandOverOffer | undefined
    }
  | { readonly kind: 'failWorkflowTask'; readonly input: Input<typeof failWorkflowTask> }
  | { readonly kind: 'heartbeatWorkflowTask'; readonly input: Input<typeof heartbeatWorkflowTask> }
  | {
      readonly kind: 'completeActivityTask'
      readonly input: Input<typeof completeActivityTask>
      readonly offer: HandOverOffer | undefined
    }
  | { readonly kind: 'failActivityTask'; readonly input: Input<typeof failActivityTask> }
  | { readonly kind: 'heartbeatActivityTask'; readonly input: Input<typeof heartbeatActivityTask> }
  | { readonly kind: 'completeQueryTask'; readonly input: Input<typeof completeQueryTask> }
  | { readonly kind: 'failQueryTask'; readonly input: Input<typeof failQueryTask> }
  | { readonly kind: 'register'; readonly input: RegisterInput }
  | { readonly kind: 'deregister'; readonly namespace: string; readonly workerId: string }
  | { readonly kind: 'heartbeatWorker'; readonly input: Input<typeof heartbeatWorker> }
  | { readonly kind: 'createNamespace'; readonly input: Input<typeof createNamespace> }
  | { readonly kind: 'taskHistory'; readonly input: TaskHistoryInput }
  | { readonly kind: 'read'; readonly input: ReadInput }

/** The result of an operation as its caller got it; what is in a reply is looked at as it comes. */
export type Result = Outcome<unknown>

export type Answer =
  | { readonly kind: 'outcome'; readonly outcome: Result; readonly handedOver: HandedOver | undefined }
  | { readonly kind: 'poll'; readonly result: PollResult }
  | { readonly kind: 'query'; readonly answer: QueryAnswer }
  | { readonly kind: 'read'; readonly document: unknown }
  | { readonly kind: 'error'; readonly error: unknown }

/** Sees the decision of an operation without taking part in it. */
export type Watch = <Reply, Reason extends string>(operation: Operation<Reply, Reason>) => Operation<Reply, Reason>

/** Hands a request to an engine; always resolves. */
export async function send(engine: Engine, request: Request, watch: Watch): Promise<Answer> {
  try {
    return await answerOf(engine, request, watch)
  } catch (error) {
    return { kind: 'error', error }
  }
}

async function answerOf(engine: Engine, request: Request, watch: Watch): Promise<Answer> {
  switch (request.kind) {
    case 'start':
      return executed(engine, watch(startWorkflow(request.input)))
    case 'signal':
      return executed(engine, watch(signalWorkflow(request.input)))
    case 'query':
      return { kind: 'query', answer: await engine.query(request.input) }
    case 'cancel':
      return executed(engine, watch(cancelWorkflow(request.input)))
    case 'terminate':
      return executed(engine, watch(terminateWorkflow(request.input)))
    case 'requestCancellation':
      return executed(engine, watch(requestCancellation(request.input)))
    case 'repair':
      return executed(engine, watch(repairWorkflow(request.input)))
    case 'repairPass': {
      const { namespace, workflowId } = request
      return { kind: 'read', document: await engine.repair.pass({ namespace, runIds: [], workflowId }) }
    }
    case 'poll':
      return { kind: 'poll', result: await engine.poll(request.input) }
    case 'completeWorkflowTask':
      return reported(engine, watch(completeWorkflowTask(request.input)), request.offer)
    case 'failWorkflowTask':
      return executed(engine, watch(failWorkflowTask(request.input)))
    case 'heartbeatWorkflowTask':
      return executed(engine, watch(heartbeatWorkflowTask(request.input)))
    case 'completeActivityTask':
      return reported(engine, watch(completeActivityTask(request.input)), request.offer)
    case 'failActivityTask':
      return executed(engine, watch(failActivityTask(request.input)))
    case 'heartbeatActivityTask':
      return executed(engine, watch(heartbeatActivityTask(request.input)))
    case 'completeQueryTask':
      return executed(engine, watch(completeQueryTask(request.input)))
    case 'failQueryTask':
      return executed(engine, watch(failQueryTask(request.input)))
    case 'register':
      return { kind: 'outcome', outcome: (await engine.register(request.input)).outcome, handedOver: undefined }
    case 'deregister': {
      const { namespace, workerId } = request
      const { outcome } = await engine.deregister({ namespace, workerId })
      return { kind: 'outcome', outcome, handedOver: undefined }
    }
    case 'heartbeatWorker':
      return executed(engine, watch(heartbeatWorker(request.input)))
    case 'createNamespace':
      return executed(engine, watch(createNamespace(request.input)))
    case 'taskHistory':
      return { kind: 'read', document: await engine.views.taskHistory(request.input) }
    case 'read':
      return { kind: 'read', document: await read(engine, request.input) }
  }
}

async function executed<Reply>(engine: Engine, operation: Operation<Reply>): Promise<Answer> {
  return { kind: 'outcome', outcome: await engine.execute(operation), handedOver: undefined }
}

async function reported<Reply extends { readonly repeated: boolean }>(
  engine: Engine,
  operation: Operation<Reply>,
  offer: HandOverOffer | undefined,
): Promise<Answer> {
  return { kind: 'outcome', ...(await engine.report(operation, offer)) }
}

function read({ views, repair }: Engine, input: ReadInput): Promise<unknown> {
  const { namespace, workflowId, workerId } = input
  const address = { namespace, workflowId, runId: undefined }
  switch (input.document) {
    case 'describe':
      return views.describe(address)
    case 'history':
      return views.history({ ...address, after: 0, limit: 1_000 })
    case 'debug':
      return views.debug(address)
    case 'workflows':
      return views.listWorkflows({ namespace, filter: { kind: 'all', of: [] }, limit: 100, after: undefined })
    case 'runs':
      return views.listRuns({ namespace, workflowId })
    case 'registration':
      return views.registration(namespace, workerId)
    case 'repairStatus':
      return repair.status(namespace)
  }
}

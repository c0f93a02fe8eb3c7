// Signals, cancel, terminate and repair, to a workflow's current run or to exactly one run (control plane 2, §6.11).
import {
  cancelWorkflow,
  type Outcome,
  type Run,
  repairWorkflow,
  requestCancellation,
  signalWorkflow,
  terminateWorkflow,
} from '@durable-workflow/engine'
import type { RequestOf } from '@durable-workflow/protocol'
import { signalInput, takeInput } from '../payload-intake.ts'
import { type Answer, done, type No } from '../reply.ts'
import { type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
import type { WireFacts } from '../wire-facts.ts'
import { commandFacts, nameProblem, refusedCommand, type Target, targetOf } from './workflow-commands.ts'

export const controlCommandRoutes: readonly Route[] = [
  route('signalWorkflow', ({ body, path, ...call }) =>
    signal(call, targetOf(call.namespace, path), path.signal_name, body),
  ),
  route('signalRun', ({ body, path, ...call }) => signal(call, targetOf(call.namespace, path), path.signal_name, body)),
  route('cancelWorkflow', ({ body, path, ...call }) => cancel(call, targetOf(call.namespace, path), body)),
  route('cancelRun', ({ body, path, ...call }) => cancel(call, targetOf(call.namespace, path), body)),
  route('terminateWorkflow', ({ body, path, ...call }) => terminate(call, targetOf(call.namespace, path), body)),
  route('terminateRun', ({ body, path, ...call }) => terminate(call, targetOf(call.namespace, path), body)),
  route('repairWorkflow', ({ body, path, ...call }) => repair(call, targetOf(call.namespace, path), body)),
  route('repairRun', ({ body, path, ...call }) => repair(call, targetOf(call.namespace, path), body)),
  route('requestCancellation', ({ path, ...call }) => refuseCooperation(call, targetOf(call.namespace, path))),
  route('requestRunCancellation', ({ path, ...call }) => refuseCooperation(call, targetOf(call.namespace, path))),
]

interface Asked {
  readonly server: ServerContext
}

async function signal(
  { server }: Asked,
  target: Target,
  signalName: string,
  body: RequestOf<'signalWorkflow'>,
): Promise<Answer> {
  const badName = nameProblem('signal_name', signalName)
  if (badName !== undefined) return badName
  const input = takeInput(body?.input, signalInput, server.settings.payloadBytesMax)
  if ('refusal' in input) return input.refusal
  const requestId = body?.request_id ?? undefined
  const outcome = await server.engine.execute(
    signalWorkflow({ ...target, signalName, arguments: input.envelope, requestId }),
  )
  if (outcome.kind !== 'accepted') return refusedOutcome(target, outcome, { signal_name: signalName })
  const { run, commandId, commandSequence } = outcome.reply
  return done(
    commandFacts(target, run, {
      outcome: 'signal_received',
      signal_name: signalName,
      command_id: commandId,
      command_sequence: commandSequence,
      request_id: requestId ?? null,
    }),
    { how: 'taken' },
  )
}

async function cancel({ server }: Asked, target: Target, body: RequestOf<'cancelWorkflow'>): Promise<Answer> {
  const outcome = await server.engine.execute(cancelWorkflow({ ...target, ...commandInput(body) }))
  return outcome.kind === 'accepted' ? closed(target, outcome.reply, body) : refusedOutcome(target, outcome)
}

async function terminate({ server }: Asked, target: Target, body: RequestOf<'terminateWorkflow'>): Promise<Answer> {
  const outcome = await server.engine.execute(terminateWorkflow({ ...target, ...commandInput(body) }))
  return outcome.kind === 'accepted' ? closed(target, outcome.reply, body) : refusedOutcome(target, outcome)
}

function commandInput(body: RequestOf<'terminateWorkflow'>): {
  reason: string | undefined
  requestId: string | undefined
} {
  return { reason: body?.reason ?? undefined, requestId: body?.request_id ?? undefined }
}

interface ClosedReply {
  readonly run: Run
  readonly commandId: string
  readonly commandSequence: number
  readonly outcome: string
}

function closed(target: Target, reply: ClosedReply, body: RequestOf<'terminateWorkflow'>): Answer {
  return done(
    commandFacts(target, reply.run, {
      outcome: reply.outcome,
      status: reply.run.status,
      command_id: reply.commandId,
      command_sequence: reply.commandSequence,
      request_id: body?.request_id ?? null,
      // The caller's own words come back; on a success they are no failure code.
      reason: body?.reason ?? null,
    }),
  )
}

async function repair({ server }: Asked, target: Target, body: RequestOf<'repairWorkflow'>): Promise<Answer> {
  const requestId = body?.request_id ?? undefined
  const outcome = await server.engine.execute(repairWorkflow({ ...target, requestId }))
  if (outcome.kind !== 'accepted') return refusedOutcome(target, outcome)
  const { reply } = outcome
  return done(
    commandFacts(target, reply.run, {
      outcome: reply.outcome,
      status: reply.run.status,
      command_id: reply.commandId,
      command_sequence: reply.commandSequence,
      request_id: requestId ?? null,
    }),
  )
}

/** C-05: cooperative cancellation is refused for what it needs, after workflow and run were found. */
async function refuseCooperation({ server }: Asked, target: Target): Promise<Answer> {
  const outcome = await server.engine.execute(requestCancellation(target))
  return refusedOutcome(target, outcome, {
    minimum_protocol_version: '1.20',
    advertised_version: server.settings.workerProtocolVersion,
  })
}

function refusedOutcome(target: Target, outcome: Outcome<unknown>, facts: WireFacts = {}): No {
  if (outcome.kind === 'refused') return refusedCommand(target, outcome, facts)
  throw new Error(`The engine answered ${outcome.kind} where only a refusal is possible.`)
}

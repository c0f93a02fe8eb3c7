// Workflows, histories and replies of the hand-over tests.
import { encodeEnvelope } from '@durable-workflow/codec'
import { activity } from '../../src/authoring/activity.ts'
import { type } from '../../src/authoring/contract.ts'
import { workflow } from '../../src/authoring/workflow.ts'
import type { StubReply, StubRequest } from '../transport/stub-server.ts'
import { completed, event, silent } from './harness.ts'

export const advertised = { serverCapabilities: { task_hand_over: true, history_cache: true } }

export const charge = activity('charge', { input: type<string>(), output: type<string>() }, async () => 'paid')

export const ship = activity('ship', { input: type<string>(), output: type<string>() })

/** Three activities that this worker could take, one of a type that it has not, one of another queue. */
export const fanOut = workflow('fan-out', { input: type<string>() }, async (ctx, order) => {
  await Promise.all([
    ctx.run(charge, order),
    ctx.run(charge, order),
    ctx.run(charge, order),
    ctx.run(ship, order),
    ctx.run(charge, order, { taskQueue: 'elsewhere' }),
  ])
})

export const started = event(1, 'WorkflowStarted', { workflow_type: 'checkout' })

export const charged = [
  event(2, 'ActivityScheduled', { sequence: 1, activity_type: 'charge', activity_execution_id: 'x1' }),
  event(3, 'ActivityStarted', { sequence: 1, activity_type: 'charge', activity_execution_id: 'x1' }),
  event(4, 'ActivityCompleted', {
    sequence: 1,
    activity_type: 'charge',
    activity_execution_id: 'x1',
    result: encodeEnvelope('paid'),
  }),
]

export const first = { workflow_type: 'checkout', run_id: 'run-1', history_events: [started], total_history_events: 1 }

export const tail = { ...first, history_events: charged, history_offset: 1, total_history_events: 4 }

export const fan = { workflow_type: 'fan-out' }

/** The reply of a recorded report that hands tasks over. */
export function handing(handedOver: unknown): StubReply {
  return { status: 200, body: { ...completed.body, handed_over: handedOver } }
}

export const pollIdOf = ({ body }: StubRequest): string => String(Object(body.hand_over).poll_request_id)

/** A logger that keeps its warnings. */
export function listening() {
  const warnings: { message: string; facts: Record<string, unknown> | undefined }[] = []
  return {
    warnings,
    log: {
      ...silent,
      warn: (message: string, facts?: Record<string, unknown>) => void warnings.push({ message, facts }),
    },
  }
}

export function greetOf() {
  return workflow('greet', { input: type<string>(), output: type<string>() }, async (_ctx, name) => `hello ${name}`)
}

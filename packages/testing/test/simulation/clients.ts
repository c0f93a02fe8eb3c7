// What clients and operators ask for: an action's numbers made into a request, mostly a sensible one.

import { envelopeOf, signalNames } from './program.ts'
import type { Request } from './request.ts'
import type { Action, Scenario } from './scenario.ts'

export interface ClientsOptions {
  readonly scenario: Scenario
  readonly namespace: string
  readonly otherNamespace: string
  /** A new run id, as the server makes it that takes a start. */
  readonly newRunId: (workflowId: string) => string
  /** Numbers what is told apart by its words. */
  readonly nextNumber: () => number
}

export class Clients {
  readonly #options: ClientsOptions
  /** Numbers of the workflows that somebody has tried to start. */
  readonly #started = new Set<number>()

  constructor(options: ClientsOptions) {
    this.#options = options
  }

  /** The request of an action that no worker does; undefined for the others. @param workerId whom it concerns */
  request(action: Action, workerId: string): Request | undefined {
    const { do: kind, how } = action
    const { namespace } = this.#options
    const address = this.#address(action)
    switch (kind) {
      case 'start':
        return this.#start(action)
      case 'signal': {
        const token = `signal-${this.#options.nextNumber()}`
        const signalName = signalNames[how % 2] ?? 'approve'
        return { kind, token, input: { ...address, signalName, arguments: envelopeOf(token), requestId: undefined } }
      }
      case 'query':
        return { kind, input: { ...address, queryName: 'total', arguments: undefined } }
      case 'cancel':
      case 'terminate':
        return { kind, input: { ...address, reason: how % 2 === 0 ? undefined : 'enough', requestId: undefined } }
      case 'requestCancellation':
        return { kind, input: address }
      case 'repair':
        return { kind, input: { ...address, requestId: undefined } }
      case 'repairPass':
        return { kind, namespace, workflowId: how % 2 === 0 ? undefined : address.workflowId }
      case 'deregister':
        return { kind, namespace, workerId: how % 8 === 3 ? 'nobody' : workerId }
      case 'heartbeatWorker': {
        const report = how % 2 === 0 ? { free: how } : undefined
        return { kind, input: { namespace, workerId: how % 8 === 3 ? 'nobody' : workerId, report } }
      }
      case 'createNamespace': {
        const name = how % 2 === 0 ? namespace : `${namespace}-${how}`
        return { kind, input: { name, description: undefined, retentionDays: 1 } }
      }
      case 'read': {
        const documents = ['describe', 'history', 'debug', 'workflows', 'runs', 'registration', 'repairStatus'] as const
        const document = documents[how % documents.length] ?? 'describe'
        return { kind, input: { document, workerId, namespace: address.namespace, workflowId: address.workflowId } }
      }
      default:
        return undefined
    }
  }

  /** Mostly a workflow that somebody has tried to start. */
  #address({ which, how }: Action) {
    const { namespace, otherNamespace } = this.#options
    const known = [...this.#started]
    const number = known[which % Math.max(known.length, 1)] ?? 0
    return {
      namespace: how % 41 === 40 ? otherNamespace : namespace,
      workflowId: this.#workflowId(how % 40 === 39 ? 'none' : number),
      runId: how % 43 === 42 ? `${'0'.repeat(31)}1` : undefined,
    }
  }

  #workflowId(number: number | 'none'): string {
    return `w-${this.#options.scenario.name}-${number}`
  }

  #start({ which, how }: Action): Request {
    const { scenario, namespace, otherNamespace, newRunId } = this.#options
    const number = (how % 3 === 2 ? which : this.#started.size) % scenario.workflows
    this.#started.add(number)
    const workflowId = this.#workflowId(number)
    return {
      kind: 'start',
      input: {
        namespace: how % 37 === 36 ? otherNamespace : how % 38 === 37 ? 'nowhere' : namespace,
        workflowId,
        runId: newRunId(workflowId),
        workflowType: how % 31 === 30 ? 'Refund' : 'Order',
        taskQueue: 'orders',
        arguments: envelopeOf(`input-${how}`),
        businessKey: undefined,
        executionTimeoutSeconds: how % 16 === 7 ? 300 : undefined,
        runTimeoutSeconds: how % 16 === 3 ? 6 : undefined,
        executionTimeoutMs: how % 16 === 7 ? 20_000 : undefined,
        runTimeoutMs: undefined,
        duplicatePolicy: how % 2 === 0 ? 'fail' : 'use-existing',
        startId: how % 3 === 0 ? undefined : `start-${number}-${how % 6}`,
      },
    }
  }
}

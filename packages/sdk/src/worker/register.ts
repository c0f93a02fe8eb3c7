// The registration of a worker: announced, kept fresh, renewed when the server has lost it, withdrawn at the end.
import type { RequestOf } from '@durable-workflow/protocol'
import { RefusedError } from '../authoring/failure.ts'
import type { WorkflowImplementation } from '../authoring/workflow.ts'
import { wait } from '../transport/clock.ts'
import { successOf } from '../transport/connection.ts'
import { numberOf } from '../transport/json.ts'
import { type RetryPolicy, sendRepeatedly } from '../transport/retry.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { WorkerSettings } from './options.ts'
import { processMetrics } from './process-metrics.ts'
import type { Session } from './session.ts'
import type { Slots } from './slots.ts'
import { sdkVersion } from './version.ts'

export interface Registration {
  /**
   * Announces the worker; while one announcement is on its way, others wait for it. A server that is away or busy is awaited,
   * as polls await it, until the worker drains.
   *
   * @throws RefusedError for a refusal that no waiting heals
   */
  register(): Promise<void>
  /** Keeps the registration fresh until `signal` aborts. */
  heartbeats(signal: AbortSignal): Promise<void>
  /** Withdraws it; the server frees what was leased. A server that does not know it is content too. */
  deregister(): Promise<void>
}

const heartbeatSecondsDefault = 60

function factsOf(error: unknown): Record<string, unknown> {
  return { error: String(error) }
}

const notBuilt = { supported: false, minimum_protocol_version: '1.18', reason: 'not_built' } as const

export function createRegistration(
  session: Session,
  settings: WorkerSettings,
  slots: { readonly workflow: Slots; readonly activity: Slots },
  draining: AbortSignal,
): Registration {
  const { connection } = session
  let heartbeatSeconds = heartbeatSecondsDefault
  let underway: Promise<void> | undefined

  const taskSlots = () => ({ workflow_available: slots.workflow.free, activity_available: slots.activity.free })

  const takeInterval = (reply: unknown) => {
    const seconds = numberOf(reply, 'heartbeat_interval_seconds')
    if (seconds !== undefined && seconds > 0) heartbeatSeconds = seconds
  }

  const announce = async () => {
    const body = await registrationBody(session, settings)
    let isSaid = false
    const send = async () => {
      try {
        return await connection.exchange('registerWorker', { body: { ...body, task_slots: taskSlots() } })
      } catch (error) {
        if (!isSaid) session.log.warn('The server does not answer; the worker registers when it does.', factsOf(error))
        isSaid = true
        throw error
      }
    }
    // As patient as a poll: a deploy of the server may take longer than any number of attempts that we could name.
    const policy: RetryPolicy = { ...session.pollRetry, attemptsMax: Number.POSITIVE_INFINITY }
    const how = { isSafe: true, policy, clock: session.clock, signal: draining }
    try {
      takeInterval(successOf('registerWorker', await sendRepeatedly(send, how)))
    } catch (error) {
      // A worker that drains registers no more.
      if (!draining.aborted) throw error
    }
  }

  const register = () => {
    underway ??= announce().finally(() => {
      underway = undefined
    })
    return underway
  }

  const beat = async () => {
    try {
      const body = { worker_id: session.workerId, task_slots: taskSlots(), process_metrics: processMetrics() }
      takeInterval(await connection.call('heartbeatWorker', { body }))
    } catch (error) {
      if (!RefusedError.is(error) || error.reason !== 'worker_not_registered') throw error
      await register()
    }
  }

  return {
    register,
    async heartbeats(signal) {
      while (!signal.aborted) {
        await wait(session.clock, heartbeatSeconds * 1_000, signal, 'late')
        if (signal.aborted) return
        await beat().catch((error: unknown) => {
          // Nothing is lost yet: the next heartbeat, or a poll's refusal, shows what the server knows.
          session.log.warn('A worker heartbeat was not taken.', { error: String(error) })
        })
      }
    },
    async deregister() {
      try {
        await connection.call('deregisterWorker', { path: { worker_id: session.workerId } })
      } catch (error) {
        if (RefusedError.is(error) && error.facts.status === 404) return
        throw error
      }
    },
  }
}

async function registrationBody(session: Session, settings: WorkerSettings): Promise<RequestOf<'registerWorker'>> {
  const workflows = [...settings.workflows.values()]
  const hasQueries = session.discovery.queryTasks && workflows.some(answersQueries)
  const fingerprints = await Promise.all(
    workflows.map(
      async (workflow) => [workflow.name, await fingerprintOf(workflow, session.buildId)] satisfies [string, string],
    ),
  )
  return {
    worker_id: session.workerId,
    task_queue: session.taskQueue,
    runtime: 'typescript',
    sdk_version: sdkVersion,
    supported_workflow_types: [...settings.workflows.keys()],
    supported_activity_types: [...settings.activities.keys()],
    workflow_definition_fingerprints: Object.fromEntries(fingerprints),
    workflow_command_contracts: Object.fromEntries(
      workflows.map((workflow) => [workflow.name, commandContract(workflow)]),
    ),
    capabilities: hasQueries ? ['query_tasks'] : [],
    capability_manifest: { local_activities: notBuilt, worker_sessions: notBuilt, sticky_execution: notBuilt },
    max_concurrent_workflow_tasks: settings.workflows.size === 0 ? 0 : settings.maxConcurrentWorkflowTasks,
    max_concurrent_activity_tasks: settings.activities.size === 0 ? 0 : settings.maxConcurrentActivityTasks,
    process_metrics: { ...processMetrics() },
    ...(session.buildId === undefined ? {} : { build_id: session.buildId }),
  }
}

export function answersQueries(workflow: WorkflowImplementation): boolean {
  return workflow.handles.some(({ kind }) => kind === 'query')
}

function commandContract(workflow: WorkflowImplementation) {
  const messages = (kind: 'signal' | 'query') => workflow.handles.filter((message) => message.kind === kind)
  const contracts = (kind: 'signal' | 'query') =>
    messages(kind).map(({ name, input }) => ({ name, parameters: input === undefined ? [] : [inputParameter] }))
  return {
    queries: messages('query').map(({ name }) => name),
    query_contracts: contracts('query'),
    signals: messages('signal').map(({ name }) => name),
    signal_contracts: contracts('signal'),
    updates: [],
    update_contracts: [],
    update_validators: [],
  }
}

// A Standard Schema does not say whether undefined passes, so the parameter is not required: the worker's own check decides.
const inputParameter = {
  name: 'input',
  position: 0,
  required: false,
  variadic: false,
  default_available: false,
  default: null,
  type: 'mixed',
  allows_null: true,
} as const

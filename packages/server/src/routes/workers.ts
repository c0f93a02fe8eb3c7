// Registrations of workers (worker plane §4).
import { randomUUID } from 'node:crypto'
import { heartbeatWorker, type JsonObject, type Registration } from '@durable-workflow/engine'
import { defaults, meets, type RequestOf } from '@durable-workflow/protocol'
import { refused } from '../refusal.ts'
import { type Answer, done, type No, no } from '../reply.ts'
import { type Call, type Route, route } from '../route.ts'

export const workerRoutes: readonly Route[] = [
  route('registerWorker', register),
  route('heartbeatWorker', heartbeat),
  route('deregisterWorker', deregister),
]

/** The first line in which a worker may claim cooperative cancellation (C-06). */
const cooperativeSince = '1.20'

async function register({ body, namespace, version, server }: Call<'registerWorker'>): Promise<Answer> {
  const capabilities = body.capabilities ?? []
  const contradiction = contradictionOf(body, capabilities, version)
  if (contradiction !== undefined) return contradiction
  const workerId = body.worker_id ?? randomUUID()
  const { outcome } = await server.engine.register({
    namespace,
    workerId,
    taskQueue: body.task_queue,
    runtime: body.runtime,
    sdkVersion: body.sdk_version ?? undefined,
    buildId: body.build_id ?? undefined,
    protocolVersion: version,
    workflowTypes: body.supported_workflow_types ?? [],
    activityTypes: body.supported_activity_types ?? [],
    capabilities,
    capabilityManifest: body.capability_manifest,
    definitionFingerprints: body.workflow_definition_fingerprints ?? {},
    commandContracts: body.workflow_command_contracts,
    maxConcurrentWorkflowTasks: body.max_concurrent_workflow_tasks ?? defaults.maxConcurrentWorkflowTasks,
    maxConcurrentActivityTasks: body.max_concurrent_activity_tasks ?? defaults.maxConcurrentActivityTasks,
    process: processOf(body.process_metrics),
    liveness: reportOf(body),
    heartbeatIntervalSeconds: body.heartbeat_interval_seconds ?? defaults.workerHeartbeatIntervalSeconds,
  })
  if (outcome.kind !== 'accepted') return refusedRegistration(outcome, workerId)
  const { registration } = outcome.reply
  return done(
    {
      worker_id: registration.workerId,
      registered: true,
      namespace: registration.namespace,
      task_queue: registration.taskQueue,
      runtime: registration.runtime,
      build_id: registration.buildId ?? null,
      // Workers compare what comes back with what they sent.
      capabilities: [...registration.capabilities],
      capability_manifest: registration.capabilityManifest,
      status: registration.status,
      heartbeat_interval_seconds: registration.heartbeatIntervalSeconds,
    },
    { how: 'created' },
  )
}

function refusedRegistration(
  outcome: Parameters<typeof refused>[0] | { readonly kind: 'rejected' },
  workerId: string,
): No {
  if (outcome.kind === 'rejected') throw new Error('A registration is never rejected.')
  const answer = refused(outcome, { worker_id: workerId, registered: false })
  return {
    ...answer,
    facts: { ...answer.facts, remediation: 'Drain the active worker first, or register under another worker id.' },
  }
}

/** What of a registration contradicts itself, or the version of its header. */
function contradictionOf(
  body: RequestOf<'registerWorker'>,
  capabilities: readonly string[],
  version: string,
): No | undefined {
  if (capabilities.includes('cooperative_cancellation') && !meets(version, cooperativeSince)) {
    return no('cooperative_cancellation_protocol_mismatch', {
      registered: false,
      capability: 'cooperative_cancellation',
      requested_version: version,
      minimum_protocol_version: cooperativeSince,
    })
  }
  for (const [capability, entry] of Object.entries(body.capability_manifest ?? {})) {
    if (listedInBoth.has(capability) && entry.supported !== capabilities.includes(capability)) {
      return no('worker_capability_manifest_mismatch', {
        registered: false,
        capability,
        manifest_supported: entry.supported,
      })
    }
    if (entry.supported && !meets(version, entry.minimum_protocol_version)) {
      return no('worker_capability_protocol_floor_mismatch', {
        registered: false,
        capability,
        requested_version: version,
        minimum_protocol_version: entry.minimum_protocol_version,
      })
    }
  }
  return undefined
}

/** Capabilities that every worker since 1.18 states twice, once in each list. */
const listedInBoth: ReadonlySet<string> = new Set(['local_activities', 'worker_sessions', 'sticky_execution'])

/** The parts by which one process of a worker id is told from the next (L-14); undefined when it says none. */
function processOf(metrics: RequestOf<'registerWorker'>['process_metrics']): Registration['process'] {
  if (metrics === undefined) return undefined
  const { host, process_id: processId, process_started_at: startedAt } = metrics
  if (host === undefined && processId === undefined && startedAt === undefined) return undefined
  return { host, processId: processId === undefined ? undefined : String(processId), startedAt }
}

async function heartbeat({ body, namespace, server }: Call<'heartbeatWorker'>): Promise<Answer> {
  const outcome = await server.engine.execute(
    heartbeatWorker({
      namespace,
      workerId: body.worker_id,
      report: reportOf(body),
    }),
  )
  if (outcome.kind === 'refused') return refused(outcome, { worker_id: body.worker_id, namespace })
  const { registration } = outcome.reply
  return done({
    worker_id: registration.workerId,
    acknowledged: true,
    heartbeat_interval_seconds: registration.heartbeatIntervalSeconds,
    stale_after_seconds: defaults.workerStaleAfterSeconds,
  })
}

function reportOf(body: Pick<RequestOf<'heartbeatWorker'>, 'task_slots' | 'process_metrics'>): JsonObject | undefined {
  const { task_slots: slots, process_metrics: metrics } = body
  if (slots === undefined && metrics === undefined) return undefined
  return { task_slots: slots, process_metrics: metrics }
}

async function deregister({ path, namespace, server }: Call<'deregisterWorker'>): Promise<Answer> {
  const workerId = path.worker_id
  const { outcome, recoveredWorkflowTaskCount } = await server.engine.deregister({ namespace, workerId })
  if (outcome.kind === 'refused') return refused(outcome, { worker_id: workerId, namespace })
  if (outcome.kind === 'rejected') throw new Error('A deregistration is never rejected.')
  return done({
    worker_id: workerId,
    outcome: 'deregistered',
    recovered_workflow_task_count: recoveredWorkflowTaskCount,
  })
}

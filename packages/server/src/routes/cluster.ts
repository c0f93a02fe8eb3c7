// Discovery: what this server is and can do (published clients §1). Any role, any version header or none; the same
// capabilities as in every answer of the worker plane.
import { controlPlaneVersion, defaults, documents, limits, specDigests } from '@durable-workflow/protocol'
import { controlCapabilities } from '../capabilities.ts'
import { type Answer, done } from '../reply.ts'
import { type Call, isOn, type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
import type { ServerSettings } from '../settings.ts'
import type { WireFacts } from '../wire-facts.ts'

export const clusterRoutes: readonly Route[] = [route('getClusterInfo', describe, { takesAnyQuery: true })]

function describe({ query, namespace, server }: Call<'getClusterInfo'>): Answer {
  const withDigests = isOn(query?.spec) && server.settings.additions.specDigests
  return done({ ...clusterDocument(server, namespace), spec: withDigests ? digests : undefined })
}

const digests: WireFacts = { documents: { ...specDigests.documents }, operations: { ...specDigests.operations } }

function clusterDocument(server: ServerContext, namespace: string): WireFacts {
  const { settings, capabilities } = server
  return {
    server_id: settings.serverId,
    version: settings.version,
    default_namespace: defaults.namespace,
    namespace: { name: namespace },
    capabilities: controlCapabilities(settings),
    control_plane: {
      version: controlPlaneVersion,
      header: 'X-Durable-Workflow-Control-Plane-Version',
      request_contract: documents.request_contract,
      response_contract: documents.response_contract,
    },
    worker_protocol: {
      version: settings.workerProtocolVersion,
      server_capabilities: capabilities,
      version_negotiation: versionNegotiation(settings.workerProtocolVersion),
    },
    auth_composition_contract: documents.auth_composition_contract,
    limits: {
      max_payload_bytes: settings.payloadBytesMax,
      max_operation_name_length: limits.operationNameBytesMax,
      max_pending_activities: limits.pendingActivitiesMax,
    },
    structural_limits: structuralLimits(settings),
  }
}

function structuralLimits({ payloadBytesMax }: ServerSettings): WireFacts {
  return {
    pending_activity_count: limits.pendingActivitiesMax,
    pending_timer_count: limits.pendingTimersMax,
    pending_signal_count: limits.pendingSignalsMax,
    command_batch_size: limits.commandsPerCompletionMax,
    payload_size_bytes: payloadBytesMax,
    history_transaction_size: limits.historyTransactionEventsMax,
  }
}

function versionNegotiation(advertised: string): WireFacts {
  const { advertised_version_path: path, ...rule } = documents.version_negotiation
  return { advertised_version_path: path, default_advertised_version: advertised, ...rule }
}

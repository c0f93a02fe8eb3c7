// Discovery: what this server is and can do (published clients §1). Any role, any version header or none; the same
// capabilities as in every answer of the worker plane.
import { controlPlaneVersion, limits, refusedFields, specDigests } from '@durable-workflow/protocol'
import { controlAdditions } from '../capabilities.ts'
import { type Answer, done } from '../reply.ts'
import { type Call, isOn, type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
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
    default_namespace: 'default',
    namespace: { name: namespace },
    capabilities: {
      workflow_tasks: true,
      activity_tasks: true,
      signals: true,
      queries: true,
      payload_codecs: ['avro'],
      payload_codec_envelope: true,
      payload_codec_envelope_responses: true,
      ...controlAdditions(settings),
    },
    control_plane: {
      version: controlPlaneVersion,
      header: 'X-Durable-Workflow-Control-Plane-Version',
      request_contract: requestContract,
      response_contract: { schema: 'durable-workflow.v2.control-plane-response', version: 1 },
    },
    worker_protocol: {
      version: settings.workerProtocolVersion,
      server_capabilities: capabilities,
      version_negotiation: versionNegotiation(settings.workerProtocolVersion),
    },
    auth_composition_contract: authComposition,
    limits: {
      max_payload_bytes: settings.payloadBytesMax,
      max_operation_name_length: limits.operationNameBytesMax,
      max_pending_activities: limits.pendingActivitiesMax,
    },
    structural_limits: {
      pending_activity_count: limits.pendingActivitiesMax,
      pending_timer_count: limits.pendingTimersMax,
      pending_signal_count: limits.pendingSignalsMax,
      command_batch_size: limits.commandsPerCompletionMax,
      payload_size_bytes: settings.payloadBytesMax,
      history_transaction_size: limits.historyTransactionEventsMax,
    },
  }
}

const requestContract: WireFacts = {
  schema: 'durable-workflow.v2.control-plane-request.contract',
  version: 1,
  operations: {
    list: {
      fields: {
        status: {
          canonical_values: ['running', 'completed', 'failed'],
          rejected_aliases: { pending: 'running', waiting: 'running' },
        },
      },
    },
    start: {
      fields: {
        duplicate_policy: {
          canonical_values: ['fail', 'use-existing'],
          rejected_aliases: { use_existing: 'use-existing' },
        },
        execution_timeout_seconds: { type: 'integer', minimum: 1 },
        run_timeout_seconds: { type: 'integer', minimum: 1 },
        payload_codec: { canonical_values: ['avro'] },
      },
      unsupported_fields: [...(refusedFields.startWorkflow ?? [])],
    },
    // The published document has it also where updates are not built: clients read the list before they send.
    update: { fields: { wait_for: { canonical_values: ['accepted', 'completed'] } } },
  },
}

function versionNegotiation(advertised: string): WireFacts {
  return {
    advertised_version_path: 'worker_protocol.version',
    default_advertised_version: advertised,
    request_header_rule: 'same_major_and_minor_less_than_or_equal_to_advertised',
    response_version: 'advertised_version',
    fail_closed_on: ['missing_header', 'malformed_version', 'different_major', 'minor_greater_than_advertised'],
  }
}

// Published Python workers check every part of it before they register (published clients §1.3).
const authComposition: WireFacts = {
  schema: 'durable-workflow.v2.auth-composition.contract',
  version: 1,
  precedence: {
    connection_values: ['flag', 'environment', 'selected_profile', 'default'],
    profile_selection: ['flag_env', 'DW_ENV', 'current_profile', 'default_profile'],
  },
  canonical_environment: {
    server_url: 'DURABLE_WORKFLOW_SERVER_URL',
    namespace: 'DURABLE_WORKFLOW_NAMESPACE',
    auth_token: 'DURABLE_WORKFLOW_AUTH_TOKEN',
    tls_verify: 'DURABLE_WORKFLOW_TLS_VERIFY',
    profile: 'DW_ENV',
  },
  auth_material: {
    token: { status: 'supported', effective_config_value: 'redacted' },
    mtls: { status: 'reserved' },
    signed_headers: { status: 'reserved' },
  },
  effective_config: { required_fields: ['server_url', 'namespace', 'profile', 'auth', 'tls', 'identity'] },
  redaction: { never_echo: ['bearer_tokens', 'private_keys', 'raw_authorization_headers'] },
}

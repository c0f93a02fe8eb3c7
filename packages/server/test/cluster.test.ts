import { commandTypes, specDigests } from '@durable-workflow/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allAdditions } from '../src/settings.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served.close())

// What a published worker reads before it registers, without its two memo entries (published clients §1.6, document A).
const documentA = {
  control_plane: {
    version: '2',
    request_contract: {
      schema: 'durable-workflow.v2.control-plane-request.contract',
      version: 1,
      operations: { update: { fields: { wait_for: { canonical_values: ['accepted', 'completed'] } } } },
    },
  },
  worker_protocol: { version: '1.19', server_capabilities: { query_tasks: true } },
  auth_composition_contract: {
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
  },
  limits: { max_payload_bytes: 2_097_152 },
}

test('discovery satisfies what published workers check', async () => {
  const { body } = await served.client.call('getClusterInfo')
  expect(body).toMatchObject(documentA)
  expect(typeof body.version).toBe('string')
})

test('what is not built is absent from discovery', async () => {
  const { body } = await served.client.call('getClusterInfo')
  const capabilities = body.worker_protocol.server_capabilities
  expect(capabilities.supported_workflow_task_commands.toSorted()).toEqual(commandTypes.toSorted())
  for (const name of [
    'cooperative_cancellation',
    'activity_lease_renewal',
    'query_task_authority',
    'worker_deregistration_fencing',
    'sticky_execution',
    'workflow_memo_updates',
    'synchronous_update_validation',
    'update_validation_tasks',
    'observability_context',
    'runtime_external_payload_transport',
  ]) {
    expect(capabilities).not.toHaveProperty(name)
  }
  expect(body.namespace).not.toHaveProperty('external_payload_storage')
})

test('C-03 discovery and every answer of the worker plane carry the same capabilities', async () => {
  const discovery = await served.client.call('getClusterInfo')
  const refusal = await served.client.call('pollWorkflowTask', { body: {} })
  expect(refusal.body.server_capabilities).toEqual(discovery.body.worker_protocol.server_capabilities)
})

test('spec=1 adds the digests of the documents, and nothing else changes', async () => {
  const { spec, ...rest } = (await served.client.call('getClusterInfo', { query: { spec: '1' } })).body
  expect(spec).toEqual(specDigests)
  expect((await served.client.call('getClusterInfo')).body).toEqual(rest)
})

test('discovery is never refused for what stands in its query string', async () => {
  const { status, body } = await served.client.call('getClusterInfo', {
    query: { spec: 'yes', include: 'diagnostics' },
  })
  expect(status).toBe(200)
  expect(body).not.toHaveProperty('spec')
})

test('discovery answers for any namespace, known or not', async () => {
  const { body } = await served.client.call('getClusterInfo', { headers: { 'x-namespace': 'Elsewhere' } })
  expect(body.namespace).toEqual({ name: 'elsewhere' })
})

test('an addition of ours that is switched off is not advertised anywhere', async () => {
  const off = Object.fromEntries(Object.keys(allAdditions).map((name) => [name, false]))
  const bare = await startTestServer({ settings: { additions: { ...allAdditions, ...off } } })
  try {
    const { text } = await bare.client.call('getClusterInfo', { query: { spec: '1' } })
    for (const name of [
      'start_id',
      'wait_closed',
      'spec',
      'history_cache',
      'resolved_waits',
      'millisecond_durations',
      'heartbeat_details',
      'explanation',
    ]) {
      expect(text).not.toContain(`"${name}"`)
    }
  } finally {
    await bare.close()
  }
})

// Discovery: the least document that both published SDKs accept (A), and what they refuse to work without.
import { expect, test } from 'vitest'
import { validators } from '../src/validators.ts'

const documentA = {
  version: '0.1.0',
  control_plane: {
    version: '2',
    request_contract: {
      schema: 'durable-workflow.v2.control-plane-request.contract',
      version: 1,
      operations: { update: { fields: { wait_for: { canonical_values: ['accepted', 'completed'] } } } },
    },
  },
  worker_protocol: {
    version: '1.20',
    server_capabilities: { query_tasks: true, supported_workflow_task_commands: ['schedule_activity'] },
  },
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
  limits: { max_payload_bytes: 2097152 },
}

const shape = validators.getClusterInfo.responses[200]

test('document A is valid on both lines', () => {
  for (const version of ['1.19', '1.20'])
    expect(
      shape?.safeParse({ ...documentA, worker_protocol: { ...documentA.worker_protocol, version } }).error,
    ).toBeUndefined()
})

test('our additions are optional: digests and capabilities pass, and unknown keys survive', () => {
  const document = {
    ...documentA,
    capabilities: { start_id: true, wait_closed: true },
    spec: { documents: {}, operations: {} },
    later: 1,
  }
  expect(shape?.parse(document)).toStrictEqual(document)
})

test.each([
  [
    'the control plane version as a number',
    { ...documentA, control_plane: { ...documentA.control_plane, version: 2 } },
  ],
  ['no request contract', { ...documentA, control_plane: { version: '2' } }],
  ['no worker protocol', { ...documentA, worker_protocol: undefined }],
  ['a malformed worker version', { ...documentA, worker_protocol: { ...documentA.worker_protocol, version: '1' } }],
  ['no auth composition', { ...documentA, auth_composition_contract: undefined }],
  ['a limit of no bytes', { ...documentA, limits: { max_payload_bytes: 0 } }],
])('a document with %s is not valid', (_, document) => {
  expect(shape?.safeParse(document).success).toBe(false)
})

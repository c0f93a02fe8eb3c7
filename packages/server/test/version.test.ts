import { operations } from '@durable-workflow/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { queue, worker } from './support/wire.ts'

const header = 'x-durable-workflow-protocol-version'

describe.each(['1.19', '1.20'] as const)('C-02 a server that advertises %s', (advertised) => {
  let served: TestServer
  beforeAll(async () => {
    served = await startTestServer({ settings: { workerProtocolVersion: advertised } })
  })
  afterAll(() => served.close())

  const poll = (version: string | undefined) =>
    served.client.call('pollActivityTask', {
      headers: { [header]: version },
      body: { worker_id: worker, task_queue: queue, timeout_seconds: 0 },
    })

  test.each([['1.0'], ['1.1'], ['1.8'], ['1.18'], ['1.19']])('admits the header %s', async (version) => {
    expect((await poll(version)).body.reason).toBe('worker_not_registered')
  })

  test('admits 1.20 only when it advertises it', async () => {
    const answer = await poll('1.20')
    expect(answer.body.reason).toBe(advertised === '1.20' ? 'worker_not_registered' : 'unsupported_protocol_version')
  })

  test.each([
    [undefined, 'missing_protocol_version'],
    [' ', 'missing_protocol_version'],
    ['1.21', 'unsupported_protocol_version'],
    ['2.0', 'unsupported_protocol_version'],
    ['0.9', 'unsupported_protocol_version'],
    ['1', 'unsupported_protocol_version'],
    ['x', 'unsupported_protocol_version'],
    ['1.19.0', 'unsupported_protocol_version'],
  ])('refuses the header %j with %s', async (version, reason) => {
    const answer = await poll(version)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ reason, supported_version: advertised, recorded: false })
    expect(answer.body.requested_version).toBe(reason === 'missing_protocol_version' ? null : version)
    expect(answer.body.error).toBe(answer.body.message)
  })

  test('every operation of the worker plane asks for the header', async () => {
    for (const { method, path, plane, stage } of Object.values(operations)) {
      if (plane !== 'worker' || stage !== 'built') continue
      const answer = await served.client.raw(method, path.replaceAll(/[{}]/g, ''))
      expect(answer.body.reason, path).toBe('missing_protocol_version')
    }
  })

  test('discovery takes any version header, and none', async () => {
    for (const version of [undefined, '1.20', '9.9', 'x']) {
      const answer = await served.client.call('getClusterInfo', { headers: { [header]: version } })
      expect(answer.body.worker_protocol.version).toBe(advertised)
    }
  })
})

test('the refusal of a 1.19 server names both remedies: the switch of the SDKs, and the setting of the server', async () => {
  const served = await startTestServer()
  try {
    const { body } = await served.client.call('registerWorker', { headers: { [header]: '1.20' }, body: {} })
    expect(body.remediation).toContain('DURABLE_WORKFLOW_WORKER_PROTOCOL_VERSION=1.19')
    expect(body.remediation).toContain('worker_protocol_version(V119)')
    expect(body.remediation).toContain('DW_WORKER_PROTOCOL_VERSION=1.20')
  } finally {
    await served.close()
  }
})

test('the control plane speaks 2 and nothing else', async () => {
  const served = await startTestServer()
  const control = 'x-durable-workflow-control-plane-version'
  try {
    const missing = await served.client.call('listWorkflows', { headers: { [control]: undefined } })
    expect(missing).toMatchObject({
      status: 400,
      body: { reason: 'missing_control_plane_version', requested_version: null },
    })
    const other = await served.client.call('listWorkflows', { headers: { [control]: '3' } })
    expect(other).toMatchObject({
      status: 400,
      body: { reason: 'unsupported_control_plane_version', supported_version: '2' },
    })
  } finally {
    await served.close()
  }
})

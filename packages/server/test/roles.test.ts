import { builtOperationIds, operations } from '@durable-workflow/protocol'
import { Client } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticator } from '../src/gates/authenticate.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const tokens = [
  { name: 'DW_WORKER_TOKEN', token: 'w', roles: ['worker'] },
  { name: 'DW_OPERATOR_TOKEN', token: 'o', roles: ['operator'] },
  { name: 'DW_ADMIN_TOKEN', token: 'a', roles: ['admin'] },
  { name: 'DW_AUTH_TOKEN', token: 'all', roles: ['worker', 'operator', 'admin'] },
] as const

let served: TestServer
beforeAll(async () => {
  served = await startTestServer({ settings: { tokens } })
})
afterAll(() => served.close())

const roleless = ['getHealth', 'getReady']

test.each(builtOperationIds)('%s is open to its roles and closed to the others', async (id) => {
  const { roles } = operations[id]
  const allowed: readonly string[] = roles
  const path = {
    workflow_id: 'w',
    run_id: 'r',
    signal_name: 's',
    query_name: 'q',
    namespace: 'n',
    task_id: 't',
    query_task_id: 'q',
    worker_id: 'w',
  }
  for (const { token, roles: has } of tokens) {
    const answer = await served.client.call(id, {
      path,
      headers: { authorization: `Bearer ${token}` },
      ...(operations[id].method === 'POST' ? { body: {} } : {}),
    })
    const may = roleless.includes(id) || has.some((role) => allowed.includes(role))
    expect(answer.status === 403, `${id} with ${token}: ${answer.text}`).toBe(!may)
  }
  const nobody = await served.client.call(id, { path, ...(operations[id].method === 'POST' ? { body: {} } : {}) })
  expect(nobody.status === 401, `${id} without a token`).toBe(!roleless.includes(id))
})

test.each([
  ['Bearer w', ['worker']],
  ['bearer  w ', ['worker']],
  ['Bearer all', ['worker', 'operator', 'admin']],
  ['Basic w', undefined],
  ['Bearer', undefined],
  ['Bearer w x', undefined],
  ['Bearer W', undefined],
  ['', undefined],
  [undefined, undefined],
])('the header %j gives the roles %j', (header, roles) => {
  expect(authenticator(tokens)(header)?.roles).toEqual(roles)
})

test('one token of two roles has both', () => {
  const twice = [
    { name: 'DW_WORKER_TOKEN', token: 'same', roles: ['worker'] },
    { name: 'DW_OPERATOR_TOKEN', token: 'same', roles: ['operator'] },
  ] as const
  expect(authenticator(twice)('Bearer same')?.roles).toEqual(['worker', 'operator'])
})

test('each request of a connection is judged by its own header', async () => {
  const connection = new Client(served.url)
  const statusWith = async (authorization: string | undefined): Promise<number> => {
    const version = { 'x-durable-workflow-control-plane-version': '2' }
    const headers = authorization === undefined ? version : { ...version, authorization }
    const { statusCode, body } = await connection.request({ path: '/api/namespaces', method: 'GET', headers })
    await body.dump()
    return statusCode
  }
  const asked = ['Bearer a', 'Bearer a', 'Bearer wrong', 'Bearer a', undefined, 'Bearer w', 'Bearer a']
  const statuses: number[] = []
  for (const authorization of asked) statuses.push(await statusWith(authorization))
  await connection.close()
  expect(statuses).toEqual([200, 200, 401, 200, 401, 403, 200])
})

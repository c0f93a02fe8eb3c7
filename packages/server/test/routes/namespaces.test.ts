import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served.close())

const call: TestServer['client']['call'] = (operation, sent) => served.client.call(operation, sent)

test('the default namespace is there from the start', async () => {
  const { body } = await call('listNamespaces')
  expect(body.namespaces).toMatchObject([{ name: 'default', status: 'active', external_payload_storage: null }])
})

test('a namespace is made, described and listed, in lower case', async () => {
  const made = await call('createNamespace', { body: { name: 'Shop.EU-1', description: null, retention_days: 7 } })
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'shop.eu-1', description: null, retention_days: 7, status: 'active' },
  })
  const described = await call('describeNamespace', { path: { namespace: 'SHOP.eu-1' } })
  expect(described.body).toEqual(made.body)
  expect((await call('listNamespaces')).body.namespaces).toContainEqual(made.body)
  // A new namespace takes requests at once.
  expect((await call('listWorkflows', { headers: { 'x-namespace': 'Shop.EU-1' } })).body.workflows).toEqual([])
})

test('retention is 30 days when nobody says', async () => {
  expect((await call('createNamespace', { body: { name: 'plain' } })).body.retention_days).toBe(30)
})

test('the same name again is refused, in any case', async () => {
  await call('createNamespace', { body: { name: 'taken' } })
  const before = served.tables()
  const again = await call('createNamespace', { body: { name: 'TAKEN' } })
  expect(again).toMatchObject({ status: 409, body: { reason: 'namespace_already_exists', recorded: false } })
  expect(served.tables()).toEqual(before)
})

test('one that is not there is not described', async () => {
  const answer = await call('describeNamespace', { path: { namespace: 'nowhere' } })
  expect(answer).toMatchObject({
    status: 404,
    body: { reason: 'namespace_not_found', namespace: 'nowhere', recorded: false },
  })
})

test.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: 'with space' }, 'name'],
  [{ name: 'x'.repeat(129) }, 'name'],
  [{ name: 'n', description: 'x'.repeat(1001) }, 'description'],
  [{ name: 'n', retention_days: 0 }, 'retention_days'],
  [{ name: 'n', retention_days: 366 }, 'retention_days'],
])('refuses %j and names %s', async (body, field) => {
  const before = served.tables()
  const answer = await call('createNamespace', { body })
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors)).toEqual([field])
  expect(served.tables()).toEqual(before)
})

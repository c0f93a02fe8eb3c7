// Who may ask what, where: every operation of the documents, built and planned, by every principal, in every namespace. What
// must come is worked out here from the documents' roles and the order of the gates; what passes them is another table's.
import { Client } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocumentedOperation, documentedOperations } from '../../protocol/test/documented-operations.ts'
import { authenticator } from '../src/gates/authenticate.ts'
import { type Asked, ask, isNamespaced, takesBody } from './support/documented-requests.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const tokens = [
  { name: 'DW_WORKER_TOKEN', token: 'w', roles: ['worker'] },
  { name: 'DW_OPERATOR_TOKEN', token: 'o', roles: ['operator'] },
  { name: 'DW_ADMIN_TOKEN', token: 'a', roles: ['admin'] },
  { name: 'DW_AUTH_TOKEN', token: 'all', roles: ['worker', 'operator', 'admin'] },
  // One token, configured for two roles.
  { name: 'DW_WORKER_TOKEN', token: 'two', roles: ['worker'] },
  { name: 'DW_OPERATOR_TOKEN', token: 'two', roles: ['operator'] },
] as const

interface Principal {
  readonly token: string | undefined
  /** Undefined: nobody. */
  readonly roles: readonly string[] | undefined
}

const principals: Readonly<Record<string, Principal>> = {
  'no token': { token: undefined, roles: undefined },
  'unknown token': { token: 'nobody', roles: undefined },
  worker: { token: 'w', roles: ['worker'] },
  operator: { token: 'o', roles: ['operator'] },
  admin: { token: 'a', roles: ['admin'] },
  'all roles': { token: 'all', roles: ['worker', 'operator', 'admin'] },
  'worker and operator': { token: 'two', roles: ['worker', 'operator'] },
}

interface Place {
  readonly sent: Pick<Asked, 'namespace' | 'query'> & { readonly body?: Readonly<Record<string, string>> }
  readonly exists: boolean
}

const places: Readonly<Record<string, Place>> = {
  'none given': { sent: {}, exists: true },
  'an empty header': { sent: { namespace: '' }, exists: true },
  default: { sent: { namespace: 'default' }, exists: true },
  'in capitals': { sent: { namespace: 'DEFAULT' }, exists: true },
  another: { sent: { namespace: 'elsewhere' }, exists: true },
  unknown: { sent: { namespace: 'nowhere' }, exists: false },
  malformed: { sent: { namespace: 'no such/../name' }, exists: false },
  'too long': { sent: { namespace: 'n'.repeat(200) }, exists: false },
  'another by query': { sent: { query: { namespace: 'elsewhere' } }, exists: true },
  'unknown by query': { sent: { query: { namespace: 'nowhere' } }, exists: false },
  'malformed by query': { sent: { query: { namespace: '\u0000' } }, exists: false },
  'a header before a query': { sent: { namespace: 'elsewhere', query: { namespace: 'nowhere' } }, exists: true },
  'an unknown header before a query': {
    sent: { namespace: 'nowhere', query: { namespace: 'elsewhere' } },
    exists: false,
  },
  // No document has a namespace in a body: what stands there is not looked at.
  'unknown in the body': { sent: { body: { namespace: 'nowhere' } }, exists: true },
}

const operations = await documentedOperations()

type Expected = { readonly status: number; readonly reason: string } | 'passes'

/** The first no of the gates: token, role, (version,) planned, namespace. */
function expected(operation: DocumentedOperation, { roles }: Principal, place: Place): Expected {
  const isPublic = operation.roles.length === 0
  if (!isPublic && roles === undefined) return { status: 401, reason: 'unauthorized' }
  if (!isPublic && !operation.roles.some((role) => roles?.includes(role))) return { status: 403, reason: 'forbidden' }
  if (operation.stage === 'planned') return { status: 501, reason: 'not_implemented' }
  if (isNamespaced(operation) && !place.exists) return { status: 404, reason: 'namespace_not_found' }
  return 'passes'
}

/** What only a gate says. */
const gateReasons: readonly string[] = ['unauthorized', 'forbidden', 'not_implemented', 'backend_unavailable']

let served: TestServer
beforeAll(async () => {
  served = await startTestServer({ settings: { tokens } })
  const made = await served.client.call('createNamespace', {
    body: { name: 'elsewhere' },
    headers: { authorization: 'Bearer a' },
  })
  expect(made.status).toBe(201)
})
afterAll(() => served.close())

const statuses = new Map<string, Map<number, number>>()

test.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s is open to its roles, in namespaces that exist, and records nothing for others',
  async (id, operation) => {
    const before = served.tables()
    for (const [who, principal] of Object.entries(principals)) {
      for (const [where, place] of Object.entries(places)) {
        const what = `${id} by ${who}, namespace ${where}`
        const { body = {}, ...sent } = place.sent
        const answer = await ask(served.client, operation, {
          ...sent,
          ...(principal.token === undefined ? {} : { token: principal.token }),
          ...(takesBody(operation) ? { body } : {}),
        })
        const counted = statuses.get(who) ?? new Map<number, number>()
        statuses.set(who, counted.set(answer.status, (counted.get(answer.status) ?? 0) + 1))
        expect(operation.problemsOf(answer.status, answer.body), what).toEqual([])
        const wanted = expected(operation, principal, place)
        const { reason, recorded } = answer.body
        if (answer.status === 501) expect(answer.body.operation, what).toBe(id)
        if (wanted !== 'passes') {
          expect({ status: answer.status, reason, recorded }, what).toEqual({ ...wanted, recorded: false })
        } else {
          expect(gateReasons, `${what}: ${answer.text}`).not.toContain(reason)
          if (id !== 'describeNamespace') expect(reason, `${what}: ${answer.text}`).not.toBe('namespace_not_found')
        }
      }
    }
    // Nothing of it had an effect: no body was whole, and no id was known.
    expect(served.tables()).toEqual(before)
  },
)

afterAll(() => {
  const lines = [...statuses].map(([who, counted]) => {
    const cells = [...counted].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`)
    return `${who.padEnd(20)} ${cells.join(' ')}`
  })
  console.log(
    `${operations.length} operations × ${Object.keys(places).length} namespaces, by principal:\n${lines.join('\n')}`,
  )
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

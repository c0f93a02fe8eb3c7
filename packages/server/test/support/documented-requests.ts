// A right request of any operation of the documents, as the tables of refusals begin with.
import { protocolHeaders } from '@durable-workflow/protocol'
import type { DocumentedOperation } from '../../../protocol/test/documented-operations.ts'
import { bodies } from './good-bodies.ts'
import type { Answered, Sent, TestClient } from './test-client.ts'

export interface Asked extends Sent {
  /** Header `X-Namespace`; none when absent. */
  readonly namespace?: string
  readonly token?: string
}

/** Sends a request to an operation with the version that its plane wants; headers of `asked` win. */
export function ask(client: TestClient, operation: DocumentedOperation, asked: Asked): Promise<Answered> {
  const { namespace, token, path, ...sent } = asked
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path?.[name] ?? 'nothing'),
  )
  return client.raw(operation.method, target, {
    ...sent,
    headers: {
      ...versionHeaders(operation),
      'x-namespace': namespace,
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      ...sent.headers,
    },
  })
}

export function versionHeader(operation: DocumentedOperation): string | undefined {
  if (operation.plane === 'worker') return protocolHeaders.workerProtocolVersion
  return operation.plane === 'control' ? protocolHeaders.controlPlaneVersion : undefined
}

function versionHeaders(operation: DocumentedOperation): Readonly<Record<string, string>> {
  const header = versionHeader(operation)
  return header === undefined ? {} : { [header]: operation.plane === 'worker' ? '1.19' : '2' }
}

export function takesBody({ method }: DocumentedOperation): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

/** A body that the operation's document takes; undefined where it has none. */
export function goodBodyOf({ id, body }: DocumentedOperation): Readonly<Record<string, unknown>> | undefined {
  if (body === undefined) return undefined
  const known: Readonly<Record<string, object | undefined>> = bodies
  const isOfActivity = /^(heartbeat|complete|fail)ActivityTask$/.test(id)
  return { ...known[id], ...(isOfActivity ? { activity_attempt_id: 'nothing' } : {}) }
}

/** Whether an operation is served within a namespace, by its document: it takes the header and may not find the namespace. */
export function isNamespaced(operation: DocumentedOperation): boolean {
  const takesHeader = operation.parameters.some(({ name }) => name.toLowerCase() === protocolHeaders.namespace)
  return takesHeader && !operation.path.startsWith('/api/namespaces') && operation.plane !== 'system'
}

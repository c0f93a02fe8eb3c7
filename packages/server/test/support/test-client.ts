// A client that believes nothing: every answer must have a documented status and a body that its document accepts, and
// must carry what its plane promises.
import { type BuiltOperationId, operations, protocolHeaders, reasons } from '@durable-workflow/protocol'
import { validatorsOf } from '@durable-workflow/protocol/validators'
import { expect } from 'vitest'

export interface Sent {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Instead of `body`: the bytes as they are. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>
  /** A header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** A test reads what came, whatever it is: the document was checked before. */
  readonly body: ReturnType<typeof JSON.parse>
}

export interface TestClient {
  /** Calls an operation with the headers of a good client, and judges the answer by its document. */
  call(operation: BuiltOperationId, sent?: Sent): Promise<Answered>
  /** Sends anything, and judges nothing. */
  raw(method: string, path: string, sent?: Sent): Promise<Answered>
}

export function createTestClient(url: string, version: '1.19' | '1.20'): TestClient {
  const raw: TestClient['raw'] = async (method, path, sent = {}) => {
    const body = sent.rawBody ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const given = { 'content-type': body === undefined ? undefined : 'application/json', ...sent.headers }
    const headers = Object.entries(given).filter((header): header is [string, string] => header[1] !== undefined)
    const query = sent.query === undefined ? '' : `?${new URLSearchParams(sent.query)}`
    const response = await fetch(`${url}${path}${query}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(sent.signal === undefined ? {} : { signal: sent.signal }),
    })
    const text = await response.text()
    const headersOf = Object.fromEntries(response.headers)
    const isPlain = headersOf['content-type']?.startsWith('text/plain') === true
    return { status: response.status, headers: headersOf, text, body: isPlain ? text : JSON.parse(text) }
  }
  return {
    raw,
    async call(id, sent = {}) {
      const operation = operations[id]
      const plane = planeHeaders(operation.plane, version)
      const answer = await raw(operation.method, pathOf(operation.path, sent.path ?? {}), {
        ...sent,
        headers: { ...plane, ...sent.headers },
      })
      judge(id, answer, version)
      return answer
    },
  }
}

function pathOf(template: string, path: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
}

function planeHeaders(plane: string, version: string): Record<string, string> {
  switch (plane) {
    case 'worker':
      return { [protocolHeaders.workerProtocolVersion]: version }
    case 'control':
      return { [protocolHeaders.controlPlaneVersion]: '2' }
    default:
      return {}
  }
}

/** What every answer must be. */
export function judge(id: BuiltOperationId, answer: Answered, version: '1.19' | '1.20'): void {
  const { plane, path, documentedStatuses } = operations[id]
  const statuses: readonly number[] = documentedStatuses
  expect(statuses, `${id} answered ${answer.status}: ${answer.text}`).toContain(answer.status)
  const validator = validatorsOf[version][id].responses[answer.status]
  const checked = validator?.safeParse(answer.body)
  expect(checked?.error?.issues ?? [], `${id} ${answer.status}: ${answer.text}`).toEqual([])
  if (typeof answer.body.reason === 'string' && answer.status >= 400) expectListed(id, answer)
  if (plane === 'worker') {
    expect(answer.headers[protocolHeaders.workerProtocolVersion]).toBe(version)
    expect(answer.body.protocol_version).toBe(version)
    expect(answer.body.server_capabilities.query_tasks).toBe(true)
  } else {
    expect(answer.headers[protocolHeaders.controlPlaneVersion]).toBe('2')
  }
  if (path.startsWith('/api/workflows')) expectControlPlane(id, answer)
  const isMetrics = id === 'getMetrics' || id === 'getPrometheusMetrics'
  expect(answer.headers['content-type']).toContain(
    isMetrics && answer.status === 200 ? 'text/plain' : 'application/json',
  )
}

/** The catalogue lists the reason for the operation, with this status, as one that is given. */
function expectListed(id: BuiltOperationId, answer: Answered): void {
  const found = Object.entries(reasons).find(([reason]) => reason === answer.body.reason)?.[1]
  const listed: readonly string[] = found?.operations ?? []
  const exceptions: Readonly<Record<string, number>> = found?.statusOf ?? {}
  expect(listed, `${id} refuses with ${answer.body.reason}`).toContain(id)
  expect(found?.stage, `${id} refuses with ${answer.body.reason}`).toBe('built')
  expect(exceptions[id] ?? found?.status, `${id} refuses with ${answer.body.reason}`).toBe(answer.status)
}

/** Clients that check it refuse an answer under /api/workflows that does not say what it is about. */
function expectControlPlane(id: BuiltOperationId, answer: Answered): void {
  const about = answer.body.control_plane
  expect(about, `${id} ${answer.status}: ${answer.text}`).toMatchObject({
    schema: 'durable-workflow.v2.control-plane-response',
    version: 1,
    contract: {
      schema: 'durable-workflow.v2.control-plane-response.contract',
      legacy_field_policy: 'reject_non_canonical',
    },
  })
  for (const field of about.contract.required_fields) expect(about[field], `${id}: ${field}`).toBeTruthy()
  if (answer.status < 400)
    for (const field of about.contract.success_fields) expect(about, `${id}: ${field}`).toHaveProperty(field)
  for (const legacy of Object.keys(about.contract.legacy_fields)) expect(answer.body).not.toHaveProperty(legacy)
  if (about.workflow_id && answer.body.workflow_id) expect(answer.body.workflow_id).toBe(about.workflow_id)
}

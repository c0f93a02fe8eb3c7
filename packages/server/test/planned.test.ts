import { operations } from '@durable-workflow/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served.close())

const planned = Object.entries(operations).filter(([, { stage }]) => stage === 'planned')
const headers = { 'x-durable-workflow-protocol-version': '1.19', 'x-durable-workflow-control-plane-version': '2' }

test('updates, schedules and search attributes are still planned', () => {
  const ids = planned.map(([id]) => id)
  expect(ids).toContain('updateWorkflow')
  expect(ids).toContain('archiveWorkflow')
  expect(ids.length).toBeGreaterThan(50)
})

test.each(planned)('%s answers 501 by name', async (id, { method, path, plane }) => {
  const before = served.tables()
  const answer = await served.client.raw(method, path.replaceAll(/[{}]/g, ''), {
    headers: { ...headers, 'content-type': method === 'GET' ? undefined : 'application/octet-stream' },
    ...(method === 'GET' || method === 'DELETE' ? {} : { rawBody: 'anything' }),
  })
  expect(answer).toMatchObject({ status: 501, body: { reason: 'not_implemented', operation: id, recorded: false } })
  if (plane === 'worker') expect(answer.body.protocol_version).toBe('1.19')
  if (path.startsWith('/api/workflows')) expect(answer.body.control_plane.operation).not.toBe('')
  expect(served.tables()).toEqual(before)
})

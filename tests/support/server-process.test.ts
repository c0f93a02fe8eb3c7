import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { jsonClient } from './http.ts'
import { startServer } from './server-process.ts'

const started = { workflow_type: 'sample', task_queue: 'nobody', workflow_id: 'kept' }

test('a server starts on a free port with a database of its own, and leaves nothing behind', async () => {
  const server = await startServer({ workerProtocolVersion: '1.20' })
  await using client = jsonClient({ url: server.url })
  expect(server.ready).toMatchObject({ ready: true, url: server.url, worker_protocol: '1.20' })
  expect((await client.control('GET', '/ready')).status).toBe(200)
  const file = server.databaseFile ?? ''
  expect(existsSync(file)).toBe(true)
  expect(await server.stop()).toEqual({ code: 0, signal: null })
  await server.remove()
  expect(existsSync(dirname(file))).toBe(false)
})

test('a killed server comes back on the same port with the same database', async () => {
  await using server = await startServer()
  await using client = jsonClient({ url: server.url })
  expect((await client.control('POST', '/workflows', started)).status).toBe(201)
  const { pid, url } = server
  expect(await server.kill()).toEqual({ code: null, signal: 'SIGKILL' })
  await server.restart()
  expect(server.url).toBe(url)
  expect(server.pid).not.toBe(pid)
  await using again = jsonClient({ url: server.url })
  expect((await again.control('GET', '/workflows/kept')).status).toBe(200)
})

test('a server that cannot start fails with what it said, and leaves nothing behind', async () => {
  const start = startServer({ env: { DW_NO_SUCH_SETTING: '1' } })
  await expect(start).rejects.toThrow(/before its ready line[\s\S]*DW_NO_SUCH_SETTING/)
})

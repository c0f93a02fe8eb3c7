import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'

test('a test may not connect beyond this machine, by any way of naming the host', async () => {
  expect(() => connect(80, '192.0.2.1')).toThrow(/loopback only, not to 192\.0\.2\.1/)
  expect(() => connect({ port: 80, host: 'example.test' })).toThrow(/example\.test/)
  await expect(fetch('http://192.0.2.1/')).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringMatching(/loopback only/) }),
  })
})

test('loopback stays open', async () => {
  await using server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const socket = connect(address.port, '127.0.0.1')
  const [data] = await once(socket, 'data')
  expect(`${data}`).toBe('hello')
  socket.destroy()
})

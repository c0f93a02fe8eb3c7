import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startTcpProxy } from './tcp-proxy.ts'
import { waitFor } from './wait-for.ts'

/** A server that says everything again. */
async function startEcho() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

async function open(port: number) {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += String(chunk)
  })
  await once(socket, 'connect')
  return { say: (text: string) => socket.write(text), heard: () => heard, socket }
}

test('bytes pass, then none, then those of new connections; no connection ends', async () => {
  await using echo = await startEcho()
  await using proxy = await startTcpProxy(echo.port)
  const before = await open(proxy.port)
  before.say('one')
  await waitFor('the echo', () => before.heard() === 'one')
  proxy.swallow()
  before.say('two')
  const during = await open(proxy.port)
  during.say('three')
  proxy.pass()
  const after = await open(proxy.port)
  after.say('four')
  await waitFor('the echo of a new connection', () => after.heard() === 'four')
  expect([before.heard(), during.heard()]).toEqual(['one', ''])
  expect([before, during, after].map(({ socket }) => socket.destroyed)).toEqual([false, false, false])
  for (const { socket } of [before, during, after]) socket.destroy()
})

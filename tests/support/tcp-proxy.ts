// A network between a client and a server that may swallow every byte: nobody is told, no connection ends.
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** From now on no byte arrives, neither on open connections nor on new ones, which are taken all the same. */
  swallow(): void
  /** New connections pass again; those that lost bytes stay dumb. */
  pass(): void
}

/** Starts a proxy on a free port of loopback in front of a port of loopback. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const dumb = new Set<Socket>()
  let isSwallowing = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      dumb.delete(socket)
    })
    // A reset of one side is the end of the other, below.
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((near) => {
    keep(near)
    if (isSwallowing) {
      near.resume()
      return
    }
    const far = connect(targetPort, '127.0.0.1')
    keep(far)
    near.on('data', (chunk) => {
      if (!dumb.has(near)) far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (!dumb.has(far)) near.write(chunk)
    })
    near.on('close', () => far.destroy())
    far.on('close', () => {
      if (!dumb.has(far)) near.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    swallow() {
      isSwallowing = true
      for (const socket of sockets) dumb.add(socket)
    },
    pass() {
      isSwallowing = false
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

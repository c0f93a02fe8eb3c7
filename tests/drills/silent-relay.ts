// A network that does not tell: bytes go both ways, but when the client's side dies the server's side stays open, as
// behind a gateway that lost its table. So a poll of a dead process goes on being held (L-06).
import { connect, createServer, type Socket } from 'node:net'

export interface SilentRelay extends AsyncDisposable {
  readonly url: string
}

export async function startSilentRelay(targetPort: number): Promise<SilentRelay> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The end of either side is what this relay keeps to itself.
    socket.on('error', () => socket.destroy())
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: targetPort })
    keep(near)
    keep(far)
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => {
      if (near.writable) near.write(chunk)
    })
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

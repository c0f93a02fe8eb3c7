// The way of the workers to the server: it changes no byte, and holds a chosen report back until the driver lets it go.
import { Agent, createServer, request as send } from 'node:http'

/** A report that was held, as it was answered in the end. */
export interface Report {
  readonly path: string
  readonly status: number
  readonly body: string
}

interface Hold {
  readonly path: RegExp
  readonly arrived: () => void
  readonly released: Promise<void>
  readonly answered: (report: Report) => void
}

export interface Held {
  /** A report has come, and waits. */
  readonly arrived: Promise<void>
  /** Lets it go. @returns how the server answered it */
  release(): Promise<Report>
}

export interface Relay {
  readonly url: string
  /** Holds the next report of that kind. */
  hold(kind: string): Held
  close(): void
}

/** @param target  `http://127.0.0.1:PORT`; the server may restart there */
export async function startRelay(target: string): Promise<Relay> {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(target)
  const holds: Hold[] = []
  const server = createServer(async (incoming, answer) => {
    const path = incoming.url ?? '/'
    const at = holds.findIndex((hold) => incoming.method === 'POST' && hold.path.test(path))
    const [hold] = at === -1 ? [] : holds.splice(at, 1)
    hold?.arrived()
    await hold?.released
    const onward = send(
      { agent, hostname, port, path, method: incoming.method, headers: incoming.headers },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => {
          hold?.answered({ path, status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') })
        })
        answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
        reply.pipe(answer)
        reply.on('error', () => answer.destroy())
      },
    )
    // The server is away, or the worker has gone: either side hears of it as a connection that breaks.
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    hold(kind) {
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<Report>()
      holds.push({
        path: new RegExp(`/${kind}/[^/]+/(complete|fail)$`),
        arrived: arrived.resolve,
        released: released.promise,
        answered: answered.resolve,
      })
      return {
        arrived: arrived.promise,
        release: () => {
          released.resolve()
          return answered.promise
        },
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

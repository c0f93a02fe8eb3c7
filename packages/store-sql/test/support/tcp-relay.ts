// A relay in front of a database, that loses what a test says. It changes no byte of what it lets through.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `lose replies`: what the server says next reaches nobody. `lose requests`: nor does what it is asked. */
type Fault = 'lose replies' | 'lose requests' | 'swallow everything'

export interface TcpRelay extends AsyncDisposable {
  /** The URL of the database, through the relay. */
  readonly url: string
  /** From now on; connections that meet a lost message are reset, those that are swallowed stay open. */
  fault: Fault | undefined
  /** How often the client spoke and was then answered, on all connections together. */
  turns: number
  /** Whether new connections are taken. */
  isOpen: boolean
  close(): Promise<void>
}

export async function relayTo(databaseUrl: string): Promise<TcpRelay> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const reset = (...ends: readonly Socket[]) => {
    for (const end of ends) end.resetAndDestroy()
  }
  const server = createServer((client) => {
    if (!relay.isOpen) {
      reset(client)
      return
    }
    let lastToSpeak: Socket | undefined
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to, lost] of [
      [client, upstream, 'lose requests'],
      [upstream, client, 'lose replies'],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (relay.fault === 'swallow everything') return
        if (from === client && lastToSpeak !== client) relay.turns += 1
        lastToSpeak = from
        if (relay.fault === lost) reset(client, upstream)
        else to.write(bytes)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const close = async () => {
    reset(...sockets)
    server.close()
    await once(server, 'close')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String(portOf(server.address()))
  const relay: TcpRelay = {
    url: url.href,
    fault: undefined,
    turns: 0,
    isOpen: true,
    close,
    [Symbol.asyncDispose]: close,
  }
  return relay
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.')
  return address.port
}

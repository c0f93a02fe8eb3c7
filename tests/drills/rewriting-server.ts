// Stands before a real server and changes the bodies of its refusals: an older server, or one that mixes tasks up.
import { createServer, type IncomingMessage } from 'node:http'
import { Agent, request } from 'undici'
import { type JsonObject, parseJsonObject } from '../support/process.ts'

export interface RewritingServer extends AsyncDisposable {
  readonly url: string
}

/** @param rewrite  the body that the client gets instead of a 409's own */
export async function startRewritingServer(
  targetUrl: string,
  rewrite: (body: JsonObject) => JsonObject,
): Promise<RewritingServer> {
  const agent = new Agent({ connections: 64 })
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const forward = async (): Promise<void> => {
      const body = await readAll(incoming)
      const answer = await request(`${targetUrl}${incoming.url ?? '/'}`, {
        method: incoming.method ?? 'GET',
        dispatcher: agent,
        headers: headersOf(incoming),
        signal: gone.signal,
        ...(body.length === 0 ? {} : { body }),
      })
      const text = await answer.body.text()
      const refusal = answer.statusCode === 409 ? parseJsonObject(text) : undefined
      outgoing.writeHead(answer.statusCode, { 'content-type': 'application/json' })
      outgoing.end(refusal === undefined ? text : JSON.stringify(rewrite(refusal)))
    }
    // The server behind or the client went: the connection breaks, as without this one.
    forward().catch(() => outgoing.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
      await agent.destroy()
    },
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const kept = /^(content-type|accept|authorization|x-namespace|x-durable-workflow-.*)$/

function headersOf(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === 'string' && kept.test(name)) headers[name] = value
  }
  return headers
}

// A server process that only answers: one Fastify route with a body schema; prints its port as a JSON line.
import Fastify from 'fastify'

const app = Fastify()
app.post('/empty', { schema: { body: { type: 'object' } } }, async () => ({ recorded: true }))
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
console.log(JSON.stringify({ ready: true, port: typeof address === 'string' ? undefined : address?.port }))

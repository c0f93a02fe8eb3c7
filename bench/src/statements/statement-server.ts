// The server with ears at its database driver: `statement-server.ts DATABASE_URL TOKEN`.
//
// The same wiring as the product's own program; it prints one JSON line when it takes polls, and its counts so far
// whenever it gets SIGUSR2.
import { createEngine } from '@durable-workflow/engine'
import { createServer } from '@durable-workflow/server'
import { openStore } from '@durable-workflow/store-sql'
import { createCounts } from './counts.ts'

const [databaseUrl, token] = process.argv.slice(2)
if (databaseUrl === undefined || token === undefined) throw new Error('usage: statement-server.ts DATABASE_URL TOKEN')

const counts = createCounts()
const store = await openStore(databaseUrl, { onStatement: counts.statement })
const engine = createEngine({ store, probe: { reached: async (point, kinds) => counts.reached(point, kinds) } })
const server = createServer({
  engine,
  store,
  settings: { tokens: [{ name: 'bench', token, roles: ['worker', 'operator', 'admin'] }] },
})
await engine.start()
const url = await server.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGUSR2', () => console.log(JSON.stringify({ counts: counts.soFar() })))
process.once('SIGTERM', () => {
  void server
    .close()
    .then(() => store.close())
    .then(() => process.exit(0))
})
console.log(JSON.stringify({ ready: true, url }))

// Does the steps of cells: one line of JSON in, one line of JSON out.
import { createInterface } from 'node:readline'
import { createClient } from '@durable-workflow/sdk/client'
import { z } from 'zod'
import { startRelay } from './relay.ts'
import { createSteps } from './steps.ts'

const Request = z.object({ id: z.int(), step: z.looseObject({ do: z.string() }), remainingMs: z.number() })

const server = process.env.SERVER_URL ?? ''
const client = createClient({ server })
const relay = await startRelay(server)
const take = createSteps({ client, relay, taskQueue: process.env.WORKER_QUEUE ?? 'default' })

const lines = createInterface({ input: process.stdin })
// A step that waits for a worker that has died ends with the driver, not at its deadline.
const stopped = new AbortController()
process.once('SIGTERM', () => {
  stopped.abort(new Error('the driver was stopped'))
  lines.close()
})
console.log(JSON.stringify({ ready: true, url: relay.url }))

for await (const line of lines) {
  const { id, step, remainingMs } = Request.parse(JSON.parse(line))
  console.log(JSON.stringify({ id, ...(await answerTo(step, remainingMs)) }))
}
relay.close()
await client.close()

async function answerTo(step: Readonly<Record<string, unknown>>, remainingMs: number) {
  try {
    return { ok: true, ...(await take(step, AbortSignal.any([stopped.signal, AbortSignal.timeout(remainingMs)]))) }
  } catch (error) {
    return { ok: false, trouble: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}

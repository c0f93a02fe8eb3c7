// `npm start`: a server, a worker, two orders, and what to type next. One order stays open; the next start resumes it.
import { join } from 'node:path'
import { type Client, createClient, type RunItem } from '@durable-workflow/sdk/client'
import { approved, checkout } from './contracts.ts'
import { narrate } from './narrate.ts'
import { root, startProgram, startServer } from './programs.ts'

const leaseSeconds = 5
const startedAt = Number(process.env.RUN_STARTED_AT ?? Date.now())
const databaseFile = process.env.QUICKSTART_DATABASE ?? join(root, '.data/quickstart.db')
const port = Number(process.env.DW_PORT ?? 7400)

const secondsPassed = () => ((Date.now() - startedAt) / 1_000).toFixed(1)
const say = (line: string) => console.log(`[${secondsPassed()} s] ${line}`)

const stopping = Promise.withResolvers<'stopped'>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.resolve('stopped'))

say(`starting the server on sqlite:${databaseFile} (leases of ${leaseSeconds} s, so that a crash is noticed soon)`)
const server = await startServer({ databaseFile, port, leaseSeconds })
say(`server accepts polls at ${server.url}`)
const worker = await startProgram(join(import.meta.dirname, 'worker.ts'), {
  env: { DURABLE_WORKFLOW_SERVER_URL: server.url },
})
say(`worker ${worker.ready.workerId} is ready (process ${worker.pid})`)

const client = createClient({ server: server.url })
const outcome = await Promise.race([runOrders(client), stopping.promise])
if (outcome !== 'stopped') {
  printNext(outcome)
  const died = Promise.race([worker.ended, server.ended]).then(
    (code) => `a process ended by itself (${code ?? 'by a signal'})`,
  )
  const end = await Promise.race([stopping.promise, died])
  if (end !== 'stopped') {
    process.exitCode = 1
    say(end)
  }
}
say('stopping: the worker drains, then the server closes')
await client.close()
await worker.stop()
await server.stop()
say('stopped. What is open waits in the database; `npm start` resumes it.')

/** @returns the id of the order that stays open */
async function runOrders(client: Client): Promise<string> {
  const known = await ordersSoFar(client)
  for (const run of known.filter(({ status }) => ['pending', 'running', 'waiting'].includes(status)))
    await resume(client, run)

  const first = `order-${known.length + 1}`
  say(`starting ${first}: pay, reserve (the warehouse fails twice), wait 1 s, wait for an approval`)
  await approveWhenAsked(client, first)
  say(`first finished run after ${secondsPassed()} s`)

  const second = `order-${known.length + 2}`
  say(`starting ${second}, which nobody approves yet`)
  const open = await client.start(checkout, { id: second, input: { id: second, cents: 9_900 }, taskQueue: 'orders' })
  await narrate(open, 'SignalWaitOpened', say)
  for (const line of await open.explain()) say(`  ${second}: ${line}`)
  return second
}

async function ordersSoFar(client: Client): Promise<RunItem[]> {
  const runs: RunItem[] = []
  for await (const run of client.list({ type: checkout })) runs.push(run)
  return runs
}

async function resume(client: Client, { workflowId, startedAt: since }: RunItem): Promise<void> {
  const handle = client.get(checkout, workflowId)
  say(`resuming ${workflowId}, open since ${since?.toISOString() ?? 'an earlier start'}`)
  const told = await narrate(handle, 'SignalWaitOpened', () => {})
  say(`  ${workflowId}: its ${told} events are as they were; approving it now`)
  await handle.signal(approved, { by: 'the second start' })
  await narrate(handle, 'WorkflowCompleted', say, told)
  say(`  ${workflowId}: ${JSON.stringify(await handle.result())}`)
}

async function approveWhenAsked(client: Client, id: string): Promise<void> {
  const run = await client.start(checkout, { id, input: { id, cents: 4_200 }, taskQueue: 'orders' })
  const told = await narrate(run, 'SignalWaitOpened', say)
  await run.signal(approved, { by: 'ada' })
  await narrate(run, 'WorkflowCompleted', say, told)
  say(`  ${id}: ${JSON.stringify(await run.result())}`)
}

function printNext(open: string): void {
  const headers = `-H 'X-Durable-Workflow-Control-Plane-Version: 2'`
  const lines = [
    '',
    `The server listens at ${server.url}; ${open} is open and waits for an approval.`,
    'What to type next, in another terminal:',
    `  curl ${headers} ${server.url}/api/workflows/${open}/debug     # why it waits`,
    `  curl ${headers} ${server.url}/api/workflows                   # all runs`,
    `  kill -9 ${worker.pid}                                         # kill the worker: this program says so and ends; nothing is lost`,
    'Or press Ctrl-C and start again: what is open goes on. Your own workflow: README.md, then docs/quick-start.md.',
    '',
  ]
  for (const line of lines) console.log(line)
}

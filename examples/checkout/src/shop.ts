// The shop's command line, a client like any other program's.
import { type Client, createClient } from '@durable-workflow/sdk/client'
import { checkout, decision, status } from './contracts.ts'

const usage = `usage: shop order ID CENTS ADDRESS | approve ID NAME | reject ID NAME | status ID | list`

type Command = (client: Client, args: readonly string[]) => Promise<void>

const commands: Readonly<Record<string, Command>> = {
  async order(client, [id, cents, address]) {
    const input = { id: need(id), cents: Number(need(cents)), address: need(address) }
    // 'use': a second click on "buy" finds the first one's run.
    const run = await client.start(checkout, { id: input.id, input, taskQueue: 'checkout', ifExists: 'use' })
    console.log(`${run.workflowId} waits for a decision`)
  },
  approve: (client, [id, by]) => decide(client, need(id), { approved: true, by: need(by) }),
  reject: (client, [id, by]) => decide(client, need(id), { approved: false, by: need(by) }),
  async status(client, [id]) {
    const run = client.get(checkout, need(id))
    const { status: phase } = await run.describe()
    console.log(`${run.workflowId} is ${phase}: ${await run.query(status)}`)
    for (const line of await run.explain()) console.log(`  ${line}`)
  },
  async list(client) {
    for await (const run of client.list({ type: checkout })) {
      console.log(`${run.workflowId.padEnd(12)} ${run.status.padEnd(10)} since ${run.startedAt?.toISOString() ?? '?'}`)
    }
  },
}

async function decide(client: Client, id: string, word: { approved: boolean; by: string }): Promise<void> {
  const run = client.get(checkout, id)
  await run.signal(decision, word)
  console.log(JSON.stringify(await run.result()))
}

function need(argument: string | undefined): string {
  if (argument === undefined) throw new Error(usage)
  return argument
}

const [name = '', ...args] = process.argv.slice(2)
const client = createClient()
try {
  const command = commands[name]
  if (command === undefined) throw new Error(usage)
  await command(client, args)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await client.close()
}

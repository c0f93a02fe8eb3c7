// `pnpm example:checkout`: an order that ships, one that is refunded, one that waits for your word.
import { join } from 'node:path'
import { narrate } from '../../quickstart/src/narrate.ts'
import { perform, type Stage } from '../../quickstart/src/stage.ts'
import { checkout, decision, type Order } from './contracts.ts'

await perform({ name: 'checkout', workerFile: join(import.meta.dirname, 'worker.ts'), play })

async function play(stage: Stage): Promise<readonly string[]> {
  const { client, say } = stage
  let orders = 0
  const waiting: string[] = []
  for await (const run of client.list({ type: checkout })) {
    orders += 1
    if (run.closedReason === undefined) waiting.push(run.workflowId)
  }
  for (const id of waiting) say(`${id} still waits for a decision, from an earlier start`)

  await approved(stage, { id: `order-${orders + 1}`, cents: 4_200, address: 'Lisbon' })
  await approved(stage, { id: `order-${orders + 2}`, cents: 9_900, address: 'Atlantis' })

  const open = { id: `order-${orders + 3}`, cents: 1_500, address: 'Oslo' }
  const run = await client.start(checkout, { id: open.id, input: open, taskQueue: 'checkout' })
  await narrate(run, 'SignalWaitOpened', say)
  for (const line of await run.explain()) say(`  ${open.id}: ${line}`)
  return nextSteps(stage, open.id)
}

async function approved({ client, say }: Stage, order: Order): Promise<void> {
  say(`${order.id}: ${order.cents} cents, to ${order.address}`)
  const run = await client.start(checkout, { id: order.id, input: order, taskQueue: 'checkout' })
  const told = await narrate(run, 'SignalWaitOpened', say)
  await run.signal(decision, { approved: true, by: 'ada' })
  await narrate(run, 'WorkflowCompleted', say, told)
  say(`  ${order.id}: ${JSON.stringify(await run.result())}`)
}

function nextSteps({ server }: Stage, id: string): readonly string[] {
  const shop = `DURABLE_WORKFLOW_SERVER_URL=${server} npx -y pnpm@12.4.2 shop`
  return [
    `${id} waits for your word, two days at most. In another terminal:`,
    `  ${shop} list`,
    `  ${shop} status ${id}`,
    `  ${shop} approve ${id} me      # or: reject ${id} me`,
  ]
}

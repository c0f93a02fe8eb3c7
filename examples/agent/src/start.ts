// `pnpm example:agent`: an agent plans a trip, asks before it spends money, and waits a week for the answer if it must.
import { join } from 'node:path'
import { narrate } from '../../quickstart/src/narrate.ts'
import { perform, type Stage } from '../../quickstart/src/stage.ts'
import { agent, progress } from './contracts.ts'

await perform({ name: 'agent', workerFile: join(import.meta.dirname, 'worker.ts'), play })

async function play({ client, server, say }: Stage): Promise<readonly string[]> {
  let trips = 0
  const open: string[] = []
  for await (const run of client.list({ type: agent })) {
    trips += 1
    if (run.closedReason === undefined) open.push(run.workflowId)
  }
  const id = open.at(0) ?? `trip-${trips + 1}`
  if (open.length > 0) say(`${id} goes on from an earlier start`)
  const run =
    open.length > 0
      ? client.get(agent, id)
      : await client.start(agent, { id, input: { goal: 'A weekend in Porto' }, taskQueue: 'agent' })
  await narrate(run, 'SignalWaitOpened', say)
  const { notes, question } = await run.query(progress)
  for (const note of notes) say(`  step ${note.step}, ${note.did}: ${note.saw}`)
  if (question === null) return [`${id} has ended.`]
  say(`  the agent asks: ${question}`)
  const command = `DURABLE_WORKFLOW_SERVER_URL=${server} npx -y pnpm@12.4.2 answer ${id}`
  return [`${id} waits for your answer, a week at most. In another terminal:`, `  ${command} yes`]
}

import { createClient } from '@durable-workflow/sdk/client'
import { go, kept } from './contracts.ts'

const client = createClient()
if (process.argv[2] === 'start') {
  const run = await client.start(kept, { id: 'kept', taskQueue: 'packed' })
  console.log(JSON.stringify({ started: run.workflowId }))
} else {
  const run = client.get(kept, 'kept')
  await run.signal(go, 'Ada')
  console.log(JSON.stringify({ result: await run.result() }))
}
await client.close()

// Answers the question of an agent: `answer ID TEXT…`.
import { createClient } from '@durable-workflow/sdk/client'
import { agent, answered } from './contracts.ts'

const [id, ...words] = process.argv.slice(2)
const client = createClient()
try {
  if (id === undefined || words.length === 0) throw new Error('usage: answer ID TEXT…')
  const run = client.get(agent, id)
  await run.signal(answered, { text: words.join(' ') })
  console.log(JSON.stringify(await run.result()))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await client.close()
}

// What must and must not compile when a client speaks through a contract.
import { z } from 'zod'
import { query, signal } from '../../src/authoring/message.ts'
import { workflow } from '../../src/authoring/workflow.ts'
import type { Client } from '../../src/client/client.ts'

const approved = signal('approved', z.object({ by: z.string() }))
const other = signal('other')
const status = query('status', { output: z.string() })
const priced = query('priced', { input: z.int(), output: z.int() })
const checkout = workflow('checkout', {
  input: z.object({ id: z.string() }),
  output: z.object({ paid: z.boolean() }),
  handles: [approved, status, priced],
})
const tick = workflow('tick', {})

export async function uses(client: Client): Promise<void> {
  const run = await client.start(checkout, { input: { id: 'o1' } })
  const id: string = run.runId
  const paid: boolean = (await run.result()).paid
  await run.signal(approved, { by: id })
  const text: string = await run.query(status)
  const price: number = await run.query(priced, 1)
  await client.start(tick, { id: text })
  const executed: { paid: boolean } = await client.execute(checkout, { input: { id: String(price) } })

  const made: boolean = await run.repair()
  const differing: readonly string[] = (await client.describeServer()).differingOperations

  // @ts-expect-error a repair needs no reason
  await run.repair('stuck')
  // @ts-expect-error the input is missing
  await client.start(checkout, { id: 'a' })
  // @ts-expect-error the input has another shape
  await client.start(checkout, { input: { id: 7 } })
  // @ts-expect-error this workflow takes no input
  await client.start(tick, { input: 1 })
  // @ts-expect-error the workflow does not handle this signal
  await run.signal(other)
  // @ts-expect-error the payload has another shape
  await run.signal(approved, { by: 1 })
  // @ts-expect-error the payload is missing
  await run.signal(approved)
  // @ts-expect-error a signal is no query
  await run.query(approved)
  // @ts-expect-error the duration is none
  await client.start(tick, { runTimeout: '3 parsecs' })
  // @ts-expect-error there is no such choice
  await client.start(tick, { ifExists: 'replace' })
  // @ts-expect-error what a server says is read, not written
  differing.push('startWorkflow')
  void [paid, executed, made]
}

import { z } from 'zod'
import { query, signal } from '../../src/authoring/message.ts'
import { workflow } from '../../src/authoring/workflow.ts'
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts'
import { type Stub, type StubOptions, startStub } from '../transport/stub-server.ts'

export const Order = z.object({ id: z.string() })

export const approved = signal('approved', z.object({ by: z.string() }))

export const pinged = signal('pinged')

export const status = query('status', { output: z.string() })

export const priced = query('priced', { input: z.int(), output: z.int() })

export const checkout = workflow('checkout', {
  input: Order,
  output: z.object({ paid: z.boolean() }),
  handles: [approved, pinged, status, priced],
})

export async function open(
  options: StubOptions & ClientOptions = {},
): Promise<{ stub: Stub; client: Client } & AsyncDisposable> {
  const stub = await startStub(options)
  const client = createClient({ server: stub.url, retry: { attemptsMax: 3, firstMs: 1, longestMs: 2 }, ...options })
  stub.on('startWorkflow', ({ body }) => ({
    status: 201,
    body: { workflow_id: body.workflow_id, run_id: 'r1', workflow_type: body.workflow_type, outcome: 'started_new' },
  }))
  return {
    stub,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await stub[Symbol.asyncDispose]()
    },
  }
}

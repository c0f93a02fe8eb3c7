// Starts runs and sends signals while servers die: asks again until it is certain, at whichever server answers.
import { RefusedError, TransportError } from '@durable-workflow/sdk'
import type { Client } from '@durable-workflow/sdk/client'
import { openClient } from '../../drills/open-client.ts'
import { contracts, go, type Shape } from './contracts.ts'

export interface Sender extends AsyncDisposable {
  /** The run exists when this resolves, once. */
  start(shape: Shape, workflowId: string, taskQueue: string): Promise<void>
  /** At least one signal was recorded when this resolves. */
  signal(workflowId: string): Promise<void>
}

const patienceMs = 120_000

export function openSender(urls: readonly string[]): Sender {
  const clients = urls.map((url) => openClient(url))
  let turn = 0
  /** @param isDone  whether a refusal after a lost answer says that the lost request was carried out */
  const insist = async (send: (client: Client) => Promise<unknown>, isDone: (reason: string) => boolean) => {
    const giveUpAt = Date.now() + patienceMs
    let wasLost = false
    for (;;) {
      turn += 1
      const client = clients[turn % clients.length]
      if (client === undefined) throw new Error('there is no server to ask')
      try {
        await send(client)
        return
      } catch (error) {
        if (RefusedError.is(error) && wasLost && isDone(error.reason)) return
        if (!TransportError.is(error) || Date.now() > giveUpAt) throw error
        wasLost = true
      }
    }
  }
  return {
    start: (shape, id, taskQueue) =>
      insist(
        (client) => client.start(contracts[shape], { id, taskQueue, input: { run: id }, ifExists: 'use' }),
        (reason) => reason === 'duplicate_not_allowed',
      ),
    signal: (workflowId) =>
      insist(
        (client) => client.get(contracts.signalled, workflowId).signal(go, 'go'),
        (reason) => reason === 'run_closed' || reason === 'run_not_active',
      ),
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.close()
    },
  }
}

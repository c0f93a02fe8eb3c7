import { type Client, createClient } from '@durable-workflow/sdk/client'

/** A client of our SDK that closes with its scope. */
export function openClient(url: string): Client & AsyncDisposable {
  const client = createClient({ server: url })
  return { ...client, [Symbol.asyncDispose]: () => client.close() }
}

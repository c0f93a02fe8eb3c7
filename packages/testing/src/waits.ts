// Whoever waits for what cannot come is told so, and what stands in the way.
import { NothingDueError } from './errors.ts'
import type { Network, OpenExchange } from './network.ts'

/** The party of an environment's client. */
export const clientParty = 'client'

/** Requests of the client that only time, or somebody's work, can answer. */
export function waitsOf(network: Network): readonly OpenExchange[] {
  return [...network.open].filter(({ party, isHeld }) => party === clientParty && isHeld)
}

/** Whether a request of the client is open that may not be sent twice. */
export function hasUnrepeatable(network: Network): boolean {
  return [...network.open].some(
    ({ party, isHeld, exchange }) => party === clientParty && !isHeld && exchange.method !== 'GET',
  )
}

/** Whether the client asks a run a question: the server ends that wait by an alarm of its own. */
export function isAsking(network: Network): boolean {
  return waitsOf(network).some(({ exchange }) => !exchange.held)
}

export interface Hopeless {
  readonly network: Network
  readonly why: 'nothing is due' | 'too many stops'
  /** Stops that were made. */
  readonly stops: number
  readonly now: Date
  explain(run: { readonly workflowId: string; readonly runId: string | undefined }): Promise<readonly string[]>
  /** Errors by which workers ended. */
  readonly failures: readonly unknown[]
}

/** Ends every wait of the client with an error that says what its run waits for. */
export async function giveUpWaits(hopeless: Hopeless): Promise<void> {
  await Promise.all(waitsOf(hopeless.network).map((wait) => giveUp(wait, hopeless)))
}

async function giveUp({ exchange, fail }: OpenExchange, hopeless: Hopeless): Promise<void> {
  const { why, stops, now, failures } = hopeless
  const run = runAt(exchange.path)
  const said = await hopeless.explain(run).catch((error: unknown) => [`It cannot be explained: ${String(error)}`])
  const state =
    why === 'nothing is due'
      ? `Nothing runs and nothing is due at ${now.toISOString()}`
      : `Time has stopped ${stops} times, up to ${now.toISOString()}`
  const ended = failures.map((error) => ` A worker ended with an error: ${String(error)}`).join('')
  const remedy =
    why === 'nothing is due'
      ? 'Send what it waits for before you await it, or start a worker that serves it.'
      : 'Bound the retries or the loop, or allow more stops with stopsMax.'
  const message = `${state}, so this wait for workflow ${run.workflowId} would never end. ${said.join(' ')}${ended} ${remedy}`
  fail(
    new NothingDueError(message, {
      reason: why === 'nothing is due' ? 'nothing_due' : 'too_many_stops',
      facts: { ...run, explanation: said, now: now.toISOString() },
      remedy,
      cause: failures[0],
    }),
  )
}

function runAt(path: string): { readonly workflowId: string; readonly runId: string | undefined } {
  const [, workflowId = '', runId] = /^\/api\/workflows\/([^/?]+)(?:\/runs\/([^/?]+))?/.exec(path) ?? []
  return {
    workflowId: decodeURIComponent(workflowId),
    runId: runId === undefined ? undefined : decodeURIComponent(runId),
  }
}

// Every run of an environment, replayed cold: the check of determinism that a test gets for nothing.
import type { WorkflowImplementation } from '@durable-workflow/sdk'
import type { Client, RunItem } from '@durable-workflow/sdk/client'
import { type ReplayMismatch, replayHistory } from '@durable-workflow/sdk/replay'

/** Places besides the beginning from which each history is replayed: enough for a look, cheap in long histories. */
const cuts = 3

/**
 * Replays what is recorded with the code that was there. Where several implementations of a type worked side by side, one must fit.
 *
 * @param implementations oldest first
 * @returns what does not fit
 */
export async function mismatchesOf(
  client: Client,
  implementations: readonly WorkflowImplementation[],
): Promise<readonly ReplayMismatch[]> {
  const found: ReplayMismatch[] = []
  for await (const run of client.list()) {
    const mismatch = await mismatchOf(client, run, implementations)
    if (mismatch !== undefined) found.push(mismatch)
  }
  return found
}

async function mismatchOf(
  client: Client,
  { workflowId, runId, workflowType }: RunItem,
  implementations: readonly WorkflowImplementation[],
): Promise<ReplayMismatch | undefined> {
  const ofType = new Set(implementations.filter(({ name }) => name === workflowType))
  let newest: ReplayMismatch | undefined
  for (const implementation of ofType) {
    const history = await client.get(implementation, workflowId, { runId }).export()
    const report = await replayHistory(implementation, history, { cuts })
    if (report.ok) return undefined
    newest = report.mismatch
  }
  return newest
}

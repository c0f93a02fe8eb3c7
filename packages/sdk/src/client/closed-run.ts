// Waiting for the end of a run: one held request where the server can, descriptions and news of its history elsewhere.
import { TransportError } from '../authoring/failure.ts'
import { wait } from '../transport/clock.ts'
import type { Connection } from '../transport/connection.ts'
import { isTrue, textOf } from '../transport/json.ts'

const waitSeconds = 60
// How long a result is awaited from a server that does not answer.
const patienceMs = 60_000
// Where the server holds nothing, asking more often than this helps nobody.
const describeEveryMs = 500

/** The description of a run, or of the current one of its workflow. */
export async function describeRun(
  connection: Connection,
  workflowId: string,
  runId: string | undefined,
  query: Record<string, string>,
  signal?: AbortSignal,
): Promise<unknown> {
  const common = { query, ...(signal === undefined ? {} : { signal }) }
  return runId === undefined
    ? connection.call('describeWorkflow', { path: { workflow_id: workflowId }, ...common })
    : connection.call('describeRun', { path: { workflow_id: workflowId, run_id: runId }, ...common })
}

/** The description of the run once it is closed, however long that takes; of its successor where it continued as new. */
export async function closedRun(
  connection: Connection,
  target: { readonly workflowId: string; readonly runId: string | undefined },
  signal?: AbortSignal,
): Promise<unknown> {
  const { workflowId } = target
  const { waitClosed } = await connection.discover()
  const query: Record<string, string> = waitClosed
    ? { wait_closed: 'true', wait_timeout_seconds: String(waitSeconds) }
    : {}
  let runId = target.runId
  let answeredAt = connection.clock.now()
  while (true) {
    signal?.throwIfAborted()
    const description = await describeRun(connection, workflowId, runId, query, signal).catch((error: unknown) => {
      // A wait of hours meets restarts of the server; only one that stays away ends it.
      if (TransportError.is(error) && connection.clock.now() - answeredAt < patienceMs) return undefined
      throw error
    })
    if (description === undefined) {
      await wait(connection.clock, describeEveryMs, signal)
      continue
    }
    answeredAt = connection.clock.now()
    // A run that continued as new has its result in the run that is current now.
    if (textOf(description, 'closed_reason') === 'continued') runId = undefined
    else if (isTrue(description, 'is_terminal')) return description
    else if (!waitClosed) await news(connection, workflowId, description, signal)
  }
}

// Held until there is a newer event by servers that can; the others are asked again after a while.
async function news(
  connection: Connection,
  workflowId: string,
  description: unknown,
  signal?: AbortSignal,
): Promise<void> {
  const runId = textOf(description, 'run_id')
  const pause = wait(connection.clock, describeEveryMs, signal)
  if (runId !== undefined) {
    await connection.call('getRunHistory', {
      path: { workflow_id: workflowId, run_id: runId },
      query: { page_size: '1', wait_new_event: 'true' },
      ...(signal === undefined ? {} : { signal }),
    })
  }
  await pause
}

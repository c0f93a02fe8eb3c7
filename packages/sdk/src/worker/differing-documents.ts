import { differingOperations, workerOperations } from '../transport/spec-digests.ts'
import type { Session } from './session.ts'

/**
 * Says once, in the log, which operations of a worker the server understands from other documents. Worker and server of
 * different versions may well work together, so it is a warning and never stops anything; nor does a server that cannot be asked.
 */
export async function warnOfDifferingDocuments(session: Session, signal: AbortSignal): Promise<void> {
  try {
    const { connection, discovery } = session
    const operations = await differingOperations(connection, discovery, workerOperations, signal)
    if (operations === undefined || operations.length === 0) return
    session.log.warn(
      `The server's documents of the operations ${operations.join(', ')} differ from those that this SDK was generated from. Where a task is refused or left alone, run SDK and server of one version.`,
      { operations },
    )
  } catch (error) {
    session.log.debug("The server's documents could not be compared with those of this SDK.", { error: String(error) })
  }
}

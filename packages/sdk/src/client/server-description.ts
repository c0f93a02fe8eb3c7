import type { Connection } from '../transport/connection.ts'
import { readDiscovery } from '../transport/discovery.ts'
import { memberOf, textOf } from '../transport/json.ts'
import { clientOperations, differingOperations, workerOperations } from '../transport/spec-digests.ts'

/** What a server says about itself. */
export interface ServerDescription {
  /** Its name among several; undefined where it has none. */
  readonly serverId: string | undefined
  /** Its version, for people: what it can do does not follow from it. */
  readonly version: string | undefined
  /** The worker line that it advertises, `1.19` for example. */
  readonly workerProtocol: string | undefined
  /** The line of the control plane, `2`. */
  readonly controlPlane: string | undefined
  /** The namespace of requests that name none. */
  readonly defaultNamespace: string | undefined
  /** Whether the server states what its operations were generated from, so that they could be compared. */
  readonly operationsCompared: boolean
  /**
   * The operations that clients and workers of this package call and that the server understands from other documents, or
   * does not have. Empty where all are alike, and where they could not be compared.
   */
  readonly differingOperations: readonly string[]
}

const called = [...new Set([...clientOperations, ...workerOperations])]

export async function describeServer(
  connection: Connection,
  signal: AbortSignal | undefined,
): Promise<ServerDescription> {
  const document = await connection.call('getClusterInfo', signal === undefined ? {} : { signal })
  const differing = await differingOperations(connection, readDiscovery(document), called, signal)
  return {
    serverId: textOf(document, 'server_id'),
    version: textOf(document, 'version'),
    workerProtocol: textOf(memberOf(document, 'worker_protocol'), 'version'),
    controlPlane: textOf(memberOf(document, 'control_plane'), 'version'),
    defaultNamespace: textOf(document, 'default_namespace'),
    operationsCompared: differing !== undefined,
    differingOperations: differing ?? [],
  }
}

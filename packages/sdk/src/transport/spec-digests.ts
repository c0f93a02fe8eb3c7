// Do this package and a server understand each operation alike? Both were generated from documents; each states a digest of
// every operation that it knows.
import { type BuiltOperationId, specDigests } from '@durable-workflow/protocol'
import type { Connection } from './connection.ts'
import type { Discovery } from './discovery.ts'
import { isJson, memberOf } from './json.ts'

/** The operations that a worker of this package calls. */
export const workerOperations: readonly BuiltOperationId[] = [
  'getClusterInfo',
  'registerWorker',
  'heartbeatWorker',
  'deregisterWorker',
  'pollWorkflowTask',
  'getWorkflowTaskHistory',
  'heartbeatWorkflowTask',
  'completeWorkflowTask',
  'failWorkflowTask',
  'pollActivityTask',
  'heartbeatActivityTask',
  'completeActivityTask',
  'failActivityTask',
  'pollQueryTask',
  'completeQueryTask',
  'failQueryTask',
]

/** The operations that a client of this package calls. */
export const clientOperations: readonly BuiltOperationId[] = [
  'getClusterInfo',
  'startWorkflow',
  'describeWorkflow',
  'describeRun',
  'listWorkflows',
  'getRunHistory',
  'debugWorkflow',
  'debugRun',
  'signalWorkflow',
  'signalRun',
  'queryWorkflow',
  'queryRun',
  'cancelWorkflow',
  'cancelRun',
  'terminateWorkflow',
  'terminateRun',
  'repairWorkflow',
  'repairRun',
  'listNamespaces',
  'createNamespace',
  'describeNamespace',
]

/**
 * Asks a server that offers it for its digests.
 *
 * @returns those of `called` whose digest is another one or missing there; undefined where the server states no digests
 * @throws RefusedError, TransportError as every call
 */
export async function differingOperations(
  connection: Pick<Connection, 'call'>,
  discovery: Pick<Discovery, 'specDigests'>,
  called: readonly BuiltOperationId[],
  signal: AbortSignal | undefined,
): Promise<readonly BuiltOperationId[] | undefined> {
  if (!discovery.specDigests) return undefined
  const stating = await connection.call('getClusterInfo', {
    query: { spec: '1' },
    ...(signal === undefined ? {} : { signal }),
  })
  const stated = memberOf(memberOf(stating, 'spec'), 'operations')
  if (!isJson(stated)) return undefined
  return called.filter((operation) => memberOf(stated, operation) !== specDigests.operations[operation])
}

/** The headers of the wire, in lower case as servers hand them out. */
export const protocolHeaders = {
  workerProtocolVersion: 'x-durable-workflow-protocol-version',
  controlPlaneVersion: 'x-durable-workflow-control-plane-version',
  namespace: 'x-namespace',
  requestId: 'x-request-id',
  correlationId: 'x-correlation-id',
} as const

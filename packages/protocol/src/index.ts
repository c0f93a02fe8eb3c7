// The wire as types and constants. Imports nothing; validators, client and handler types have entries of their own.

export type { Command, Commands, CommandType, PlannedCommands, PlannedCommandType } from './generated/commands.ts'
export { commandCatalogue, commandTypes, plannedCommandTypes } from './generated/commands.ts'
export type * as controlPlane from './generated/control-2/types.ts'
export { specDigests } from './generated/digests.ts'
export { documents } from './generated/documents.ts'
export type { EventPayloads, EventType, PlannedEventPayloads, PlannedEventType } from './generated/events.ts'
export { eventCatalogue, eventTypes, plannedEventTypes } from './generated/events.ts'
export { plannedFields, refusedFields } from './generated/fields.ts'
export { defaults, limits } from './generated/limits.ts'
export type { BuiltOperationId, OperationId } from './generated/operations.ts'
export { builtOperationIds, operations } from './generated/operations.ts'
export type { OperationReasons, Reason, SettledReport } from './generated/reasons.ts'
export { reasons } from './generated/reasons.ts'
export type * as workerPlane from './generated/worker-1.20/types.ts'
export type {
  ActivityTask,
  Failure,
  HistoryEvent,
  Payload,
  QueryTask,
  RetryPolicy,
  ServerCapabilities,
  WorkflowTask,
} from './generated/worker-1.20/types.ts'
export { protocolHeaders } from './headers.ts'
export type { OperationTypes, PathOf, QueryOf, ReasonOf, RequestOf, ResponseOf } from './operation.ts'
export type { Admission, ProtocolVersion } from './version.ts'
export {
  admitHeader,
  controlPlaneVersion,
  defaultWorkerProtocolVersion,
  meets,
  parseVersion,
  workerProtocolVersions,
} from './version.ts'

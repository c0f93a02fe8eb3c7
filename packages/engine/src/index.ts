// The engine's public face: the door, the operations that it takes, the documents that it shows.

export { InvariantError } from './core/decision/draft-table.ts'
export type { Operation } from './core/decision/operation.ts'
export type { Accepted, Outcome, Refused, Rejected } from './core/decision/outcome.ts'
export {
  type AttemptFailureReport,
  cancelWorkflow,
  completeActivityTask,
  completeQueryTask,
  completeWorkflowTask,
  createNamespace,
  failActivityTask,
  failQueryTask,
  failWorkflowTask,
  type HeartbeatReply,
  heartbeatActivityTask,
  heartbeatWorker,
  heartbeatWorkflowTask,
  type RepairReply,
  repairWorkflow,
  requestCancellation,
  type SignalReply,
  type StartReply,
  type StartWorkflow,
  signalWorkflow,
  startWorkflow,
  terminateWorkflow,
  type WorkflowTaskCompleted,
  type WorkflowTaskFailed,
} from './core/operations/index.ts'
export { type ParsedListQuery, parseListQuery } from './core/rules/filter.ts'
export { type Liveness as RunLiveness, livenessOf } from './core/rules/liveness.ts'
export type { OpenWork } from './core/rules/progress.ts'
export type { ActivityTaskClosed } from './core/rules/reported-attempt.ts'
export type { Activity } from './core/state/activity.ts'
export type { Lease } from './core/state/claim.ts'
export type { HistoryEvent } from './core/state/history-event.ts'
export { lockOf, runIdOf } from './core/state/ids.ts'
export { formatInstant } from './core/state/instant.ts'
export type { Json, JsonObject } from './core/state/json.ts'
export { type EngineSettings, engineLimits } from './core/state/limits.ts'
export type { ListFilter } from './core/state/list-filter.ts'
export { defaultNamespace, type Namespace } from './core/state/namespace.ts'
export type { Envelope } from './core/state/payload.ts'
export type { QueryTask } from './core/state/query-task.ts'
export type { ProcessIdentity, Registration } from './core/state/registration.ts'
export { isOpen, type Run, type RunFailure, statusBucket } from './core/state/run.ts'
export type { Workflow } from './core/state/workflow.ts'
export type { Resume, TaskFailure, WorkflowTask } from './core/state/workflow-task.ts'
export type { Explanation, Finding } from './core/views/explain.ts'
export {
  createEngine,
  currentAttemptId,
  type Engine,
  type EngineOptions,
  type QueryAnswer,
  type QueryInput,
  type RegisterInput,
} from './engine.ts'
export type {
  ActivityTaskClaim,
  HandedOver,
  HandOverOffer,
  PollRequest,
  PollResult,
  QueryTaskClaim,
  WorkflowTaskClaim,
} from './polls.ts'
export { CommitUnknownError, type Observer, type OutcomeKey, StoreUnavailableError } from './ports.ts'
export type { Handed, Repair, RepairFailure, RepairPass, RepairReport, RepairScope, RepairStatus } from './repair.ts'
export type { DebugDocument, FoundRun, HistoryPage, NotFound, ProgressReport, Views } from './views.ts'

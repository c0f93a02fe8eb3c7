// The authoring surface: contracts, implementations, failures. Workers and clients have entries of their own.
export {
  type Activity,
  type ActivityFunction,
  type ActivityImplementation,
  type ActivityInput,
  type ActivityOutput,
  activity,
} from './authoring/activity.ts'
export type {
  ActivityContext,
  ActivityInfo,
  GroupMember,
  Logger,
  Recorded,
  VersionOptions,
  WaitOptions,
  WorkflowContext,
  WorkflowInfo,
} from './authoring/context.ts'
export {
  type ActivityContract,
  type Contract,
  type In,
  type InputParameters,
  type MaybeSchema,
  type Out,
  type Schema,
  type,
} from './authoring/contract.ts'
export {
  ActivityFailure,
  CancellationFailure,
  ContractError,
  DurableWorkflowError,
  type ErrorFacts,
  type FailureDetail,
  GuardError,
  MissingHandlerError,
  NonDeterminismError,
  PayloadTooLargeError,
  RefusedError,
  StructuralLimitError,
  TimeoutFailure,
  type TimeoutKind,
  TransportError,
  WorkflowFailure,
} from './authoring/failure.ts'
export {
  type HandlerOf,
  type Message,
  type PayloadOf,
  type Query,
  type QueryInput,
  query,
  type Signal,
  signal,
} from './authoring/message.ts'
export { type ActivityOptions, type Duration, parseDuration, type RetryOptions } from './authoring/options.ts'
export {
  type Workflow,
  type WorkflowContract,
  type WorkflowFunction,
  type WorkflowImplementation,
  workflow,
} from './authoring/workflow.ts'

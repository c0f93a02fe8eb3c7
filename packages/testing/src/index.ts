// Durable workflows under test: the real engine, server, workers and client in this process, with virtual time.
export { type ReplayReport, replayHistory as replay } from '@durable-workflow/sdk/replay'
export { testEnvironment } from './environment.ts'
export { EnvironmentClosedError, NothingDueError, SimulationError } from './errors.ts'
export { type Fault, faultKinds } from './faults.ts'
export type { WorkerTuning } from './local-worker.ts'
export { type Scenario, type SimulationOptions, type SimulationReport, simulate } from './simulate.ts'
export type { EnvironmentOptions, EnvironmentWorker, RunOf, TestEnvironment, WorkerParts } from './test-environment.ts'

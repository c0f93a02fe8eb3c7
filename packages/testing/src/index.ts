// Durable workflows under test: the real engine, server, workers and client in this process, with virtual time.
export {
  type EnvironmentOptions,
  type EnvironmentWorker,
  type RunOf,
  type TestEnvironment,
  testEnvironment,
  type WorkerParts,
} from './environment.ts'
export { EnvironmentClosedError, NothingDueError } from './errors.ts'
export type { WorkerTuning } from './local-worker.ts'

// What a worker process needs.
export type { Pollers, WorkerOptions } from './worker/options.ts'
export type { TaskKind } from './worker/poller.ts'
export { createWorker, type Worker } from './worker/worker.ts'

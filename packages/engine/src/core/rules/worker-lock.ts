import type { SliceKey } from '../decision/slice.ts'
import { workerKey } from '../state/registration.ts'

export interface WorkerName {
  readonly namespace: string
  readonly workerId: string
}

/** The lock of a worker's registration: an operation that touches no workflow locks its own resource. */
export function workerLock({ namespace, workerId }: WorkerName): string {
  return `worker:${workerKey(namespace, workerId)}`
}

export function workerKeys({ namespace, workerId }: WorkerName): SliceKey[] {
  return [
    { of: 'registration', namespace, workerId },
    { of: 'liveness', namespace, workerId },
  ]
}

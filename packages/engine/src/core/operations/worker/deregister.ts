import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { type WorkerName, workerKeys, workerLock } from '../../rules/worker-lock.ts'

/** Removes a registration; its leases are released before, each by an operation of its own (L-14). @source deregisterWorker */
export const deregisterWorker = defineOperation({
  kind: 'deregisterWorker',
  locks: (input: WorkerName) => [workerLock(input)],
  slice: (input) => workerKeys(input),
  decide(draft, input) {
    const registration = draft.registration(input.namespace, input.workerId)
    if (registration === undefined) return refuse('worker_not_found', { workerId: input.workerId })
    draft.removeRegistration(registration)
    const liveness = draft.liveness(input.namespace, input.workerId)
    if (liveness !== undefined) draft.removeLiveness(liveness)
    return accept({ registration })
  },
})

import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { type WorkerName, workerKeys, workerLock } from '../../rules/worker-lock.ts'
import type { JsonObject } from '../../state/json.ts'

export interface HeartbeatWorker extends WorkerName {
  /** Free slots and process metrics, free JSON. */
  readonly report: JsonObject | undefined
}

/** Records that a registered worker lives; leases are not touched. @source heartbeatWorker */
export const heartbeatWorker = defineOperation({
  kind: 'heartbeatWorker',
  locks: (input: HeartbeatWorker) => [workerLock(input)],
  slice: (input) => workerKeys(input),
  decide(draft, input, now) {
    const registration = draft.registration(input.namespace, input.workerId)
    if (registration === undefined) return refuse('worker_not_registered', { workerId: input.workerId })
    const report = input.report ?? draft.liveness(input.namespace, input.workerId)?.report
    draft.putLiveness({ namespace: input.namespace, workerId: input.workerId, lastHeartbeatAt: now, report })
    return accept({ registration })
  },
})

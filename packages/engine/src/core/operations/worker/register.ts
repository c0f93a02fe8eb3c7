import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { workerKeys, workerLock } from '../../rules/worker-lock.ts'
import type { JsonObject } from '../../state/json.ts'
import type { ProcessIdentity, Registration } from '../../state/registration.ts'

export interface RegisterWorker extends Omit<Registration, 'registeredAt' | 'status'> {
  readonly liveness: JsonObject | undefined
}

/**
 * Writes a worker's registration. The leases of a predecessor under the same id are released before, each by an
 * operation of its own (L-14). Fingerprints and contracts that are left out keep their earlier values; draining stays.
 *
 * @source registerWorker
 */
export const registerWorker = defineOperation({
  kind: 'registerWorker',
  locks: (input: RegisterWorker) => [workerLock(input)],
  slice: (input) => [...workerKeys(input), { of: 'namespace', name: input.namespace }],
  decide(draft, input, now) {
    if (draft.namespace(input.namespace) === undefined)
      return refuse('namespace_not_found', { namespace: input.namespace })
    const earlier = draft.registration(input.namespace, input.workerId)
    const changed =
      earlier !== undefined && isSameProcess(earlier.process, input.process) ? changedType(earlier, input) : undefined
    if (changed !== undefined)
      return refuse('workflow_definition_changed', { workerId: input.workerId, workflowType: changed })
    const { liveness, ...fields } = input
    const registration = draft.putRegistration({
      ...fields,
      definitionFingerprints: { ...earlier?.definitionFingerprints, ...input.definitionFingerprints },
      commandContracts: input.commandContracts ?? earlier?.commandContracts,
      registrationId:
        earlier !== undefined && isSameProcess(earlier.process, input.process)
          ? earlier.registrationId
          : input.registrationId,
      status: earlier?.status ?? 'active',
      registeredAt: now,
    })
    draft.putLiveness({ namespace: input.namespace, workerId: input.workerId, lastHeartbeatAt: now, report: liveness })
    return accept({ registration })
  },
})

/** Whether two registrations under one id are of one process; without an identity they are not. */
export function isSameProcess(earlier: ProcessIdentity | undefined, later: ProcessIdentity | undefined): boolean {
  if (earlier === undefined || later === undefined) return false
  return earlier.host === later.host && earlier.processId === later.processId && earlier.startedAt === later.startedAt
}

function changedType(earlier: Registration, later: RegisterWorker): string | undefined {
  return Object.keys(later.definitionFingerprints).find((type) => {
    const before = earlier.definitionFingerprints[type]
    return before !== undefined && before !== later.definitionFingerprints[type]
  })
}

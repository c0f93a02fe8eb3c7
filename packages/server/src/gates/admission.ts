// Whether the server takes anything now: not before it has started, not while it drains.
import { unavailable } from '../error-answer.ts'
import { textMembers } from '../text-members.ts'
import type { Gate } from './gate.ts'

/** Why nothing is taken; undefined while everything is. */
export type Closed = 'starting' | 'draining' | undefined

export function admissionGate(closed: () => Closed): Gate {
  return (request, { operation, body }) => {
    if (operation.plane === 'system') return undefined
    const why = closed()
    if (why === undefined) return undefined
    return unavailable({ plane: operation.plane, operation, path: textMembers(request.params) }, body, why)
  }
}

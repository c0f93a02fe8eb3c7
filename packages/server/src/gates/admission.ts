// Whether the server takes anything now: not before it has started, not while it drains.
import { unavailable } from '../error-answer.ts'
import type { Gate } from './gate.ts'

/** Why nothing is taken; undefined while everything is. */
export type Closed = 'starting' | 'draining' | undefined

export function admissionGate(closed: () => Closed): Gate {
  return (request, { operation, body }) => {
    if (operation.plane === 'system') return undefined
    const why = closed()
    if (why === undefined) return undefined
    return unavailable({ plane: operation.plane, operation, path: pathOf(request.params) }, body, why)
  }
}

/** The path parameters as text. */
export function pathOf(params: unknown): Readonly<Record<string, string>> {
  if (typeof params !== 'object' || params === null) return {}
  return Object.fromEntries(Object.entries(params).filter((entry) => typeof entry[1] === 'string'))
}

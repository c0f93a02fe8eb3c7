// What he may: the roles of the operation, from the documents (control plane 2, §2.2).
import { no } from '../reply.ts'
import type { Gate } from './gate.ts'

/** A wrong role learns nothing else: neither whether the namespace exists nor whether the version fits. */
export const authorizeGate: Gate = (_request, { operation, principal }) => {
  if (operation.roles.length === 0) return undefined
  const roles = principal?.roles ?? []
  if (roles.some((role) => operation.roles.includes(role))) return undefined
  return no('forbidden', { role: roles.join('+') || 'none', allowed_roles: [...operation.roles] })
}

// Who asks: a bearer token that the server knows (control plane 2, §2.1).
import { hash, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { no } from '../reply.ts'
import type { RoleToken } from '../settings.ts'
import type { Gate, Principal } from './gate.ts'

/** Without tokens the server takes everybody; it listens on loopback only then. */
const anonymous: Principal = { subject: 'anonymous', roles: ['worker', 'operator', 'admin'] }

export function authenticateGate(tokens: readonly RoleToken[]): Gate {
  const principalOf = authenticator(tokens)
  const remembered = connectionMemory()
  return (request, passed) => {
    if (passed.operation.roles.length === 0) return undefined
    passed.principal = remembered(request.raw.socket, request.headers.authorization, principalOf)
    return passed.principal === undefined ? no('unauthorized') : undefined
  }
}

/**
 * A connection that was let in sends the same header again with every request: it is compared with its own last one
 * instead of being hashed anew.
 */
function connectionMemory() {
  const last = new WeakMap<Socket, { readonly header: string | undefined; readonly principal: Principal }>()
  return (socket: Socket, header: string | undefined, find: (header: string | undefined) => Principal | undefined) => {
    const known = last.get(socket)
    if (known !== undefined && known.header === header) return known.principal
    const principal = find(header)
    if (principal === undefined) last.delete(socket)
    else last.set(socket, { header, principal })
    return principal
  }
}

/**
 * Finds whose token an Authorization header carries.
 *
 * Compares digests of equal length and always all of them, so that the time tells neither how much of a token was right
 * nor which one. A token configured for several roles has all of them.
 */
export function authenticator(tokens: readonly RoleToken[]): (header: string | undefined) => Principal | undefined {
  if (tokens.length === 0) return () => anonymous
  const known = tokens.map((token) => ({ ...token, digest: digestOf(token.token) }))
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
    if (given === undefined) return undefined
    const digest = digestOf(given)
    const matching = known.filter((token) => timingSafeEqual(token.digest, digest))
    if (matching.length === 0) return undefined
    return {
      subject: matching.map(({ name }) => name).join('+'),
      roles: [...new Set(matching.flatMap((t) => t.roles))],
    }
  }
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

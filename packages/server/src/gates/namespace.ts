// Where: X-Namespace, else ?namespace=, else the default; it must exist (control plane 2, §1.1, §1.3).
import { defaults, protocolHeaders } from '@durable-workflow/protocol'
import type { FastifyRequest } from 'fastify'
import { invalid, no } from '../reply.ts'
import { givenTwice, repeatedMembers } from '../text-members.ts'
import type { Gate } from './gate.ts'
import { headerOf } from './protocol-version.ts'

/** Asks the store whether a namespace exists. */
export type FindNamespace = (name: string) => Promise<unknown>

/**
 * Passes a namespace that exists.
 *
 * A namespace that was found is remembered: none is ever removed, and every request asks.
 */
export function namespaceGate(find: FindNamespace): Gate {
  const known = new Set<string>()
  return async (request, passed) => {
    const { operation } = passed
    const name = namespaceOf(request)
    passed.namespace = name
    if (operation.plane === 'system' || operation.route.startsWith('/api/namespaces')) return undefined
    if (repeatedMembers(request.query).includes('namespace')) return invalid({ namespace: [givenTwice] })
    if (known.has(name)) return undefined
    if ((await find(name)) === undefined) {
      return no('namespace_not_found', {
        namespace: name,
        remediation: `Create the namespace ${name}, or send another X-Namespace.`,
      })
    }
    known.add(name)
    return undefined
  }
}

function namespaceOf(request: FastifyRequest): string {
  const name = headerOf(request, protocolHeaders.namespace)?.trim() || queryNamespace(request.query)
  return (name || defaults.namespace).toLowerCase()
}

function queryNamespace(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('namespace' in query)) return undefined
  return typeof query.namespace === 'string' ? query.namespace.trim() : undefined
}

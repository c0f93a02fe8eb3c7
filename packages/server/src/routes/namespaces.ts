// Namespaces (control plane 2, §5).
import { createNamespace, type Namespace } from '@durable-workflow/engine'
import { defaults } from '@durable-workflow/protocol'
import { refused } from '../refusal.ts'
import { done, no } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { instantOrNull, type WireFacts } from '../wire-facts.ts'

export const namespaceRoutes: readonly Route[] = [
  route('listNamespaces', async ({ server }) => {
    const namespaces = await server.engine.views.namespaces()
    return done({ namespaces: namespaces.map(namespaceDocument) })
  }),
  route('describeNamespace', async ({ path, server }) => {
    // Names are case-insensitive and stored in lower case.
    const name = path.namespace.toLowerCase()
    const namespace = await server.engine.views.namespace(name)
    if (namespace !== undefined) return done(namespaceDocument(namespace))
    return no('namespace_not_found', { namespace: name, remediation: `Create the namespace ${name}.` })
  }),
  route('createNamespace', async ({ body, server }) => {
    const name = body.name.toLowerCase()
    const outcome = await server.engine.execute(
      createNamespace({
        name,
        description: body.description ?? undefined,
        retentionDays: body.retention_days ?? defaults.retentionDays,
      }),
    )
    if (outcome.kind === 'refused') return refused(outcome, { name, namespace: name })
    return done(namespaceDocument(outcome.reply.namespace), { how: 'created' })
  }),
]

function namespaceDocument(namespace: Namespace): WireFacts {
  return {
    name: namespace.name,
    description: namespace.description ?? null,
    retention_days: namespace.retentionDays,
    status: 'active',
    external_payload_storage: null,
    created_at: instantOrNull(namespace.createdAt),
    // A namespace does not change yet.
    updated_at: instantOrNull(namespace.createdAt),
  }
}

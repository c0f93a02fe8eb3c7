import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'

export interface CreateNamespace {
  readonly name: string
  readonly description: string | undefined
  readonly retentionDays: number
}

/** Creates a namespace. @source createNamespace */
export const createNamespace = defineOperation({
  kind: 'createNamespace',
  locks: (input: CreateNamespace) => [`namespace:${input.name}`],
  slice: (input) => [{ of: 'namespace', name: input.name }],
  decide(draft, input, now) {
    if (draft.namespace(input.name) !== undefined) return refuse('namespace_already_exists', { namespace: input.name })
    return accept({ namespace: draft.putNamespace({ ...input, createdAt: now }) })
  },
})

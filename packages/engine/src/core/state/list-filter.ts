/** Fields of a run that a list query may name (control plane 2, §6.3); custom attributes come later. */
export type ListField =
  | 'workflowType'
  | 'workflowId'
  | 'runId'
  | 'taskQueue'
  | 'buildId'
  | 'startedAt'
  | 'closedAt'
  | 'status'
  | 'statusBucket'

export type ListOperator = '=' | '!=' | '<' | '<=' | '>' | '>='

/** A list query as a tree: the store turns it into its own language, the core into a predicate for tests. */
export type ListFilter =
  | { readonly kind: 'all'; readonly of: readonly ListFilter[] }
  | { readonly kind: 'not'; readonly of: ListFilter }
  /** Instants are epoch ms, everything else text. */
  | {
      readonly kind: 'compare'
      readonly field: ListField
      readonly operator: ListOperator
      readonly value: string | number
    }
  | { readonly kind: 'in'; readonly field: ListField; readonly values: readonly string[] }
  /** Substring of the workflow id or the business key. */
  | { readonly kind: 'text'; readonly text: string }
  /** An unknown field matches nothing. */
  | { readonly kind: 'nothing' }

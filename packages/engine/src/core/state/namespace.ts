/** A namespace: the outermost boundary of names, queues and tokens. */
export interface Namespace {
  readonly name: string
  readonly description: string | undefined
  readonly retentionDays: number
  /** Epoch ms. */
  readonly createdAt: number
}

/** Present in every new database. */
export const defaultNamespace = 'default'

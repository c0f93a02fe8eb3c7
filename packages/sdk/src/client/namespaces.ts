import type { Connection } from '../transport/connection.ts'
import { instantOf, numberOf, textOf } from '../transport/json.ts'

/** A namespace as the server describes it. */
export interface NamespaceDescription {
  readonly name: string
  readonly description: string | undefined
  /** Days that closed runs are kept. */
  readonly retentionDays: number | undefined
  readonly createdAt: Date | undefined
}

/** The namespaces of a server. */
export interface Namespaces {
  list(): Promise<NamespaceDescription[]>
  /** @throws RefusedError `namespace_already_exists` */
  create(namespace: {
    readonly name: string
    readonly description?: string | undefined
    /** 1 to 365; default 30. */
    readonly retentionDays?: number | undefined
  }): Promise<NamespaceDescription>
  /** @throws RefusedError `namespace_not_found` */
  describe(name: string): Promise<NamespaceDescription>
}

export function createNamespaces(connection: Connection): Namespaces {
  return {
    list: async () => (await connection.call('listNamespaces', {})).namespaces.map(read),
    create: async ({ name, description, retentionDays }) =>
      read(
        await connection.call('createNamespace', {
          body: {
            name,
            ...(description === undefined ? {} : { description }),
            ...(retentionDays === undefined ? {} : { retention_days: retentionDays }),
          },
        }),
      ),
    describe: async (name) => read(await connection.call('describeNamespace', { path: { namespace: name } })),
  }
}

function read(body: unknown): NamespaceDescription {
  const createdAt = instantOf(body, 'created_at')
  return {
    name: textOf(body, 'name') ?? '',
    description: textOf(body, 'description'),
    retentionDays: numberOf(body, 'retention_days'),
    createdAt: createdAt === undefined ? undefined : new Date(createdAt),
  }
}

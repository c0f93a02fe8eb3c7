import type { Liveness, Namespace, Registration } from '@durable-workflow/engine/ports'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { openQueryTask } from '../partial.ts'
import { allOfQuery } from '../query.ts'
import { namespaceOf, numberOf, registrationWithLivenessOf } from '../rows.ts'

export async function listNamespaces(connection: Connection, dialect: Dialect): Promise<readonly Namespace[]> {
  const query = dialect.sql.selectFrom('namespaces').selectAll().orderBy('name').compile()
  return (await allOfQuery(connection, query)).map(namespaceOf)
}

export interface RegistrationQuery {
  readonly namespace: string
  readonly taskQueue?: string
}

/** SEARCH registrations USING PRIMARY KEY (namespace=?); a namespace has as many as it has worker processes. */
export async function listRegistrations(
  connection: Connection,
  dialect: Dialect,
  { namespace, taskQueue }: RegistrationQuery,
): Promise<readonly { readonly registration: Registration; readonly liveness: Liveness | undefined }[]> {
  const ofNamespace = dialect.sql
    .selectFrom('registrations')
    .leftJoin('livenesses', (join) =>
      join
        .onRef('livenesses.namespace', '=', 'registrations.namespace')
        .onRef('livenesses.worker_id', '=', 'registrations.worker_id'),
    )
    .selectAll('registrations')
    .select(['livenesses.last_heartbeat_at', 'livenesses.report_json'])
    .where('registrations.namespace', '=', namespace)
    .orderBy('registrations.worker_id')
  const query = taskQueue === undefined ? ofNamespace : ofNamespace.where('registrations.task_queue', '=', taskQueue)
  return (await allOfQuery(connection, query.compile())).map(registrationWithLivenessOf)
}

/** SEARCH query_tasks USING COVERING INDEX query_tasks_open (namespace=? AND task_queue=?). */
export async function countOpenQueryTasks(
  connection: Connection,
  dialect: Dialect,
  { namespace, taskQueue }: { readonly namespace: string; readonly taskQueue: string },
): Promise<number> {
  const query = dialect.sql
    .selectFrom('query_tasks')
    .select((select) => select.fn.countAll().as('value'))
    .where(openQueryTask)
    .where('namespace', '=', namespace)
    .where('task_queue', '=', taskQueue)
    .compile()
  const [row] = await allOfQuery(connection, query)
  return numberOf(row) ?? 0
}

// What a commit makes worth a look: to the loops of this server and, as far as they can be told, to those of others.

import type { Changes } from './core/decision/changes.ts'
import type { Hint, RowChanges, TaskKind } from './ports.ts'

/** The hints of a commit, each once. */
export function hintsOf(changes: Changes): readonly Hint[] {
  const hints = new Hints()
  for (const task of written(changes.workflowTasks)) {
    if (task.status === 'ready') hints.ready('workflow', task, task.availableAt)
    hints.due(task.dueAt)
  }
  for (const activity of written(changes.activities)) {
    if (activity.status === 'pending') hints.ready('activity', activity, activity.availableAt)
    hints.due(activity.dueAt)
  }
  for (const query of written(changes.queryTasks)) {
    if (query.status === 'ready') hints.ready('query', query, query.createdAt)
    if (query.outcome !== undefined) hints.list.push({ kind: 'outcome', key: `query:${query.queryTaskId}` })
    hints.due(query.dueAt)
  }
  for (const timer of written(changes.timers)) hints.due(timer.dueAt)
  for (const run of written(changes.runs)) {
    hints.list.push({ kind: 'outcome', key: `run:${run.runId}` })
    if (run.closedAt !== undefined) hints.list.push({ kind: 'outcome', key: `closed:${run.runId}` })
    hints.due(run.dueAt)
  }
  for (const { namespace, workerId, registrationId } of written(changes.registrations))
    hints.list.push({ kind: 'registration', namespace, workerId, registrationId })
  for (const { namespace, workerId } of changes.registrations.removed)
    hints.list.push({ kind: 'registration', namespace, workerId, registrationId: undefined })
  return hints.all()
}

/** Of each place, and of all that is due, the earliest instant is enough. */
class Hints {
  readonly list: Hint[] = []
  readonly #ready = new Map<string, Extract<Hint, { readonly kind: 'ready' }>>()
  #dueAt: number | undefined

  ready(task: TaskKind, place: { readonly namespace: string; readonly taskQueue: string }, availableAt: number): void {
    const { namespace, taskQueue } = place
    const key = `${task}\n${namespace}\n${taskQueue}`
    const known = this.#ready.get(key)
    if (known !== undefined && known.availableAt <= availableAt) return
    this.#ready.set(key, { kind: 'ready', task, namespace, taskQueue, availableAt })
  }

  due(at: number | undefined): void {
    if (at !== undefined && (this.#dueAt === undefined || at < this.#dueAt)) this.#dueAt = at
  }

  all(): readonly Hint[] {
    const due: Hint[] = this.#dueAt === undefined ? [] : [{ kind: 'due', at: this.#dueAt }]
    return [...this.#ready.values(), ...due, ...this.list]
  }
}

function* written<Row>(changes: RowChanges<Row>): Generator<Row> {
  yield* changes.inserted
  yield* changes.updated
}

// One committed group as the judge sees it: rows before, rows after, and what may explain the difference.

import type {
  Activity,
  Changes,
  HistoryEvent,
  RowChanges,
  Run,
  Timer,
  Wait,
  WorkflowTask,
} from '@durable-workflow/engine/ports'
import type { Request, Result } from '../request.ts'
import type { Group, Sending } from '../sending.ts'
import { isOpenRun, type Rows } from './rows.ts'

/** The design's invariants (design.md §2), by name. */
export type Invariant =
  | 'one door'
  | 'recorded is recorded'
  | 'one order'
  | 'authority'
  | 'each lease alone'
  | 'reason to move'
  | 'receipts'
  | 'no lost signal'
  | 'attempts'
  | 'stored rows'
  | 'answered once'
  | 'rest'

export type Say = (invariant: Invariant, problem: string) => void

/** What was decided in the group for somebody who asked. */
export interface Decided {
  readonly sending: Sending
  readonly request: Request
  readonly decision: Result
}

export class Commit {
  readonly group: Group
  readonly now: number
  readonly changes: Changes
  /** As they were before it. */
  readonly rows: Rows
  /** In the order in which they were decided. */
  readonly decided: readonly Decided[]
  /** Sent to this server and not answered yet. */
  readonly inFlight: readonly Sending[]
  readonly #runs: ReadonlyMap<string, Run>
  readonly #tasks: ReadonlyMap<string, WorkflowTask>
  readonly #activities: ReadonlyMap<string, Activity>
  readonly #timers: ReadonlyMap<string, Timer>
  readonly #waits: ReadonlyMap<string, Wait>
  readonly eventsByRun: ReadonlyMap<string, readonly HistoryEvent[]>

  constructor(group: Group, changes: Changes, rows: Rows, inFlight: readonly Sending[]) {
    this.group = group
    this.now = group.now
    this.changes = changes
    this.rows = rows
    this.inFlight = inFlight
    this.decided = group.sendings.flatMap((sending) => {
      const last = sending.decisions.findLast((one) => one.group === group)
      return last === undefined ? [] : [{ sending, request: sending.request, decision: last.decision }]
    })
    this.#runs = byId(changes.runs, (row) => row.runId)
    this.#tasks = byId(changes.workflowTasks, (row) => row.taskId)
    this.#activities = byId(changes.activities, (row) => row.activityId)
    this.#timers = byId(changes.timers, (row) => row.timerId)
    this.#waits = byId(changes.waits, (row) => row.waitId)
    this.eventsByRun = Map.groupBy(changes.events, (event) => event.runId)
  }

  run(id: string): Run | undefined {
    return this.#runs.get(id) ?? this.rows.runs.get(id)
  }

  task(id: string): WorkflowTask | undefined {
    return this.#tasks.get(id) ?? this.rows.workflowTasks.get(id)
  }

  activity(id: string): Activity | undefined {
    return this.#activities.get(id) ?? this.rows.activities.get(id)
  }

  timer(id: string): Timer | undefined {
    return this.#timers.get(id) ?? this.rows.timers.get(id)
  }

  wait(id: string): Wait | undefined {
    return this.#waits.get(id) ?? this.rows.waits.get(id)
  }

  events(runId: string, ...types: readonly string[]): readonly HistoryEvent[] {
    const events = this.eventsByRun.get(runId) ?? []
    return types.length === 0 ? events : events.filter((event) => types.includes(event.type))
  }

  /** Whether the run is closed after it and was open, or not there, before. */
  closes(runId: string): boolean {
    const before = this.rows.runs.get(runId)
    return (before === undefined || isOpenRun(before)) && !isOpenRun(this.run(runId))
  }

  /** What was recorded now, not found recorded earlier. */
  recorded<Kind extends Request['kind']>(
    kind: Kind,
    is: (request: Extract<Request, { readonly kind: Kind }>) => boolean,
  ): readonly {
    readonly sending: Sending
    readonly request: Extract<Request, { readonly kind: Kind }>
    readonly reply: unknown
  }[] {
    return this.decided.flatMap(({ sending, request, decision }) => {
      if (decision.kind === 'refused' || isRepeated(decision.reply) || !isKind(request, kind) || !is(request)) return []
      return [{ sending, request, reply: decision.reply }]
    })
  }

  /** What was asked of this server and has no answer yet, of one kind. */
  waiting<Kind extends Request['kind']>(kind: Kind): readonly Extract<Request, { readonly kind: Kind }>[] {
    return this.inFlight.flatMap(({ request }) => (isKind(request, kind) ? [request] : []))
  }

  /** Whether a repair pass over this workflow, or over its namespace, is under way. */
  isRepaired(run: { readonly workflowId: string; readonly namespace: string }): boolean {
    return this.waiting('repairPass').some(
      ({ namespace, workflowId }) =>
        namespace === run.namespace && (workflowId === undefined || workflowId === run.workflowId),
    )
  }

  /** Whether this worker gives up its leases now: it deregisters, or another process takes its id. */
  isSurrendered(namespace: string, owner: string | undefined): boolean {
    const gone = this.waiting('deregister').some((one) => one.namespace === namespace && one.workerId === owner)
    return (
      gone || this.waiting('register').some(({ input }) => input.namespace === namespace && input.workerId === owner)
    )
  }
}

function byId<Row>(changes: RowChanges<Row>, idOf: (row: Row) => string): Map<string, Row> {
  return new Map([...changes.inserted, ...changes.updated].map((row) => [idOf(row), row]))
}

function isKind<Kind extends Request['kind']>(
  request: Request,
  kind: Kind,
): request is Extract<Request, { readonly kind: Kind }> {
  return request.kind === kind
}

/** Whether a reply says that it was recorded before. */
export function isRepeated(reply: unknown): boolean {
  return memberOf(reply, 'repeated') === true
}

/** One member of a value that came over the wire. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

/** The run that an id belongs to: ids begin with it. */
export function runOf(id: string): string {
  return id.slice(0, 32)
}

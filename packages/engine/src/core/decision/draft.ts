import { type Activity, isOpenActivity } from '../state/activity.ts'
import type { HistoryEvent } from '../state/history-event.ts'
import type { Namespace } from '../state/namespace.ts'
import type { QueryTask } from '../state/query-task.ts'
import { type Liveness, type Registration, workerKey } from '../state/registration.ts'
import { progressOf, type Run } from '../state/run.ts'
import type { Signal } from '../state/signal.ts'
import type { Timer } from '../state/timer.ts'
import { isLiveWait, type Wait } from '../state/wait.ts'
import type { Workflow } from '../state/workflow.ts'
import { isOpenTask, type WorkflowTask } from '../state/workflow-task.ts'
import { DraftTable, InvariantError } from './draft-table.ts'
import { type Group, keyOf } from './group.ts'
import { type SliceKey, sliceKeyText } from './slice.ts'

/** A task that a draft made claimable. */
export interface Ready {
  readonly kind: 'workflow' | 'activity' | 'query'
  readonly id: string
  readonly namespace: string
  readonly taskQueue: string
  readonly type: string
}

/**
 * What one decision sees and changes: a copy-on-write view of its group (UW1).
 *
 * Reading a key that no slice of the group asked for throws InvariantError: a decision that guesses is a bug of ours.
 * Rows are whole and immutable; `put…` replaces one.
 */
export class Draft {
  readonly #group: Group
  readonly #namespaces: DraftTable<Namespace>
  readonly #workflows: DraftTable<Workflow>
  readonly #runs: DraftTable<Run>
  readonly #workflowTasks: DraftTable<WorkflowTask>
  readonly #activities: DraftTable<Activity>
  readonly #timers: DraftTable<Timer>
  readonly #waits: DraftTable<Wait>
  readonly #signals: DraftTable<Signal>
  readonly #queryTasks: DraftTable<QueryTask>
  readonly #registrations: DraftTable<Registration>
  readonly #livenesses: DraftTable<Liveness>
  readonly #events: HistoryEvent[] = []
  readonly #bornRuns: string[] = []

  constructor(group: Group) {
    this.#group = group
    this.#namespaces = new DraftTable(group.namespaces, keyOf.namespace)
    this.#workflows = new DraftTable(group.workflows, keyOf.workflow)
    this.#runs = new DraftTable(group.runs, keyOf.run)
    this.#workflowTasks = new DraftTable(group.workflowTasks, keyOf.workflowTask)
    this.#activities = new DraftTable(group.activities, keyOf.activity)
    this.#timers = new DraftTable(group.timers, keyOf.timer)
    this.#waits = new DraftTable(group.waits, keyOf.wait)
    this.#signals = new DraftTable(group.signals, keyOf.signal)
    this.#queryTasks = new DraftTable(group.queryTasks, keyOf.queryTask)
    this.#registrations = new DraftTable(group.registrations, keyOf.registration)
    this.#livenesses = new DraftTable(group.livenesses, keyOf.liveness)
  }

  namespace(name: string): Namespace | undefined {
    this.#mustKnow({ of: 'namespace', name })
    return this.#namespaces.get(name)
  }

  workflow(workflowId: string): Workflow | undefined {
    const found = this.#workflows.get(workflowId)
    if (found === undefined) this.#mustKnow({ of: 'workflow', workflowId })
    return found
  }

  run(runId: string): Run | undefined {
    const found = this.#runs.get(runId)
    if (found === undefined) this.#mustKnow({ of: 'run', runId })
    return found
  }

  workflowTask(taskId: string): WorkflowTask | undefined {
    const found = this.#workflowTasks.get(taskId)
    if (found === undefined) this.#mustKnow({ of: 'workflowTask', taskId })
    return found
  }

  hasWorkflowTask(taskId: string): boolean {
    return this.#workflowTasks.get(taskId) !== undefined
  }

  openWorkflowTask(runId: string): WorkflowTask | undefined {
    this.#mustKnow({ of: 'openWorkflowTask', runId })
    return this.#workflowTasks.where((task) => task.runId === runId && isOpenTask(task))[0]
  }

  activity(activityId: string): Activity | undefined {
    const found = this.#activities.get(activityId)
    if (found === undefined) this.#mustKnow({ of: 'activity', activityId })
    return found
  }

  openActivities(runId: string): readonly Activity[] {
    this.#mustKnow({ of: 'openActivities', runId })
    return this.#activities.where((activity) => activity.runId === runId && isOpenActivity(activity))
  }

  timer(timerId: string): Timer | undefined {
    const found = this.#timers.get(timerId)
    if (found === undefined) this.#mustKnow({ of: 'timer', timerId })
    return found
  }

  hasTimer(timerId: string): boolean {
    return this.#timers.get(timerId) !== undefined
  }

  openTimers(runId: string): readonly Timer[] {
    this.#mustKnow({ of: 'openTimers', runId })
    return this.#timers.where((timer) => timer.runId === runId && timer.status === 'pending')
  }

  /** In the order of their steps. */
  liveWaits(runId: string): readonly Wait[] {
    this.#mustKnow({ of: 'liveWaits', runId })
    return this.#waits.where((wait) => wait.runId === runId && isLiveWait(wait)).sort((a, b) => a.step - b.step)
  }

  /** Signals accepted while a workflow task was leased, in the order in which they were accepted. */
  heldSignals(runId: string): readonly Signal[] {
    this.#mustKnow({ of: 'heldSignals', runId })
    return inOrder(this.#signals.where((signal) => signal.runId === runId && signal.status === 'held'))
  }

  /** Received and not applied, of one name, in the order in which they were accepted. */
  unreadSignals(runId: string, name: string): readonly Signal[] {
    this.#mustKnow({ of: 'unreadSignals', runId, name, limit: 0 })
    return inOrder(
      this.#signals.where((signal) => signal.runId === runId && signal.name === name && signal.status === 'received'),
    )
  }

  queryTask(queryTaskId: string): QueryTask | undefined {
    const found = this.#queryTasks.get(queryTaskId)
    if (found === undefined) this.#mustKnow({ of: 'queryTask', queryTaskId })
    return found
  }

  registration(namespace: string, workerId: string): Registration | undefined {
    this.#mustKnow({ of: 'registration', namespace, workerId })
    return this.#registrations.get(workerKey(namespace, workerId))
  }

  liveness(namespace: string, workerId: string): Liveness | undefined {
    this.#mustKnow({ of: 'liveness', namespace, workerId })
    return this.#livenesses.get(workerKey(namespace, workerId))
  }

  putNamespace(row: Namespace): Namespace {
    return this.#namespaces.put(row)
  }
  putWorkflow(row: Workflow): Workflow {
    return this.#workflows.put(row)
  }
  putRun(row: Run): Run {
    return this.#runs.put({ ...row, progress: progressOf(row) })
  }
  /** Puts a run that this decision made: nothing about it needs loading. */
  putNewRun(row: Run): Run {
    this.#bornRuns.push(row.runId)
    return this.putRun(row)
  }
  putWorkflowTask(row: WorkflowTask): WorkflowTask {
    return this.#workflowTasks.put(row)
  }
  putActivity(row: Activity): Activity {
    return this.#activities.put(row)
  }
  putTimer(row: Timer): Timer {
    return this.#timers.put(row)
  }
  putWait(row: Wait): Wait {
    return this.#waits.put(row)
  }
  putSignal(row: Signal): Signal {
    return this.#signals.put(row)
  }
  putQueryTask(row: QueryTask): QueryTask {
    return this.#queryTasks.put(row)
  }
  removeQueryTask(queryTaskId: string): void {
    this.#queryTasks.remove(queryTaskId)
  }
  putRegistration(row: Registration): Registration {
    return this.#registrations.put(row)
  }
  removeRegistration(row: Registration): void {
    this.#registrations.remove(keyOf.registration(row))
  }
  putLiveness(row: Liveness): Liveness {
    return this.#livenesses.put(row)
  }
  removeLiveness(row: Liveness): void {
    this.#livenesses.remove(keyOf.liveness(row))
  }

  /** The tasks that this draft made claimable by now. */
  madeReady(now: number): Ready[] {
    const ready: Ready[] = []
    for (const { taskId, namespace, taskQueue, workflowType, status, availableAt } of this.#workflowTasks.written()) {
      if (status === 'ready' && availableAt <= now)
        ready.push({ kind: 'workflow', id: taskId, namespace, taskQueue, type: workflowType })
    }
    for (const { activityId, namespace, taskQueue, activityType, status, availableAt } of this.#activities.written()) {
      if (status === 'pending' && availableAt <= now)
        ready.push({ kind: 'activity', id: activityId, namespace, taskQueue, type: activityType })
    }
    for (const { queryTaskId, namespace, taskQueue, workflowType, status } of this.#queryTasks.written()) {
      if (status === 'ready') ready.push({ kind: 'query', id: queryTaskId, namespace, taskQueue, type: workflowType })
    }
    return ready
  }

  /** Only `history/append` calls this. */
  addEvent(event: HistoryEvent): void {
    this.#events.push(event)
  }

  /** Hands everything to the group; called once, by the unit of work, when the decision stands. */
  commit(): void {
    const tables = [
      this.#namespaces,
      this.#workflows,
      this.#runs,
      this.#workflowTasks,
      this.#activities,
      this.#timers,
      this.#waits,
      this.#signals,
      this.#queryTasks,
      this.#registrations,
      this.#livenesses,
    ]
    for (const table of tables) table.commit()
    for (const runId of this.#bornRuns) this.#group.markBorn(runId)
    this.#group.events.push(...this.#events)
  }

  /** Whether a key is in the slice; a decision that finds it is not may ask for it (`widen`). */
  knows(key: SliceKey): boolean {
    return this.#group.knows(key) || ('runId' in key && this.#bornRuns.includes(key.runId))
  }

  #mustKnow(key: SliceKey): void {
    if (this.knows(key)) return
    throw new InvariantError(`UW1: a decision read ${sliceKeyText(key)}, which is not in its slice.`)
  }
}

function inOrder(signals: Signal[]): Signal[] {
  return signals.sort((a, b) => a.commandSequence - b.commandSequence)
}

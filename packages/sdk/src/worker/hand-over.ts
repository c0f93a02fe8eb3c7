// Free slots offered with a report, and the tasks that its reply hands over for them: two requests a step instead of four.
//
// Invariants
//   HO1  A slot that is offered is taken; it goes to one handed task or is given back, whatever becomes of the report.
//   HO2  A worker that drains offers nothing; what is handed to it all the same is worked on.
//   HO3  What is wrong with a handed task is said and left to its lease: the report is recorded, and the worker goes on.
//   HO4  When a reply may have been lost and the tasks did not come with a later one, one poll with the offer's id collects them.
import type { ActivityTask, Command, WorkflowTask, workerPlane } from '@durable-workflow/protocol'
import { memberOf } from '../transport/json.ts'
import { type Read, readActivityTask, readWorkflowTask } from './handed-tasks.ts'
import type { Polls } from './polls.ts'
import type { Delivery } from './report.ts'
import type { Session } from './session.ts'
import type { Slots } from './slots.ts'

export interface HandOver {
  /** Offers the reporter's own workflow slot, and activity slots for what the commands schedule here. */
  ofCompletion(commands: readonly Command[]): Offer
  /** Offers the reporter's own workflow slot: what arrived while the turn lasted can be taken up at once. */
  ofWaiting(): Offer
  /** Offers a free workflow slot for the turn that the activity's outcome asks for. */
  ofActivityReport(): Offer
}

export interface Offer {
  /** What the report carries; undefined when nothing is offered. */
  readonly document: workerPlane.HandOver | undefined
  /**
   * Starts what was handed over.
   *
   * @returns the task for the reporter's own slot; it goes on with it there
   */
  take(delivery: Delivery): Promise<WorkflowTask | undefined>
  /** Gives back the slots that `take` has not used. The reporter calls it in the end, whatever became of the report. */
  withdraw(): void
}

export interface HandOverOptions {
  readonly session: Session
  readonly polls: Polls
  readonly slots: { readonly workflow: Slots; readonly activity: Slots }
  /** Registered types: nothing else would be handed over. */
  readonly activityTypes: ReadonlySet<string>
  readonly hasWorkflows: boolean
  /** Aborted when the worker drains. */
  readonly draining: AbortSignal
  /** Works on a task in a slot that was taken for it. */
  startWorkflowTask(task: WorkflowTask, release: () => void): void
  startActivityTask(task: ActivityTask, release: () => void): void
}

// The bound of the wire.
const activityTasksMax = 100

const noOffer: Offer = { document: undefined, take: () => Promise.resolve(undefined), withdraw: () => {} }

/** Slots of one offer. `own` is the reporter's: it is never given back here. */
interface Reserved {
  readonly own: boolean
  readonly workflow: (() => void) | undefined
  readonly activities: (() => void)[]
}

export function createHandOver(options: HandOverOptions): HandOver {
  const { session, slots, draining } = options
  const isOffering = () => session.discovery.taskHandOver && !draining.aborted && !session.giveUp.aborted

  function reserveActivities(commands: readonly Command[]): (() => void)[] {
    const wanted = Math.min(commands.filter(isScheduledHere).length, activityTasksMax)
    const reserved: (() => void)[] = []
    while (reserved.length < wanted) {
      const release = slots.activity.tryAcquire()
      if (release === undefined) break
      reserved.push(release)
    }
    return reserved
  }

  const isScheduledHere = (command: Command) =>
    command.type === 'schedule_activity' &&
    command.queue === session.taskQueue &&
    options.activityTypes.has(command.activity_type)

  return {
    ofCompletion: (commands) =>
      isOffering()
        ? createOffer(options, { own: true, workflow: undefined, activities: reserveActivities(commands) })
        : noOffer,
    ofWaiting: () =>
      isOffering() ? createOffer(options, { own: true, workflow: undefined, activities: [] }) : noOffer,
    ofActivityReport() {
      const workflow = isOffering() && options.hasWorkflows ? slots.workflow.tryAcquire() : undefined
      return workflow === undefined ? noOffer : createOffer(options, { own: false, workflow, activities: [] })
    },
  }
}

function createOffer(options: HandOverOptions, reserved: Reserved): Offer {
  const { session, polls } = options
  const { own, activities } = reserved
  const pollRequestId = session.newPollRequestId('hand-over')
  const activityCount = activities.length
  let workflow = reserved.workflow

  const withdraw = () => {
    workflow?.()
    workflow = undefined
    for (const release of activities.splice(0)) release()
  }

  // HO3
  const leave = (kind: string, task: unknown, fault: string) => {
    const facts = { kind, taskId: memberOf(task, 'task_id'), pollRequestId, fault }
    session.log.warn('A task that came with a reply cannot be worked on; it is left to its lease.', facts)
  }
  const sound = <Task>(kind: string, value: unknown, read: (value: unknown, workerId: string) => Read<Task>) => {
    const found = read(value, session.workerId)
    if ('task' in found) return found.task
    leave(kind, value, found.fault)
    return undefined
  }

  const startActivityTask = (value: unknown) => {
    const task = sound('activity', value, readActivityTask)
    if (task === undefined) return
    const release = activities.shift()
    if (release === undefined) leave('activity', task, `more came than the ${activityCount} slots that were offered`)
    else options.startActivityTask(task, release)
  }

  /** In the slot that was taken for it, or by the reporter itself. */
  const placeWorkflowTask = (value: unknown): WorkflowTask | undefined => {
    const task = sound('workflow', value, readWorkflowTask)
    if (task === undefined || own) return task
    const release = workflow
    workflow = undefined
    if (release !== undefined) options.startWorkflowTask(task, release)
    return undefined
  }

  const takeActivities = async (value: unknown, mayBeLost: boolean) => {
    if (Array.isArray(value)) value.forEach(startActivityTask)
    else if (value !== undefined) leave('activity', value, 'activity_tasks is no list')
    else if (mayBeLost && activityCount > 0) {
      const task = await collect('activity', polls.activity)
      if (task !== undefined) startActivityTask(task)
    }
  }

  const takeWorkflowTask = async (value: unknown, mayBeLost: boolean) => {
    const task = value === undefined && mayBeLost ? await collect('workflow', polls.workflow) : value
    return task === undefined ? undefined : placeWorkflowTask(task)
  }

  // HO4
  const collect = async <Task>(kind: string, poll: (options: Parameters<Polls['workflow']>[0]) => Promise<Task>) => {
    try {
      return await poll({ pollRequestId, timeoutSeconds: 0, signal: session.giveUp })
    } catch (error) {
      // Whatever it was, the pollers meet it too and judge it; a task that is there comes back by its lease.
      session.log.warn('A poll for tasks of a lost reply was not answered.', {
        kind,
        pollRequestId,
        error: String(error),
      })
      return undefined
    }
  }

  return {
    document: {
      poll_request_id: pollRequestId,
      workflow_tasks: 1,
      ...(activityCount === 0 ? {} : { activity_tasks: activityCount }),
    },
    async take(delivery) {
      // Given up: deregistration frees what is leased.
      if (delivery.kind !== 'recorded' || session.giveUp.aborted) return undefined
      const handed = memberOf(delivery.body, 'handed_over')
      const mayBeLost = delivery.sends > 1 && !options.draining.aborted
      const activitiesTaken = takeActivities(memberOf(handed, 'activity_tasks'), mayBeLost)
      const next = await takeWorkflowTask(memberOf(handed, 'workflow_task'), mayBeLost)
      await activitiesTaken
      return next
    },
    withdraw,
  }
}

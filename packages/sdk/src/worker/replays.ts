import { decodeArguments, type PayloadValue, requirePayloadCodec } from '@durable-workflow/codec'
import type { HistoryEvent, QueryTask, WorkflowTask } from '@durable-workflow/protocol'
import { DurableWorkflowError } from '../authoring/failure.ts'
import type { WorkflowImplementation } from '../authoring/workflow.ts'
import type { Guard } from '../guard/guard.ts'
import { createReplay, type Replay } from '../replay/replay.ts'
import { instantOf } from '../transport/json.ts'
import type { Session } from './session.ts'

export interface Replays {
  /** A replay that has seen nothing yet, for the run of a task. */
  cold(task: WorkflowTask | QueryTask, first: HistoryEvent | undefined): Replay
}

// Every microtask runs before the next tick, and this is the soonest there is: no turn of the event loop is spent on an
// event. A long replay still lets the loop turn now and then, so that leases of its neighbours are renewed meanwhile.
const drainsPerTurn = 64

function createDrain(): () => Promise<void> {
  let drains = 0
  return () =>
    new Promise<void>((resolve) => {
      drains += 1
      if (drains % drainsPerTurn === 0) setImmediate(resolve)
      else process.nextTick(resolve)
    })
}

export function createReplays(
  session: Session,
  workflows: ReadonlyMap<string, WorkflowImplementation>,
  guard: Guard,
): Replays {
  const drain = createDrain()
  return {
    cold(task, first) {
      const workflow = workflows.get(task.workflow_type)
      if (workflow === undefined) throw notRegistered(task.workflow_type, [...workflows.keys()])
      const facts = { workflowId: task.workflow_id, runId: task.run_id, workflowType: task.workflow_type }
      const replay: Replay = createReplay({
        workflow,
        run: {
          ...facts,
          namespace: session.namespace,
          taskQueue: task.task_queue,
          attempt: 'workflow_task_attempt' in task ? task.workflow_task_attempt : task.query_task_attempt,
          startedAt: instantOf(first, 'recorded_at') ?? session.clock.now(),
          historyBytes: 'history_size_bytes' in task ? (task.history_size_bytes ?? 0) : 0,
          continueAsNewSuggested: 'continue_as_new_recommended' in task && task.continue_as_new_recommended === true,
        },
        arguments: argumentsOf(task),
        capabilities: { millisecondDurations: session.discovery.millisecondDurations },
        payloadBytesMax: session.discovery.payloadBytesMax,
        drain,
        outside: guard.outside,
        enter: (fn) => guard.enter(replay, fn),
        inside: () => guard.current() === replay,
        log: (level, message, more) => guard.outside(() => session.log[level](message, { ...facts, ...more })),
      })
      return replay
    },
  }
}

function argumentsOf(task: WorkflowTask | QueryTask): PayloadValue[] {
  requirePayloadCodec(task.payload_codec)
  return decodeArguments('arguments' in task ? task.arguments : task.workflow_arguments)
}

function notRegistered(workflowType: string, known: readonly string[]): DurableWorkflowError {
  return new DurableWorkflowError(
    `no workflow registered for type "${workflowType}"; this worker has ${known.join(', ') || 'none'}.`,
    { reason: 'workflow_type_not_registered', facts: { workflowType, known } },
  )
}

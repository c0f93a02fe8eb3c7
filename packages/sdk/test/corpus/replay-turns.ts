// A recorded run, replayed: what the code sends at each turn, cold and going on.
import { decodeArguments } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import type { WorkflowImplementation } from '../../src/authoring/workflow.ts'
import type { Guard } from '../../src/guard/guard.ts'
import { createReplay, type Replay } from '../../src/replay/replay.ts'
import type { RecordedHistory, RecordedTurn } from './recorded-history.ts'
import type { Scenario } from './scenario.ts'

const drain = () => new Promise<void>((resolve) => void setImmediate(resolve))

function eventsOf({ history_events: rows, namespace }: RecordedHistory): HistoryEvent[] {
  return rows.map((row) => ({
    id: `event-${row.sequence}`,
    namespace,
    workflow_task_id: null,
    workflow_command_id: null,
    ...row,
  }))
}

function open(guard: Guard, workflow: WorkflowImplementation, recorded: RecordedHistory): Replay {
  const replay: Replay = createReplay({
    workflow,
    run: {
      workflowId: recorded.workflow_id,
      runId: recorded.run_id,
      workflowType: recorded.workflow_type,
      namespace: recorded.namespace,
      taskQueue: recorded.task_queue,
      attempt: 1,
      startedAt: Date.parse(recorded.history_events[0]?.recorded_at ?? ''),
      historyBytes: 0,
      continueAsNewSuggested: false,
    },
    arguments: decodeArguments(recorded.arguments),
    capabilities: { millisecondDurations: recorded.millisecond_durations },
    drain,
    outside: guard.outside,
    enter: (fn) => guard.enter(replay, fn),
    inside: () => guard.current() === replay,
    log: () => undefined,
  })
  return replay
}

/** The bytes of what each turn sent. */
export function recordedCommands({ turns }: RecordedHistory): readonly string[] {
  return turns.map(({ commands }) => JSON.stringify(commands))
}

function codeOf({ workflow, before }: Scenario, turn: RecordedTurn): WorkflowImplementation {
  return turn.before_change === true ? (before ?? workflow) : workflow
}

/** What each turn sends when it is replayed from the start. */
export async function coldCommands(guard: Guard, scenario: Scenario, recorded: RecordedHistory): Promise<string[]> {
  const events = eventsOf(recorded)
  const sent: string[] = []
  for (const turn of recorded.turns) {
    const replay = open(guard, codeOf(scenario, turn), recorded)
    const { commands } = await replay.step(events.slice(0, turn.events), {})
    replay.dispose()
    sent.push(JSON.stringify(commands))
  }
  return sent
}

/** What each turn sends when one replay goes on from turn to turn; where the code changed, a new one begins. */
export async function stickyCommands(guard: Guard, scenario: Scenario, recorded: RecordedHistory): Promise<string[]> {
  const events = eventsOf(recorded)
  const sent: string[] = []
  let kept: { readonly code: WorkflowImplementation; readonly replay: Replay } | undefined
  for (const turn of recorded.turns) {
    const code = codeOf(scenario, turn)
    if (kept?.code !== code) {
      kept?.replay.dispose()
      kept = { code, replay: open(guard, code, recorded) }
    }
    const { commands } = await kept.replay.step(events.slice(kept.replay.lastSequence, turn.events), {})
    sent.push(JSON.stringify(commands))
  }
  kept?.replay.dispose()
  return sent
}

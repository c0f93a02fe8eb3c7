import type { SliceKey } from '@durable-workflow/engine/ports'

/** What a load asks for: the keys of each kind, each once. Workers are pairs of namespace and worker id. */
export interface Asked {
  readonly namespace: Set<string>
  readonly workflow: Set<string>
  readonly run: Set<string>
  readonly workflowTask: Set<string>
  readonly openWorkflowTask: Set<string>
  readonly activity: Set<string>
  readonly openActivities: Set<string>
  readonly timer: Set<string>
  readonly openTimers: Set<string>
  readonly liveWaits: Set<string>
  readonly heldSignals: Set<string>
  readonly unreadSignals: Map<string, UnreadSignals>
  readonly queryTask: Set<string>
  readonly registration: Map<string, readonly [string, string]>
  readonly liveness: Map<string, readonly [string, string]>
}

/** The oldest signals of one name of a run. */
export interface UnreadSignals {
  readonly runId: string
  readonly name: string
  readonly limit: number
}

export function askedOf(keys: readonly SliceKey[]): Asked {
  const asked = nothingAsked()
  for (const key of keys) add(asked, key)
  return asked
}

function add(asked: Asked, key: SliceKey): void {
  switch (key.of) {
    case 'namespace':
      asked.namespace.add(key.name)
      return
    case 'workflow':
      asked.workflow.add(key.workflowId)
      return
    case 'workflowTask':
      asked.workflowTask.add(key.taskId)
      return
    case 'activity':
      asked.activity.add(key.activityId)
      return
    case 'timer':
      asked.timer.add(key.timerId)
      return
    case 'queryTask':
      asked.queryTask.add(key.queryTaskId)
      return
    case 'run':
    case 'openWorkflowTask':
    case 'openActivities':
    case 'openTimers':
    case 'liveWaits':
    case 'heldSignals':
      asked[key.of].add(key.runId)
      return
    case 'unreadSignals':
      addUnread(asked, key)
      return
    case 'registration':
    case 'liveness':
      asked[key.of].set(JSON.stringify([key.namespace, key.workerId]), [key.namespace, key.workerId])
  }
}

/** Asked twice, the larger number answers both. */
function addUnread(asked: Asked, { runId, name, limit }: UnreadSignals): void {
  const text = JSON.stringify([runId, name])
  const known = asked.unreadSignals.get(text)
  asked.unreadSignals.set(text, { runId, name, limit: Math.max(limit, known?.limit ?? 0) })
}

function nothingAsked(): Asked {
  return {
    namespace: new Set(),
    workflow: new Set(),
    run: new Set(),
    workflowTask: new Set(),
    openWorkflowTask: new Set(),
    activity: new Set(),
    openActivities: new Set(),
    timer: new Set(),
    openTimers: new Set(),
    liveWaits: new Set(),
    heldSignals: new Set(),
    unreadSignals: new Map(),
    queryTask: new Set(),
    registration: new Map(),
    liveness: new Map(),
  }
}

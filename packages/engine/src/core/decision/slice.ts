/**
 * What a decision may see, asked for by key before it decides. The store answers all keys of a group in a few
 * set-based queries; reading anything else from the draft is a broken invariant (UW1).
 */
export type SliceKey =
  | { readonly of: 'namespace'; readonly name: string }
  /** A workflow and its current run. */
  | { readonly of: 'workflow'; readonly workflowId: string }
  | { readonly of: 'run'; readonly runId: string }
  | { readonly of: 'workflowTask'; readonly taskId: string }
  /** The one workflow task of a run that is ready or leased. */
  | { readonly of: 'openWorkflowTask'; readonly runId: string }
  | { readonly of: 'activity'; readonly activityId: string }
  /** All activities of a run that are pending or running. */
  | { readonly of: 'openActivities'; readonly runId: string }
  | { readonly of: 'timer'; readonly timerId: string }
  /** All pending timers of a run. */
  | { readonly of: 'openTimers'; readonly runId: string }
  /** All waits of a run that are open or expired. */
  | { readonly of: 'liveWaits'; readonly runId: string }
  /** All signals of a run that are held. */
  | { readonly of: 'heldSignals'; readonly runId: string }
  /** The oldest `limit` signals of one name that are received and not applied. */
  | { readonly of: 'unreadSignals'; readonly runId: string; readonly name: string; readonly limit: number }
  | { readonly of: 'queryTask'; readonly queryTaskId: string }
  | { readonly of: 'registration'; readonly namespace: string; readonly workerId: string }
  | { readonly of: 'liveness'; readonly namespace: string; readonly workerId: string }

export type SliceOf = SliceKey['of']

/** One text for one key: what was asked for in a group is asked once. */
export function sliceKeyText(key: SliceKey): string {
  switch (key.of) {
    case 'namespace':
      return `namespace:${key.name}`
    case 'workflow':
      return `workflow:${key.workflowId}`
    case 'workflowTask':
      return `workflowTask:${key.taskId}`
    case 'activity':
      return `activity:${key.activityId}`
    case 'timer':
      return `timer:${key.timerId}`
    case 'queryTask':
      return `queryTask:${key.queryTaskId}`
    case 'registration':
    case 'liveness':
      return `${key.of}:${key.namespace}\n${key.workerId}`
    case 'run':
    case 'openWorkflowTask':
    case 'openActivities':
    case 'openTimers':
    case 'liveWaits':
    case 'heldSignals':
      return `${key.of}:${key.runId}`
    case 'unreadSignals':
      return `unreadSignals:${key.runId}\n${key.name}`
  }
}

// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.

/** Bounds of the wire. */
export const limits = {
  /** In commands; structural limit command_batch_size. */
  commandsPerCompletionMax: 1000,
  /** In executions; structural limit pending_activity_count. */
  pendingActivitiesMax: 2000,
  /** In timers; structural limit pending_timer_count. */
  pendingTimersMax: 2000,
  /** In runs; structural limit pending_child_count. */
  pendingChildrenMax: 1000,
  /** In signals; structural limit pending_signal_count. */
  pendingSignalsMax: 5000,
  /** In updates; structural limit pending_update_count. */
  pendingUpdatesMax: 500,
  /** In bytes; structural limit payload_size. */
  payloadBytesMax: 2097152,
  /** In bytes; structural limit memo_size. */
  memoBytesMax: 262144,
  /** In bytes; structural limit search_attribute_size. */
  searchAttributesBytesMax: 40960,
  /** In events; structural limit history_transaction_size. */
  historyTransactionEventsMax: 5000,
  /** In bytes; worker plane 1.2, control plane 1.4. */
  bodyBytesMax: 2097152,
  /** In events; history budget. */
  historyEventsWarning: 8000,
  /** In events; history budget. */
  historyEventsRecommend: 10000,
  /** In bytes; history budget. */
  historyBytesWarning: 4194304,
  /** In bytes; history budget. */
  historyBytesRecommend: 5242880,
  /** In members; history budget. */
  historyFanOutWarning: 160,
  /** In members; history budget. */
  historyFanOutRecommend: 200,
  /** In events; worker plane 6.1, control plane 6.7. */
  historyPageSizeMax: 1000,
  /** In runs; control plane 6.2. */
  listPageSizeMax: 200,
  /** In seconds; worker plane 5.1. */
  pollTimeoutSecondsMax: 60,
  /** In characters; worker plane 5.1. */
  pollRequestIdLengthMax: 255,
  /** In characters; control plane 1. */
  workflowIdLengthMax: 128,
  /** In characters; control plane 1. */
  runIdLengthMax: 64,
  /** In characters; control plane 6.4. */
  workflowTypeLengthMax: 255,
  /** In characters; control plane 6.4. */
  taskQueueLengthMax: 255,
  /** In bytes; control plane 6.10. */
  operationNameBytesMax: 256,
  /** In characters; control plane 6.10. */
  requestIdLengthMax: 255,
  /** In characters; control plane 6.10. */
  reasonLengthMax: 1000,
  /** In characters; control plane 5. */
  namespaceNameLengthMax: 128,
  /** In days; control plane 5. */
  retentionDaysMax: 365,
  /** In tasks; worker plane 7.5. */
  queryTasksPerQueueMax: 1024,
  /** In seconds; worker plane 2. */
  workerHeartbeatIntervalSecondsMax: 3600,
  /** In seconds; settled: ordinary task failure. */
  taskFailureBackoffSecondsMax: 60,
  /** In seconds; published clients 2.8. */
  cleanupTimeoutSecondsMax: 3600,
  /** In bytes; worker plane 1.1. */
  compressionBytesMin: 1024,
} as const

/** What holds when nobody says otherwise. */
export const defaults = {
  /** In seconds; settled: leases; setting DW_WORKFLOW_TASK_TIMEOUT. */
  workflowTaskLeaseSeconds: 60,
  /** In seconds; settled: leases; setting DW_ACTIVITY_TASK_TIMEOUT. */
  activityLeaseSeconds: 300,
  /** In seconds; worker plane 7.5. */
  queryTimeoutSeconds: 30,
  /** In seconds; worker plane 2. */
  queryLeaseSeconds: 60,
  /** In seconds; worker plane 2. */
  queryLeaseGraceSeconds: 5,
  /** In seconds; settled: query tasks. */
  queryTaskTtlSeconds: 180,
  /** In seconds; worker plane 5.1. */
  pollTimeoutSeconds: 30,
  /** In seconds; worker plane 5.4. */
  pollReplayGraceSeconds: 5,
  /** In seconds; worker plane 5.4. */
  pollReplayEmptySeconds: 60,
  /** In events; control plane 6.7. */
  controlHistoryPageSize: 100,
  /** In events; worker plane 2. */
  workerHistoryPageSize: 500,
  /** In runs; control plane 6.2. */
  listPageSize: 50,
  /** In seconds; worker plane 2. */
  workerHeartbeatIntervalSeconds: 10,
  /** In seconds; worker plane 2. */
  workerStaleAfterSeconds: 30,
  /** In tasks; worker plane 4.1. */
  maxConcurrentWorkflowTasks: 100,
  /** In tasks; worker plane 4.1. */
  maxConcurrentActivityTasks: 100,
  /** In seconds; settled: ordinary task failure. */
  taskFailureBackoffSeconds: 1,
  /** In seconds; L-10. */
  repairRedispatchSeconds: 3,
  /** In seconds; L-10. */
  repairThrottleSeconds: 5,
  /** In rows; L-10. */
  repairScanRows: 25,
  /** In days; control plane 5. */
  retentionDays: 30,
  /** In attempts; worker plane 9.6. */
  activityAttemptsMax: 1,
  /** In port; design 7; setting DW_PORT. */
  port: 7400,
  /** In name; control plane 6.4. */
  taskQueue: "default",
  /** In name; control plane 5. */
  namespace: "default",
  /** In name; worker plane 11.1. */
  payloadCodec: "avro",
} as const

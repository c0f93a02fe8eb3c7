// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.

/** Fields of a request that the wire has and this server does not honour yet: refused 422, never dropped. */
export const plannedFields: Readonly<Record<string, readonly string[]>> = {
  completeWorkflowTask: ["message_stream_cursors", "message_stream_waits"],
  startWorkflow: ["memo", "search_attributes", "priority", "fairness_key", "fairness_weight", "build_id", "compatibility", "observability_context"],
  signalWorkflow: ["observability_context"],
  cancelWorkflow: ["observability_context"],
  repairWorkflow: ["observability_context"],
  signalRun: ["observability_context"],
  cancelRun: ["observability_context"],
  repairRun: ["observability_context"],
}

/** Fields of a request that are refused 422 for ever, each under its own name. */
export const refusedFields: Readonly<Record<string, readonly string[]>> = {
  startWorkflow: ["workflow_execution_timeout", "workflow_run_timeout", "workflow_task_timeout", "retry_policy", "idempotency_key", "request_id"],
}

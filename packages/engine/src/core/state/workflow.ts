/** The durable identity that a user chose; one id lives in one namespace (design.md §2.3). */
export interface Workflow {
  readonly workflowId: string
  readonly namespace: string
  readonly workflowType: string
  readonly currentRunId: string
  readonly runCount: number
}

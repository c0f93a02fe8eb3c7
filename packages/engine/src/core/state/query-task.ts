import type { Lease } from './claim.ts'
import type { Json } from './json.ts'
import type { Envelope } from './payload.ts'

export type QueryTaskStatus = 'ready' | 'leased' | 'completed' | 'failed'

/** What became of a query; `result` is the worker's plain projection, `envelope` the encoded value. */
export type QueryOutcome =
  | { readonly kind: 'completed'; readonly result: Json | undefined; readonly envelope: Envelope | undefined }
  | {
      readonly kind: 'failed'
      readonly reason: string
      readonly message: string
      readonly type: string | undefined
      readonly validationErrors: Json | undefined
    }

/** A question to a run, answered by a worker from its history; a row (time to live 180 s), never history. */
export interface QueryTask {
  readonly queryTaskId: string
  readonly runId: string
  readonly workflowId: string
  readonly namespace: string
  readonly taskQueue: string
  readonly workflowType: string
  readonly queryName: string
  readonly arguments: Envelope
  readonly status: QueryTaskStatus
  readonly attempt: number
  readonly lease: Lease | undefined
  readonly outcome: QueryOutcome | undefined
  /** Epoch ms. */
  readonly createdAt: number
  /** When the caller stops waiting. */
  readonly deadlineAt: number
  /** When the row goes. */
  readonly dueAt: number
}

// What was sent and the groups in which it was decided: what the judge knows of who asked for what.

import type { Changes } from '@durable-workflow/engine/ports'
import type { Answer, Request, Result } from './request.ts'

/** One unit of work as it reached the store. */
export interface Group {
  /** The life of the server whose group it is. */
  readonly life: number
  /** By that server's clock (epoch ms). */
  readonly now: number
  /** The operations in it, the engine's own included. */
  kinds: readonly string[]
  /** Those of them that somebody sent. */
  readonly sendings: Sending[]
  /** What it wrote; undefined when it never came to that. */
  changes: Changes | undefined
  /** `unknown`: its server does not know. */
  fate: 'under way' | 'committed' | 'rolled back'
  isUnknown: boolean
}

/** One sending of a request to one server, and all that came of it. */
export interface Sending {
  readonly id: number
  readonly request: Request
  /** The life of the server that got it. */
  readonly life: number
  /** True time. */
  readonly sentAt: number
  /** Its decisions, with the group of each; the last one counts. */
  readonly decisions: { readonly group: Group; readonly decision: Result }[]
  answer: Answer | undefined
}

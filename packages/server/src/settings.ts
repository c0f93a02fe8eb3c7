import type { ProtocolVersion } from '@durable-workflow/protocol'

/** What a token allows (control plane 2, §2.2). */
export type Role = 'worker' | 'operator' | 'admin'

/** A bearer token and what it allows. */
export interface RoleToken {
  /** Where it was configured, like `DW_WORKER_TOKEN`; logged, while the token never is. */
  readonly name: string
  readonly token: string
  readonly roles: readonly Role[]
}

/** Our own additions to the wire, each behind an advertised capability; a capability that is off is neither said nor taken. */
export interface Additions {
  readonly startId: boolean
  readonly waitClosed: boolean
  readonly specDigests: boolean
  readonly historyCache: boolean
  readonly resolvedWaits: boolean
  /** A report may bring free slots, and its answer tasks that it made ready. */
  readonly taskHandOver: boolean
  readonly millisecondDurations: boolean
  /** The details of the newest heartbeat go to the next attempt. */
  readonly heartbeatDetails: boolean
  /** The debug document says in words why a run waits. */
  readonly explanation: boolean
}

/** All of them: the default of a server. */
export const allAdditions: Additions = {
  startId: true,
  waitClosed: true,
  specDigests: true,
  historyCache: true,
  resolvedWaits: true,
  taskHandOver: true,
  millisecondDurations: true,
  heartbeatDetails: true,
  explanation: true,
}

/** How a server answers; sizes in bytes. */
export interface ServerSettings {
  /** The one worker line that this server advertises. */
  readonly workerProtocolVersion: ProtocolVersion
  /** Without any, every request has every role: for loopback only. */
  readonly tokens: readonly RoleToken[]
  readonly additions: Additions
  /** Largest request body in bytes. */
  readonly bodyBytesMax: number
  /** Largest payload in bytes of its base64 text. */
  readonly payloadBytesMax: number
  /**
   * How long a client may take to send one request, headers and body, in milliseconds; then it is answered 408 and cut. How
   * long an answer may take is another matter.
   */
  readonly requestTimeoutMs: number
  /** How long health and readiness wait for the database, in milliseconds; then it counts as unavailable. */
  readonly healthWaitMs: number
  /** The product's version; informational. */
  readonly version: string
  readonly serverId: string
}

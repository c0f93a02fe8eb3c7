import { join } from 'node:path'

/** Where a rehearsal keeps its things. Everything lies below one folder. */
export interface Places {
  readonly out: string
  /** The clone whose `main` is the head of the release. */
  readonly head: string
  readonly evidence: string
  readonly ledger: string
  /** Private keys; never in the evidence. */
  readonly keys: string
  readonly registry: string
  readonly consumer: string
  /** Temporary files of every program. */
  readonly temporary: string
  /** What every program wrote, a file a step. */
  readonly logs: string
}

export const placesIn = (out: string): Places => ({
  out,
  head: join(out, 'head'),
  evidence: join(out, 'evidence'),
  ledger: join(out, 'ledger'),
  keys: join(out, 'keys'),
  registry: join(out, 'registry'),
  consumer: join(out, 'consumer'),
  temporary: join(out, 'tmp'),
  logs: join(out, 'logs'),
})

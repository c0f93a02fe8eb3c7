import { integer, list, nullable, object, oneOf, type Shaped, table, text } from '../shape.ts'
import { commitId, exactVersion, instant, integrity, releaseId, sha256Hex } from './digests.ts'

const kind = <const K extends string>(name: K) => oneOf(`durable-workflow.release/${name}/v1`)

/** Entry of the ledger: a set of versions that was read back. `previous` is the sha256 of the entry before; null for the first. */
export const tuple = object({
  schema: kind('tuple'),
  sequence: integer(1),
  previous: nullable(sha256Hex),
  releaseId,
  version: exactVersion,
  channel: oneOf('dev', 'rc', 'stable'),
  registry: text(),
  components: table(object({ version: exactVersion, commit: commitId, sha256: sha256Hex, sha512: integrity })),
  protocol: table(text()),
  compatibility: object({ server: text(), sdk: text(), upgradeFrom: list(exactVersion) }),
  status: oneOf('verified'),
  /** Kind of record → sha256; `manifest` among them. */
  evidence: table(sha256Hex),
  at: instant,
})

/** Entry of the ledger: a tuple must not be used any more. It deletes nothing. */
export const withdrawal = object({
  schema: kind('withdrawal'),
  sequence: integer(2),
  previous: sha256Hex,
  /** Sequence of the tuple that is withdrawn. */
  tuple: integer(1),
  reason: text(),
  /** Version to move to. */
  successor: exactVersion,
  at: instant,
})

/** The stable pointer: the last thing that moves. */
export const stable = object({
  schema: kind('stable'),
  sequence: integer(1),
  tupleSha256: sha256Hex,
  version: exactVersion,
})

/** What a consumer keeps beside its lockfiles. */
export const pins = object({
  schema: kind('pins'),
  sequence: integer(1),
  tupleSha256: sha256Hex,
  releaseId,
  /** Package → exact version and integrity. */
  packages: table(object({ version: exactVersion, integrity })),
})

/** A tuple of the ledger. */
export type Tuple = Shaped<typeof tuple>
/** A withdrawal of the ledger. */
export type Withdrawal = Shaped<typeof withdrawal>
/** The stable pointer. */
export type Stable = Shaped<typeof stable>
/** The pins of a consumer. */
export type Pins = Shaped<typeof pins>

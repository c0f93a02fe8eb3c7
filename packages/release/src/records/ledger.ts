import { integer, list, nullable, object, oneOf, type Shaped, table, text } from '../shape.ts'
import { commitId, exactVersion, instant, integrity, releaseId, sha256Hex } from './digests.ts'

const kind = <const K extends string>(name: K) => oneOf(`durable-workflow.release/${name}/v1`)

/** Where versions are published to: each has a pointer of its own. */
export const channel = oneOf('dev', 'rc', 'stable')

const entry = {
  /** 1 for the first entry of the ledger; tuples and withdrawals count together. */
  sequence: integer(1),
  /** sha256 of the entry before; null for the first. */
  previous: nullable(sha256Hex),
}

/** Entry of the ledger: a set of versions that was read back. */
export const tuple = object({
  schema: kind('tuple'),
  ...entry,
  releaseId,
  version: exactVersion,
  channel,
  registry: text(),
  components: table(object({ version: exactVersion, commit: commitId, sha256: sha256Hex, sha512: integrity })),
  protocol: table(text()),
  compatibility: object({ server: text(), sdk: text(), upgradeFrom: list(exactVersion) }),
  status: oneOf('verified'),
  /** Kind of record → sha256; `manifest` among them. */
  evidence: table(sha256Hex),
  at: instant,
})

/** Entry of the ledger: a release must not be used any more. It deletes nothing. */
export const withdrawal = object({
  schema: kind('withdrawal'),
  ...entry,
  /** Sequence of its tuple; null for a release that was given up before it had one. */
  tuple: nullable(integer(1)),
  releaseId,
  reason: text(),
  /** Version to move to. */
  successor: exactVersion,
  at: instant,
})

/** The pointer of a channel (`stable.json`): the last thing that moves. */
export const pointer = object({
  schema: kind('pointer'),
  channel,
  sequence: integer(1),
  tupleSha256: sha256Hex,
  version: exactVersion,
})

/** `in-progress.json`: the one release that is between its approval and its tuple. */
export const mark = object({ schema: kind('in-progress'), releaseId })

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
/** The pointer of a channel. */
export type Pointer = Shaped<typeof pointer>
/** A channel. */
export type Channel = Shaped<typeof channel>
/** The pins of a consumer. */
export type Pins = Shaped<typeof pins>

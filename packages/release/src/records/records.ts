// What each kind of record says besides its head. All of them are chained; `evidence.ts` reads and writes them.
import { boolean, integer, list, nullable, object, oneOf, type Shape, type Shaped, table, text } from '../shape.ts'
import { commitId, exactVersion, instant, integrity, packageName, releaseId, sha1Hex, sha256Hex } from './digests.ts'

const facts = table({
  holds: (value, at): value is string | number | boolean | null | readonly string[] =>
    ['string', 'number', 'boolean'].includes(typeof value) ||
    value === null ||
    list(text(/^[\s\S]*$/)).holds(value, at),
} satisfies Shape<string | number | boolean | null | readonly string[]>)

/** What every record has. `previous` is the sha256 of the record before it; of the manifest for the first. */
const head = {
  releaseId,
  /** 1 for the first record after the manifest. */
  sequence: integer(1),
  previous: sha256Hex,
  manifestSha256: sha256Hex,
  /** What the stage judged: record kind or file → sha256. */
  inputs: table(sha256Hex),
  tool: object({ version: exactVersion, sha256: sha256Hex }),
  startedAt: instant,
  endedAt: instant,
  /** `retry`: the same command may succeed later (exit 20). `fault`: our own (exit 30). */
  outcome: oneOf('passed', 'refused', 'retry', 'fault'),
  /** Refusal code; `fault` outcomes have `internal_fault`; null where it passed. */
  reason: nullable(text()),
  /** Facts of the refusal; empty where it passed. */
  facts,
}

const kind = <const K extends string>(name: K) => oneOf(`durable-workflow.release/${name}/v1`)

/** The details of a stage are null when it did not come so far as to have any. */
export const reproduction = object({
  schema: kind('reproduction'),
  ...head,
  details: nullable(
    object({
      /** What was made different on purpose: path, umask, time zone, locale. */
      differences: list(text()),
      packages: list(object({ name: packageName, file: boolean, tar: boolean, tree: boolean })),
    }),
  ),
})

const cellResult = object({
  id: text(),
  database: text(),
  result: oneOf('passed', 'failed', 'blocked', 'missing'),
  /** Milliseconds. */
  duration: integer(),
  assertions: integer(),
  /** Of the exported history of the cell's run; null where there is none. */
  historySha256: nullable(sha256Hex),
  /** What went wrong, in words; null where it passed. */
  trouble: nullable(text()),
})

export const acceptance = object({
  schema: kind('acceptance'),
  ...head,
  details: nullable(
    object({
      /** Peers by name: digest of the artifact that ran. */
      peers: table(object({ version: text(), sha256: nullable(sha256Hex) })),
      /** Package → what lay on disk, read there before and after; never a version string. */
      executed: list(
        object({ name: packageName, realPath: text(), treeSha256Before: sha256Hex, treeSha256After: sha256Hex }),
      ),
      /** Files that were loaded from elsewhere than the installed folder. */
      loadedFromElsewhere: list(text()),
      worker: list(
        object({
          database: text(),
          pidFirst: integer(),
          pidLast: integer(),
          startedFirst: text(),
          startedLast: text(),
        }),
      ),
      cells: list(cellResult),
      probe: object({
        id: text(),
        sha256: sha256Hex,
        before: object({ version: exactVersion, treeSha256: sha256Hex, result: oneOf('passed', 'failed') }),
        after: object({ version: exactVersion, treeSha256: sha256Hex, result: oneOf('passed', 'failed') }),
      }),
      /** What was left behind, by kind; all empty after a clean run. */
      cleanup: object({ processes: list(text()), ports: list(text()), folders: list(text()), rows: list(text()) }),
      /** Raw results, paths in the evidence folder → sha256. */
      raw: table(sha256Hex),
    }),
  ),
})

/** What an approver signs: the canonical text of this object, Ed25519. */
export const approved = object({
  releaseId,
  manifestSha256: sha256Hex,
  reproductionSha256: sha256Hex,
  acceptanceSha256: sha256Hex,
  policySha256: sha256Hex,
  approver: text(),
  role: text(),
  registry: text(/^https?:\/\/[^\s]+\/$/, 'a registry URL that ends in /'),
  distTag: text(/^[a-z][a-z0-9-]*$/, 'a dist-tag'),
  /** `name@version`, sorted. */
  packages: list(text()),
  notAfter: instant,
})

export const approval = object({
  schema: kind('approval'),
  ...head,
  details: nullable(object({ approved, keyId: text(), signature: text(/^[A-Za-z0-9+/]{86}==$/, 'base64') })),
})

/** One line of the journal of publishing; `tag` moves the dist-tag of the release to a version that is there. */
export const action = object({
  package: packageName,
  stateBefore: oneOf('absent', 'same', 'other'),
  action: oneOf('upload', 'skip', 'tag', 'refuse'),
  /** Status that the registry gave to the upload; null where none was sent or the answer was lost. */
  status: nullable(integer(100, 599)),
  stateAfter: oneOf('absent', 'same', 'other', 'unknown'),
  at: instant,
})

export const publication = object({
  schema: kind('publication'),
  ...head,
  details: nullable(
    object({ registry: text(), distTag: text(), holdingTag: text(), dryRun: boolean, journal: list(action) }),
  ),
})

export const readback = object({
  schema: kind('readback'),
  ...head,
  details: nullable(
    object({
      registry: text(),
      distTag: text(),
      packages: list(
        object({
          name: packageName,
          version: exactVersion,
          size: integer(),
          sha256: sha256Hex,
          sha512: integrity,
          sha1: sha1Hex,
          gitHead: commitId,
          tag: text(),
          /** Commit of the attestation; null where the policy asks for none. */
          attestationCommit: nullable(commitId),
          /** How often it was asked. */
          attempts: integer(1),
        }),
      ),
      /** Package → integrity in the lockfile of a fresh install from that registry; null where none was made. */
      consumerLockfile: nullable(table(integrity)),
      observer: text(),
    }),
  ),
})

/** The kinds of records that follow a manifest, by the name of their stage. */
export const recordShapes = { reproduction, acceptance, approval, publication, readback } as const

/** A stage that writes records. */
export type RecordKind = keyof typeof recordShapes
/** A record of a kind. */
export type RecordOf<K extends RecordKind> = Shaped<(typeof recordShapes)[K]>
/** Any record. */
export type AnyRecord = { [K in RecordKind]: RecordOf<K> }[RecordKind]
/** What a record says besides its head. */
export type DetailsOf<K extends RecordKind> = NonNullable<RecordOf<K>['details']>
/** What an approver signs. */
export type Approved = Shaped<typeof approved>

// What a release of this repository must satisfy: data, reviewed on the protected branch, bound into every manifest.
import { readFileSync } from 'node:fs'
import { readCanonical, sha256 } from './canonical.ts'
import { refuseUnless } from './guard.ts'
import { isFile } from './kind-of-path.ts'
import { boolean, integer, list, object, oneOf, type Shaped, shaped, table, text } from './shape.ts'

const key = object({
  id: text(/^[a-z0-9-]+$/, 'a key id'),
  person: text(),
  role: text(),
  /** SPKI in base64: the head of every Ed25519 key, then its 32 bytes. */
  publicKey: text(/^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/, 'an Ed25519 key, SPKI in base64'),
})

/** The shape of `release.policy.json`; what is not listed is refused. */
export const policyShape = object({
  schema: oneOf('durable-workflow.release/policy/v1'),
  repository: text(),
  protectedBranch: text(),
  /** Every package of the set, by name → its folder. Tiers follow from their dependencies. */
  packages: table(text(), /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/),
  /** What must be in every tarball, and what else may be: exact paths, or a folder that ends in a stroke. */
  files: object({ required: list(text()), allowed: list(text()) }),
  limits: object({ packedBytes: integer(1), unpackedBytes: integer(1), files: integer(1) }),
  pack: object({
    /** Runs in the fresh clone, word by word. */
    install: list(text()),
    /** Runs after it; `{out}` stands for the folder of the tarballs, `{commit}` for the id of the commit. */
    command: list(text()),
    /** How the command starts its packer; with `--version` it tells its own. */
    packer: list(text()),
  }),
  /** Channel → dist-tag; `holding` is where versions wait until the whole set is read back. */
  distTags: object({ dev: text(), rc: text(), stable: text(), holding: text() }),
  approval: object({ threshold: integer(1), hours: integer(1), producers: list(text()), keys: list(key) }),
  acceptance: object({ cells: list(text()), databases: list(text()), probe: text(), peers: list(text()) }),
  attestation: oneOf('none', 'required'),
  readback: object({ deadlineSeconds: integer(1), freshInstall: boolean }),
  compatibility: object({ server: text(), sdk: text(), upgradeFrom: list(text()) }),
  /**
   * Folder of the released documents; the lines that the set speaks: `worker` → `1.19 1.20`; and files whose content is a schema
   * that others depend on: `store-sqlite` → path.
   */
  protocol: object({ released: text(), lines: table(text()), schemas: table(text()) }),
})

/** The policy of a repository: `release.policy.json`, canonical JSON. */
export type Policy = Shaped<typeof policyShape>

/** A policy and the digest by which manifests and approvals name it. */
export interface ReadPolicy {
  readonly policy: Policy
  readonly sha256: string
}

/** @throws Refused record_missing, manifest_not_canonical, record_schema_invalid, record_unknown_field */
export function readPolicy(file: string): ReadPolicy {
  refuseUnless(isFile(file), 'record_missing', { path: file })
  const content = readFileSync(file, 'utf8')
  return { policy: shaped(policyShape, readCanonical(content, 'policy'), 'policy'), sha256: sha256(content) }
}

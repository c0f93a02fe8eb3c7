import { boolean, integer, list, nullable, object, oneOf, type Shaped, table, text } from '../shape.ts'
import { commitId, exactVersion, integrity, packageName, sha1Hex, sha256Hex } from './digests.ts'

/** One file of a package; `size` in bytes. */
export const fileEntry = object({
  path: text(),
  size: integer(),
  mode: oneOf('0644', '0755'),
  sha256: sha256Hex,
})

export const packageEntry = object({
  name: packageName,
  version: exactVersion,
  /** 0 needs nothing of the set; a package's tier is above those of all that it needs. */
  tier: integer(),
  /** Folder in the repository: `packages/sdk`. */
  directory: text(),
  file: object({
    name: text(/^[A-Za-z0-9._-]+\.tgz$/, 'a file name that ends in .tgz'),
    size: integer(1),
    sha256: sha256Hex,
    sha512: integrity,
    sha1: sha1Hex,
    /** Of the uncompressed archive. */
    tarSha256: sha256Hex,
    /** Over lines `mode SP size SP sha256 SP path LF` in byte order of the paths. */
    treeSha256: sha256Hex,
  }),
  identity: object({ gitHead: commitId, manifestSha256: sha256Hex, exportsSha256: sha256Hex }),
  files: list(fileEntry),
  dependencies: object({ internal: table(exactVersion), external: table(text()) }),
  changelog: object({ entrySha256: sha256Hex, contentLines: integer(1) }),
})

const tool = object({ version: exactVersion, integrity: nullable(integrity) })

const source = object({
  repository: text(),
  commit: commitId,
  tree: commitId,
  /** The protected branch that has the commit. */
  ref: text(),
  dirty: boolean,
  lockfileSha256: sha256Hex,
  changesetsConsumed: list(text()),
})

const toolchain = object({
  node: exactVersion,
  pnpm: tool,
  typescript: tool,
  /** The command of the policy that packed, word by word; `{out}` and `{commit}` stand for what they name. */
  packCommand: list(text()),
  platform: text(),
  zlib: text(),
})

/** Document of `spec/released` (`worker-1.19`) → sha256 of what is released last under it. */
const released = table(sha256Hex)

/** Schema that others depend on (`store-sqlite`) → sha256 of its file in the commit. */
const schemas = table(sha256Hex)

/**
 * `packing.json`: what `rel pack` saw of the source and of the tools, and the tarballs do not say; it becomes part of the
 * manifest. No times.
 */
export const packing = object({
  schema: oneOf('durable-workflow.release/packing/v1'),
  /** The version of the set, as the manifests of the commit have it. */
  version: exactVersion,
  source,
  toolchain,
  released,
  schemas,
})

/**
 * `release-manifest.json`: what the release is, without times and without its own id, so that the same commit and tools give
 * the same bytes (P-05). Its sha256 is the root of the chain of records.
 */
export const manifest = object({
  schema: oneOf('durable-workflow.release/manifest/v1'),
  /** The version of the set: that of all its packages. */
  version: exactVersion,
  channel: oneOf('dev', 'rc', 'stable'),
  createdBy: object({ tool: oneOf('rel'), version: exactVersion, sha256: sha256Hex }),
  source,
  toolchain,
  policy: object({ path: text(), sha256: sha256Hex }),
  /** Sorted by name. */
  packages: list(packageEntry),
  protocol: object({
    /** Lines that the set speaks, oldest first, a space between: `worker` → `1.19 1.20`. */
    lines: table(text()),
    released,
    schemas,
  }),
  compatibility: object({
    /** Versions of the server that the SDK of this set works with, as a range; and the other way round. */
    server: text(),
    sdk: text(),
    /** Versions whose data the server of this set takes over. */
    upgradeFrom: list(exactVersion),
  }),
  counts: object({ packages: integer(1), files: integer(1), bytes: integer(1) }),
})

/** The manifest of a release. */
export type Manifest = Shaped<typeof manifest>
/** One package of a manifest. */
export type PackageEntry = Shaped<typeof packageEntry>
/** One file of a package. */
export type FileEntry = Shaped<typeof fileEntry>
/** What packing saw. */
export type Packing = Shaped<typeof packing>

import type { Manifest } from '../records/manifest.ts'
import type { PackedFile } from './place.ts'
import type { Suite } from './suite.ts'

/** What is to be accepted, by what, and where. */
export interface Acceptance {
  readonly manifest: Manifest
  /** In the order of the manifest; their digests are checked. */
  readonly tarballs: readonly PackedFile[]
  readonly suite: Suite
  /** Cells and databases that the policy asks for. */
  readonly required: {
    readonly cells: readonly string[]
    readonly databases: readonly string[]
    readonly probe: string
  }
  /** Those that are run; the others are missing. */
  readonly cells: readonly string[]
  /** Database → its address; empty where its program makes one. A required one that is not here is blocked. */
  readonly databases: Readonly<Record<string, string>>
  /** Tarballs of the release before; without it, the suite makes one that is broken on purpose. */
  readonly predecessor: string | undefined
  /** Digests of peers that this machine cannot read: name → sha256. */
  readonly peers: Readonly<Record<string, string>>
}

/** Passwords of the databases count as secrets, beside what the environment of this process has. */
export const secretsOf = ({ databases }: Acceptance): Readonly<Record<string, string | undefined>> => ({
  ...process.env,
  ...Object.fromEntries(
    Object.entries(databases).map(([name, url]) => [
      `PASSWORD_${name}`,
      URL.canParse(url) ? new URL(url).password : '',
    ]),
  ),
})

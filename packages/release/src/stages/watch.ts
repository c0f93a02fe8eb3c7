import type { Context } from '../context.ts'
import type { Tuple } from '../records/ledger.ts'
import { type Judging, readVersion } from '../registry/reading.ts'
import type { Registry } from '../registry/registry.ts'
import { checkTags } from '../registry/tags.ts'

/** What is watched. */
export interface Watching {
  readonly tuple: Tuple
  readonly registry: Registry
  /** Tags that must still name the versions; none where a newer release may have them. */
  readonly tags: readonly string[]
  readonly attestation: Judging['attestation']
}

/** Far above what any package of ours has: the digest is known, so nothing bigger than the accepted file gets through. */
const limits = { packedBytes: 512 * 1024 * 1024, unpackedBytes: 2048 * 1024 * 1024, files: 100_000 } as const

/**
 * Looks whether the registry still serves what was verified: the same bytes and description, not deprecated, tags in place.
 *
 * @returns a line for each package
 * @throws Refused readback_…, attestation_…, latest_tag_unintended, registry_…
 * @source release design §5.5 `rel watch`, P-83
 */
export async function watch(context: Context, watching: Watching): Promise<readonly string[]> {
  const { tuple, registry, tags, attestation } = watching
  const lines: string[] = []
  for (const [name, component] of Object.entries(tuple.components)) {
    const expected = { name, ...component, sha1: null, unpacked: null }
    await readVersion(registry, expected, { limits, attestation })
    if (tags.length > 0) await checkTags(registry, expected, tags)
    lines.push(`${name}@${component.version}  ${component.sha256}`)
    context.progress(`${name}@${component.version}: as it was verified`)
  }
  return lines
}

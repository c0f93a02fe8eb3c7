// The independent read-back: without the right to publish, from the registry alone, against the manifest.
import type { Context } from '../context.ts'
import { type Evidence, policyOf, recorded, type StoredRecord } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { fulfilled, inputsOf, mayRun } from '../pipeline.ts'
import type { DetailsOf } from '../records/records.ts'
import { type Install, judgeInstall } from '../registry/fresh-install.ts'
import { deadlineOf, type Patience, withPatience } from '../registry/patience.ts'
import { expectedOf, type Judging, readVersion } from '../registry/reading.ts'
import { explicitRegistry, type Registry } from '../registry/registry.ts'
import { checkTags } from '../registry/tags.ts'

/** What is read back, and from where. */
export interface ReadingBack {
  readonly evidence: Evidence
  /** As the command line has it. */
  readonly registry: string | undefined
  readonly patience: Patience
  /** Who looks, for the record. */
  readonly observer: string
  /** Installs the set into an empty folder; null where neither policy nor command ask for it. */
  readonly install: Install | null
  open(registry: string): Registry
}

type Details = DetailsOf<'readback'>

/**
 * Reads the whole set back, then its tags, then installs it as a consumer would.
 *
 * @throws Refused registry_not_explicit, registry_mismatch, readback_…, attestation_…, latest_tag_unintended, registry_…
 * @source release design §5.2 stage 7
 */
export async function readback(context: Context, reading: ReadingBack): Promise<StoredRecord> {
  const { evidence, patience, observer, install } = reading
  mayRun(evidence, 'readback')
  const stage = { kind: 'readback', inputs: inputsOf(evidence, 'readback') } as const
  return recorded(context, evidence, stage, async (report) => {
    const url = explicitRegistry(reading.registry)
    const publication = fulfilled(evidence, 'publication')?.record.details
    refuseUnless(publication?.registry === url, 'registry_mismatch', {
      expected: publication?.registry ?? null,
      actual: url,
    })
    const { limits, attestation } = policyOf(evidence).policy
    const tags = [publication.distTag, publication.holdingTag]
    const registry = reading.open(url)
    const until = deadlineOf(context, patience)
    const packages: Details['packages'][number][] = []
    for (const entry of evidence.manifest.packages) {
      const { result, attempts } = await withPatience(context, patience, until, () =>
        readWhole(registry, entry, { limits, attestation }, tags),
      )
      const { name, version, file, identity } = entry
      packages.push({
        name,
        version,
        size: result.size,
        sha256: file.sha256,
        sha512: file.sha512,
        sha1: result.sha1,
        gitHead: identity.gitHead,
        tag: publication.distTag,
        attestationCommit: result.attestationCommit,
        attempts,
      })
      context.progress(`${name}@${version}: read back`)
    }
    const consumerLockfile =
      install === null ? null : judgeInstall(evidence.manifest, url, await install(evidence, url))
    report({ registry: url, distTag: publication.distTag, packages, consumerLockfile, observer })
  })
}

async function readWhole(
  registry: Registry,
  entry: Evidence['manifest']['packages'][number],
  judging: Judging,
  tags: readonly string[],
) {
  const expected = expectedOf(entry)
  const found = await readVersion(registry, expected, judging)
  await checkTags(registry, expected, tags)
  return found
}

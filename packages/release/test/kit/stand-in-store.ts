// What the stand-in registry holds: packages by name, as npm's publish format brings them.
import { createHash } from 'node:crypto'

/** Any JSON object, its fields unread. */
export type Fields = Readonly<Record<string, unknown>>

/** One published version: its manifest as it was sent, and its bytes. */
export interface HeldVersion {
  manifest: Fields
  tarball: Buffer
  /** In-toto statement of its attestation; null where none was brought. */
  statement: Fields | null
}

/** One package of the registry. */
export interface HeldPackage {
  readonly versions: Map<string, HeldVersion>
  readonly tags: Map<string, string>
  /** Every version that was ever published, as packuments remember it. */
  readonly times: Map<string, string>
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field that must be an object; an empty one where it is not. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The digests of a tarball as a packument has them. */
export const distOf = (tarball: Uint8Array): { readonly integrity: string; readonly shasum: string } => ({
  integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
  shasum: createHash('sha1').update(tarball).digest('hex'),
})

/** A request body to publish one version, in npm's format: what a client sends for a tarball and the manifest inside. */
export function publishBody(manifest: Fields, tarball: Uint8Array, tag: string): Fields {
  const name = `${manifest.name}`
  const version = `${manifest.version}`
  return {
    _id: name,
    name,
    'dist-tags': { [tag]: version },
    versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist: distOf(tarball) } },
    _attachments: {
      [`${name}-${version}.tgz`]: {
        content_type: 'application/octet-stream',
        data: Buffer.from(tarball).toString('base64'),
        length: tarball.length,
      },
    },
  }
}

/**
 * Takes a publish request. A version that is there is never replaced.
 *
 * @returns the status: 201 stored, 409 there already, 400 for a body that does not fit itself
 */
export function store(
  packages: Map<string, HeldPackage>,
  name: string,
  body: Fields,
  firstGetsLatest: boolean,
): number {
  const [version, manifest] = Object.entries(fieldsOf(body.versions))[0] ?? []
  const attachment = Object.entries(fieldsOf(body._attachments)).find(([file]) => file.endsWith('.tgz'))?.[1]
  if (version === undefined || body.name !== name) return 400
  const tarball = Buffer.from(`${fieldsOf(attachment).data}`, 'base64')
  const dist = fieldsOf(fieldsOf(manifest).dist)
  if (dist.integrity !== distOf(tarball).integrity) return 400
  const held = packages.get(name) ?? { versions: new Map(), tags: new Map(), times: new Map() }
  if (held.versions.has(version)) return 409
  if (held.versions.size === 0 && firstGetsLatest) held.tags.set('latest', version)
  held.versions.set(version, { manifest: fieldsOf(manifest), tarball, statement: null })
  held.times.set(version, '2026-11-30T12:00:00.000Z')
  for (const tag of Object.keys(fieldsOf(body['dist-tags']))) held.tags.set(tag, version)
  packages.set(name, held)
  return 201
}

/** The packument of a package; `url` is that of the registry, with a stroke at its end. */
export function packumentOf(name: string, { versions, tags, times }: HeldPackage, url: string): Fields {
  const base = name.split('/').at(-1)
  return {
    _id: name,
    name,
    'dist-tags': Object.fromEntries(tags),
    time: Object.fromEntries(times),
    versions: Object.fromEntries(
      [...versions].map(([version, { manifest, statement }]) => [
        version,
        {
          ...manifest,
          dist: {
            ...fieldsOf(manifest.dist),
            tarball: `${url}${name}/-/${base}-${version}.tgz`,
            ...(statement !== null && {
              attestations: { url: `${url}-/npm/v1/attestations/${encodeURIComponent(`${name}@${version}`)}` },
            }),
          },
        },
      ]),
    ),
  }
}

/** The attestations of a version, as npm's registry wraps them: an unsigned envelope around the statement. */
export const attestationsOf = (statement: Fields): Fields => ({
  attestations: [
    {
      predicateType: 'https://slsa.dev/provenance/v1',
      bundle: {
        dsseEnvelope: {
          payloadType: 'application/vnd.in-toto+json',
          payload: Buffer.from(JSON.stringify(statement)).toString('base64'),
          signatures: [],
        },
      },
    },
  ],
})

/** All that a registry holds, as one digest: equal states have equal ones. */
export function digestOf(packages: ReadonlyMap<string, HeldPackage>): string {
  const digest = createHash('sha256')
  for (const [name, { versions, tags }] of [...packages].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    digest.update(JSON.stringify([name, [...tags].toSorted()]))
    for (const [version, { manifest, tarball, statement }] of versions) {
      digest.update(JSON.stringify([version, manifest, distOf(tarball), statement]))
    }
  }
  return digest.digest('hex')
}

// What we read of a registry, without rights and without trust: packuments, tarballs, attestations.
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { type Fields, fieldsOf, numberOf, parsedJson, textOf } from '../fields.ts'
import { refuseUnless } from '../guard.ts'
import { Misused } from '../refusal.ts'
import { get, within } from './http.ts'

/** One version as a packument tells it; null where it tells nothing, or nothing of that form. */
export interface PublishedVersion {
  /** All its fields: the manifest as the registry describes it. */
  readonly manifest: Fields
  readonly integrity: string | null
  readonly shasum: string | null
  readonly unpackedSize: number | null
  readonly fileCount: number | null
  readonly gitHead: string | null
  readonly deprecated: string | null
  readonly tarball: string | null
  /** Address of its attestations. */
  readonly attestations: string | null
}

/** What a registry tells of a package. */
export interface Packument {
  readonly tags: ReadonlyMap<string, string>
  /** null where the registry does not show the version. */
  version(version: string): PublishedVersion | null
  /** Whether it remembers a version that it does not show any more. */
  wasUnpublished(version: string): boolean
}

/** The bytes that a registry served. */
export interface Downloaded {
  readonly size: number
  readonly sha256: string
  /** `sha512-…` */
  readonly sha512: string
  readonly sha1: string
}

/** A registry, for reading. Every method may throw what `get` throws. */
export interface Registry {
  /** It ends in a stroke. */
  readonly url: string
  /** null where the registry knows no such package. @throws Refused readback_answer_unreadable */
  packument(name: string): Promise<Packument | null>
  /** Streams a tarball into a file; null where there is none. @throws Refused readback_tarball_origin_mismatch */
  tarball(address: string, file: string, bytesMax: number): Promise<Downloaded | null>
  /** null where there are none. @throws Refused readback_answer_unreadable, readback_tarball_origin_mismatch */
  attestations(address: string): Promise<Fields | null>
}

/** Bounds of one answer. */
export interface RegistryLimits {
  /** Of a JSON answer; 64 MiB unless said otherwise: a packument grows with every version. */
  readonly jsonBytes: number
  /** For each whole answer; 120 unless said otherwise. */
  readonly seconds: number
}

const usual: RegistryLimits = { jsonBytes: 64 * 1024 * 1024, seconds: 120 }
const json = ['application/json', 'application/vnd.npm.install-v1+json'] as const
const archive = ['application/octet-stream', 'application/gzip', 'application/x-gzip', 'application/x-tar'] as const

/**
 * The one registry that a command was given. Neither settings nor environment are asked.
 *
 * @throws Refused registry_not_explicit
 * @throws Misused for what is no plain http or https address
 */
export function explicitRegistry(given: string | undefined): string {
  refuseUnless(given !== undefined, 'registry_not_explicit', { option: '--registry' })
  return registryUrl(given)
}

/** A registry's URL in its one form, which ends in a stroke. @throws Misused */
export function registryUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Misused(`${text} is no http(s) URL of a registry`)
  if (url.username !== '' || url.password !== '')
    throw new Misused('the URL of a registry holds no user and no password')
  if (url.search !== '' || url.hash !== '') throw new Misused('the URL of a registry has no query and no fragment')
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** Opens a registry; nothing is asked yet. `url` ends in a stroke. */
export function openRegistry(url: string, limits: Partial<RegistryLimits> = {}): Registry {
  const { jsonBytes, seconds } = { ...usual, ...limits }
  const base = new URL(url)

  const fetchJson = async (address: URL): Promise<Fields | null> => {
    const pieces: Uint8Array[] = []
    const expected = { types: json, bytesMax: jsonBytes, seconds, sink: (piece: Uint8Array) => pieces.push(piece) }
    if ((await get(address, expected)) === 'absent') return null
    const content = parsedJson(Buffer.concat(pieces).toString('utf8'))
    refuseUnless(content !== null, 'readback_answer_unreadable', { url: address.href, expected: 'an object in JSON' })
    return content
  }

  return {
    url,
    async packument(name) {
      const content = await fetchJson(new URL(name.replace('/', '%2f'), base))
      if (content === null) return null
      refuseUnless(content.name === name, 'readback_answer_unreadable', {
        url,
        expected: name,
        actual: textOf(content.name),
      })
      return packumentOf(content)
    },
    async tarball(address, file, bytesMax) {
      const target = within(base, address)
      const [sha256, sha512, sha1] = [createHash('sha256'), createHash('sha512'), createHash('sha1')]
      const out = openSync(file, 'w')
      let size = 0
      const sink = (piece: Uint8Array): void => {
        for (const digest of [sha256, sha512, sha1]) digest.update(piece)
        size += piece.length
        writeFileSync(out, piece) // all of it, where writeSync may write less
      }
      try {
        if ((await get(target, { types: archive, bytesMax, seconds, sink })) === 'absent') return null
      } finally {
        closeSync(out)
      }
      return {
        size,
        sha256: sha256.digest('hex'),
        sha512: `sha512-${sha512.digest('base64')}`,
        sha1: sha1.digest('hex'),
      }
    },
    attestations: (address) => fetchJson(within(base, address)),
  }
}

function packumentOf(content: Fields): Packument {
  const versions = fieldsOf(content.versions)
  const times = fieldsOf(content.time)
  return {
    tags: new Map(Object.entries(fieldsOf(content['dist-tags'])).map(([tag, version]) => [tag, `${version}`])),
    version: (version) => (Object.hasOwn(versions, version) ? publishedVersion(fieldsOf(versions[version])) : null),
    wasUnpublished: (version) =>
      !Object.hasOwn(versions, version) && (Object.hasOwn(times, version) || Object.hasOwn(times, 'unpublished')),
  }
}

function publishedVersion(manifest: Fields): PublishedVersion {
  const dist = fieldsOf(manifest.dist)
  return {
    manifest,
    integrity: textOf(dist.integrity),
    shasum: textOf(dist.shasum),
    unpackedSize: numberOf(dist.unpackedSize),
    fileCount: numberOf(dist.fileCount),
    gitHead: textOf(manifest.gitHead),
    deprecated: deprecationOf(manifest.deprecated),
    tarball: textOf(dist.tarball),
    attestations: textOf(fieldsOf(dist.attestations).url),
  }
}

/** An empty text takes a deprecation back. */
const deprecationOf = (value: unknown): string | null =>
  value === undefined || value === null || value === false || value === '' ? null : `${value}`

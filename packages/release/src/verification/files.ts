// The files of an evidence folder, by their bytes: what SHA256SUMS says, what the manifest and the records bind.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { comparePackage } from '../archive/compare.ts'
import { readArchive } from '../archive/read.ts'
import { canonicalText, readCanonical } from '../canonical.ts'
import {
  type Evidence,
  journalFile,
  manifestFile,
  packingFile,
  policyFile,
  readBound,
  tarballFolder,
  tupleFile,
} from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import type { Policy } from '../policy.ts'
import { packing as packingShape } from '../records/manifest.ts'
import { shaped } from '../shape.ts'
import { filesBelow, sha256OfFile, sumLine, sumsFile } from '../sums.ts'

/** Path in the folder → sha256 of what lies there. */
export type Digests = ReadonlyMap<string, string>

/**
 * Hashes every file and compares it with SHA256SUMS.
 *
 * @throws Refused record_missing, record_schema_invalid, manifest_not_canonical, record_digest_mismatch, evidence_extra
 */
export function checkSums(folder: string): Digests {
  const listed = listedSums(readBound(folder, sumsFile))
  const present = new Set(filesBelow(folder).filter((path) => path !== sumsFile))
  for (const path of present) {
    refuseUnless(listed.has(path), 'evidence_extra', { path })
    refuseUnless(lstatSync(join(folder, path)).isFile(), 'evidence_extra', { path, wanted: 'a plain file' })
  }
  for (const [path, expected] of listed) {
    refuseUnless(present.has(path), 'record_missing', { path })
    const actual = sha256OfFile(join(folder, path))
    refuseUnless(actual === expected, 'record_digest_mismatch', { path, expected, actual })
  }
  return listed
}

function listedSums(content: string): Digests {
  const lines = content.split('\n').slice(0, -1)
  const sums = lines.map((line, index): [string, string] => {
    const [, digest, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    refuseUnless(digest !== undefined && path !== undefined, 'record_schema_invalid', {
      at: `${sumsFile}:${index + 1}`,
      wanted: 'a sha256 in hex, two spaces, a path',
    })
    return [path, digest]
  })
  const listed = new Map(sums.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  const again = [...listed].map(([path, digest]) => sumLine(path, digest)).join('')
  refuseUnless(again === content, 'manifest_not_canonical', { document: sumsFile })
  return listed
}

/**
 * Every file is one that the release has, and every one that it has is there.
 *
 * @throws Refused evidence_extra, record_missing
 */
export function checkBound({ manifest, records }: Evidence, digests: Digests): void {
  const required = [
    manifestFile,
    packingFile,
    policyFile,
    ...manifest.packages.map(({ file }) => `${tarballFolder}/${file.name}`),
    ...records.map(({ file }) => `records/${file}`),
    ...records.flatMap(({ record }) =>
      record.schema === 'durable-workflow.release/acceptance/v1' ? Object.keys(record.details?.raw ?? {}) : [],
    ),
  ]
  const known: ReadonlySet<string> = new Set([...required, journalFile, tupleFile])
  for (const path of digests.keys()) refuseUnless(known.has(path), 'evidence_extra', { path })
  for (const path of required) refuseUnless(digests.has(path), 'record_missing', { path })
}

/**
 * What packing saw is what the manifest says of it.
 *
 * @throws Refused record_release_mismatch, and what reading a document refuses
 */
export function checkPacking({ folder, manifest }: Evidence): void {
  const content = readCanonical(readBound(folder, packingFile), packingFile)
  const { version, source, toolchain, released, schemas } = shaped(packingShape, content, packingFile)
  const packed = { version, source, toolchain, released, schemas }
  const bound = {
    version: manifest.version,
    source: manifest.source,
    toolchain: manifest.toolchain,
    released: manifest.protocol.released,
    schemas: manifest.protocol.schemas,
  }
  for (const field of ['version', 'source', 'toolchain', 'released', 'schemas'] as const) {
    refuseUnless(canonicalText(packed[field]) === canonicalText(bound[field]), 'record_release_mismatch', {
      document: packingFile,
      field,
    })
  }
}

/**
 * Reads every tarball and compares it with the manifest.
 *
 * @returns how many files the packages have
 * @throws Refused archive_…, file_…, record_digest_mismatch
 */
export async function checkTarballs({ folder, manifest }: Evidence, { limits }: Policy): Promise<number> {
  let files = 0
  for (const entry of manifest.packages) {
    const read = await readArchive(join(folder, tarballFolder, entry.file.name), { limits })
    comparePackage(entry, read)
    files += read.files.length
  }
  return files
}

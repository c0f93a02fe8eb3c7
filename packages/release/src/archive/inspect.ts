import { basename } from 'node:path'
import { refuseUnless } from '../guard.ts'
import { type PackedManifest, readPackageJson } from '../packed/package-json.ts'
import type { Side } from './diff.ts'
import { type ArchiveLimits, type ReadArchive, readArchive } from './read.ts'

/** A tarball and what its package.json says. */
export interface Inspected extends ReadArchive {
  readonly manifest: PackedManifest
}

/** Bounds where no policy says others: far above any package that a person looks at. */
export const looseLimits: ArchiveLimits = { packedBytes: 64 * 2 ** 20, unpackedBytes: 512 * 2 ** 20, files: 20_000 }

/**
 * Reads a tarball by itself, without a manifest to compare it with.
 *
 * @throws Refused what `readArchive` refuses, file_missing (package.json), record_schema_invalid (of package.json)
 */
export async function inspectTarball(file: string, limits: ArchiveLimits = looseLimits): Promise<Inspected> {
  const read = await readArchive(file, { limits, keep: (path) => path === 'package.json' })
  const content = read.kept.get('package.json')
  refuseUnless(content !== undefined, 'file_missing', { package: basename(file), path: 'package.json' })
  return { ...read, manifest: readPackageJson(content, basename(file)) }
}

/** A tarball as one side of a comparison. */
export function sideOfTarball({ size, sha256, files, manifest }: Inspected): Side {
  const { name, version, gitHead, exportsSha256 } = manifest
  return {
    version,
    packages: [
      {
        name,
        packedBytes: size,
        sha256,
        files,
        manifest: { version, ...(gitHead !== null && { gitHead }), exports: exportsSha256 },
        dependencies: Object.fromEntries(installed(manifest).map(({ name, range }) => [name, range])),
      },
    ],
    protocol: {},
    toolchain: {},
    compatibility: {},
  }
}

/** Dependencies that a consumer gets. */
export const installed = ({ dependencies }: PackedManifest): PackedManifest['dependencies'] =>
  dependencies.filter(({ kind }) => kind !== 'devDependencies')

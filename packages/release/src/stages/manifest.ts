// Tarballs → manifest: what is packed is read strictly, judged, and bound file by file.
//
// Owns:      the order of the checks, what the manifest says.
// Does not:  read the source tree, or anything else besides the tarballs, packing.json and the policy; know the time.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadArchive, type ReadOptions, readArchive } from '../archive/read.ts'
import { canonicalText, readCanonical, sha256 } from '../canonical.ts'
import type { Context } from '../context.ts'
import { manifestFile, packingFile, policyFile, readBound, releaseIdOf, tarballFolder, writeOnce } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { changelogEntry } from '../packed/changelog.ts'
import { judgeFiles } from '../packed/judge-files.ts'
import { judgeDependencies, judgeMembership, judgeOrigin, judgeScripts } from '../packed/judge-manifest.ts'
import { type LeakScan, leakScan } from '../packed/leaks.ts'
import { type PackedManifest, readPackageJson } from '../packed/package-json.ts'
import { isCode, type ReferenceScan, referenceScan } from '../packed/references.ts'
import { tiersOf } from '../packed/tiers.ts'
import { type Policy, type ReadPolicy, readPolicy } from '../policy.ts'
import {
  type Manifest,
  manifest as manifestShape,
  type PackageEntry,
  type Packing,
  packing as packingShape,
} from '../records/manifest.ts'
import { Refused } from '../refusal.ts'
import { shaped } from '../shape.ts'

/** Of what a manifest is a function. */
export interface ManifestSources {
  /** Folder of the tarballs, and of nothing else. */
  readonly tarballs: string
  readonly packing: Packing
  readonly policy: ReadPolicy
  readonly tool: Context['tool']
}

const changelogFile = 'CHANGELOG.md'
const packageJson = 'package.json'

/**
 * Reads and judges every tarball; equal sources give equal manifests, wherever and whenever.
 *
 * @throws Refused any code of the areas archive and identity, package_set_incomplete, package_set_extra, private_package,
 * lifecycle_script_present, changelog_entry_missing, changelog_entry_ambiguous
 * @source release design §5.3; P-20 to P-36
 */
export async function buildManifest({ tarballs, packing, policy: read, tool }: ManifestSources): Promise<Manifest> {
  const { policy } = read
  const packed: Packed[] = []
  for (const file of readdirSync(tarballs).toSorted()) {
    packed.push(await readTarball(join(tarballs, file), file, { packing, policy }))
  }
  const needs = new Map(packed.map((one) => [one.manifest.name, Object.keys(one.entry.dependencies.internal)]))
  for (const name of Object.keys(policy.packages)) {
    refuseUnless(needs.has(name), 'package_set_incomplete', { package: name })
  }
  const tiers = tiersOf(needs)
  const packages = packed
    .map(({ entry }) => ({ ...entry, tier: tiers.get(entry.name) ?? 0 }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const made: Manifest = {
    schema: 'durable-workflow.release/manifest/v1',
    version: packing.version,
    channel: channelOf(packing.version),
    createdBy: { tool: 'rel', ...tool },
    source: packing.source,
    toolchain: packing.toolchain,
    policy: { path: policyFile, sha256: read.sha256 },
    packages,
    protocol: { lines: policy.protocol.lines, released: packing.released, schemas: packing.schemas },
    compatibility: policy.compatibility,
    counts: {
      packages: packages.length,
      files: sum(packages.map(({ files }) => files.length)),
      bytes: sum(packages.map(({ file }) => file.size)),
    },
  }
  return shaped(manifestShape, made, 'manifest')
}

/** A manifest as it lies in the evidence folder. */
export interface BoundManifest {
  readonly manifest: Manifest
  readonly sha256: string
  readonly releaseId: string
}

/**
 * Makes the manifest of an evidence folder that `pack` wrote; the release has its id from here on.
 *
 * @throws Refused what `buildManifest` refuses; record_missing, stage_already_final
 */
export async function bindRelease(folder: string, tool: Context['tool']): Promise<BoundManifest> {
  const path = join(folder, manifestFile)
  refuseUnless(!existsSync(path), 'stage_already_final', { stage: 'manifest', path: manifestFile })
  const packing = shaped(packingShape, readCanonical(readBound(folder, packingFile), packingFile), 'packing')
  const policy = readPolicy(join(folder, policyFile))
  const tarballs = join(folder, tarballFolder)
  refuseUnless(existsSync(tarballs), 'record_missing', { path: tarballFolder })
  const made = await buildManifest({ tarballs, packing, policy, tool })
  const content = canonicalText(made)
  writeOnce(path, content)
  return { manifest: made, sha256: sha256(content), releaseId: releaseIdOf(made.version, sha256(content)) }
}

/** `1.2.3` is stable, `1.2.3-rc.4` a candidate, any other prerelease is for developers. */
export function channelOf(version: string): Manifest['channel'] {
  const [, ...prerelease] = version.split('-')
  if (prerelease.length === 0) return 'stable'
  return /^rc(\.|$)/.test(prerelease.join('-')) ? 'rc' : 'dev'
}

interface Packed {
  readonly manifest: PackedManifest
  readonly entry: Omit<PackageEntry, 'tier'>
}

async function readTarball(
  path: string,
  file: string,
  { packing, policy }: { readonly packing: Packing; readonly policy: Policy },
): Promise<Packed> {
  const leaks = new Map<string, LeakScan>()
  const references = new Map<string, ReferenceScan>()
  const archive = await readNamed(path, file, {
    limits: policy.limits,
    keep: (one) => one === packageJson || one === changelogFile,
    scan: (one) => {
      const scans: (LeakScan | ReferenceScan)[] = [begin(leaks, one, leakScan())]
      if (isCode(one)) scans.push(begin(references, one, referenceScan(one)))
      return (chunk) => {
        for (const { take } of scans) take(chunk)
      }
    },
  })
  const content = archive.kept.get(packageJson)
  refuseUnless(content !== undefined, 'file_missing', { file, path: packageJson })
  const manifest = readPackageJson(content, file)
  const members: ReadonlySet<string> = new Set(Object.keys(policy.packages))
  const paths = archive.files.map((one) => one.path)
  judgeMembership(manifest, file, members)
  judgeOrigin(manifest, packing)
  judgeScripts(manifest, paths)
  judgeDependencies(manifest, members, packing.version)
  judgeFiles(
    manifest,
    { paths, references: new Map([...references].map(([one, scan]) => [one, scan.paths()])) },
    policy.files,
  )
  for (const [one, scan] of leaks) {
    const found = scan.found()
    refuseUnless(found === undefined, 'absolute_path_leak', {
      package: manifest.name,
      path: one,
      actual: found ?? null,
    })
  }
  const changelog = archive.kept.get(changelogFile)
  const text = changelog === undefined ? null : Buffer.from(changelog).toString('utf8')
  return {
    manifest,
    entry: entryOf(manifest, archive, {
      file,
      directory: policy.packages[manifest.name] ?? '',
      changelog: changelogEntry(manifest.name, packing.version, text),
      members,
    }),
  }
}

/** The reader knows one tarball only; a person who has nine of them wants to hear which. */
async function readNamed(path: string, file: string, options: ReadOptions): Promise<ReadArchive> {
  try {
    return await readArchive(path, options)
  } catch (error) {
    throw error instanceof Refused ? error.about({ file }) : error
  }
}

function begin<S>(scans: Map<string, S>, path: string, scan: S): S {
  scans.set(path, scan)
  return scan
}

function entryOf(
  { name, version, gitHead, dependencies, exportsSha256, sha256: manifestSha256 }: PackedManifest,
  { size, sha256, sha512, sha1, tarSha256, treeSha256, files }: ReadArchive,
  bound: Pick<PackageEntry, 'directory' | 'changelog'> & {
    readonly file: string
    readonly members: ReadonlySet<string>
  },
): Packed['entry'] {
  const installed = dependencies.filter(({ kind }) => kind !== 'devDependencies')
  const ranges = (isInternal: boolean) =>
    Object.fromEntries(
      installed.flatMap((one): [string, string][] =>
        bound.members.has(one.name) === isInternal ? [[one.name, one.range]] : [],
      ),
    )
  return {
    name,
    version,
    directory: bound.directory,
    file: { name: bound.file, size, sha256, sha512, sha1, tarSha256, treeSha256 },
    identity: { gitHead: gitHead ?? '', manifestSha256, exportsSha256 },
    files,
    dependencies: { internal: ranges(true), external: ranges(false) },
    changelog: bound.changelog,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

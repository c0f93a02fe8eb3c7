// What the package.json of a tarball must and must not say.
import { refuseUnless } from '../guard.ts'
import type { Packing } from '../records/manifest.ts'
import type { Dependency, PackedManifest } from './package-json.ts'

const atInstall: ReadonlySet<string> = new Set(['preinstall', 'install', 'postinstall'])

/** They run in the hands of those who pack or publish, and where a package is installed from git. */
const atPackOrPublish: ReadonlySet<string> = new Set([
  'dependencies',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'prepack',
  'postpack',
  'prepublishOnly',
  'publish',
  'postpublish',
])

/** Protocols and paths that lead to a workspace or to this machine. */
const ofWorkspace = /^((workspace|catalog|link|file|portal|patch):|\.{0,2}\/|~\/)/

/** `@x/engine` 1.2.3 is packed into `x-engine-1.2.3.tgz`. */
export const fileNameOf = (name: string, version: string): string =>
  `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`

/**
 * Whether it is the package that its file name says, and one of the set.
 *
 * @throws Refused private_package, file_name_identity_mismatch, package_set_extra
 */
export function judgeMembership(manifest: PackedManifest, file: string, members: ReadonlySet<string>): void {
  const { name, version } = manifest
  refuseUnless(!manifest.isPrivate, 'private_package', { file, package: name })
  refuseUnless(file === fileNameOf(name, version), 'file_name_identity_mismatch', {
    file,
    expected: fileNameOf(name, version),
  })
  refuseUnless(members.has(name), 'package_set_extra', { file, package: name })
}

/**
 * Whether it is of this commit and version.
 *
 * @throws Refused version_mismatch, git_head_missing, git_head_mismatch
 */
export function judgeOrigin({ name, version, gitHead }: PackedManifest, { version: expected, source }: Packing): void {
  refuseUnless(version === expected, 'version_mismatch', { package: name, expected, actual: version })
  refuseUnless(gitHead !== null, 'git_head_missing', { package: name, expected: source.commit })
  refuseUnless(gitHead === source.commit, 'git_head_mismatch', {
    package: name,
    expected: source.commit,
    actual: gitHead,
  })
}

/**
 * Whether anything of it runs, or leads elsewhere, when it is packed, published or installed.
 *
 * @throws Refused lifecycle_script_present, install_script_forbidden, publish_config_registry_forbidden
 */
export function judgeScripts(manifest: PackedManifest, paths: readonly string[]): void {
  const { name, scripts, registryKeys } = manifest
  for (const script of scripts) {
    refuseUnless(!atPackOrPublish.has(script), 'lifecycle_script_present', { package: name, script })
    refuseUnless(!atInstall.has(script), 'install_script_forbidden', { package: name, script })
  }
  refuseUnless(!manifest.isGypfile, 'install_script_forbidden', { package: name, field: 'gypfile' })
  refuseUnless(!paths.includes('binding.gyp'), 'install_script_forbidden', { package: name, path: 'binding.gyp' })
  refuseUnless(registryKeys.length === 0, 'publish_config_registry_forbidden', { package: name, keys: registryKeys })
}

/**
 * Whether what it needs can be had by those who install it: of the set exactly the version of the set.
 *
 * @throws Refused workspace_range_unresolved, internal_range_not_exact, internal_version_skew
 */
export function judgeDependencies(
  { name, dependencies }: PackedManifest,
  members: ReadonlySet<string>,
  version: string,
): void {
  for (const one of dependencies) {
    const facts = { package: name, dependency: one.name, kind: one.kind, actual: one.range }
    refuseUnless(!ofWorkspace.test(one.range), 'workspace_range_unresolved', facts)
    if (!members.has(one.name)) continue
    refuseUnless(isExact(one), 'internal_range_not_exact', { ...facts, expected: version })
    refuseUnless(one.range === version, 'internal_version_skew', { ...facts, expected: version })
  }
}

const isExact = ({ range }: Dependency): boolean => /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(range)

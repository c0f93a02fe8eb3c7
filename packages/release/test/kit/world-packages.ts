import { createHash } from 'node:crypto'
import { sha256 } from '../../src/canonical.ts'
import type { PackageEntry } from '../../src/records/manifest.ts'
import { type PackedFile, tar, tarball } from './tarball.ts'

/** A package of a world. */
export interface WorldPackage {
  readonly name: string
  readonly directory: string
  readonly tier: number
  /** Packages of the world that it needs, at the version of the set. */
  readonly needs: readonly string[]
  /** Package of others → range. */
  readonly external?: Readonly<Record<string, string>>
  /** Programs: name → file. */
  readonly bin?: Readonly<Record<string, string>>
  /** What is packed besides the usual; an equal path takes the place of the usual. */
  readonly files?: readonly PackedFile[]
}

/** `@x/spec` ← `@x/engine` ← `@x/sdk`; the last one has a program. */
export const threePackages: readonly WorldPackage[] = [
  { name: '@x/spec', directory: 'packages/spec', tier: 0, needs: [] },
  { name: '@x/engine', directory: 'packages/engine', tier: 1, needs: ['@x/spec'] },
  {
    name: '@x/sdk',
    directory: 'packages/sdk',
    tier: 2,
    needs: ['@x/engine', '@x/spec'],
    bin: { sdk: './dist/main.js' },
    files: [{ path: 'dist/main.js', content: "#!/usr/bin/env node\nimport './index.js'\n", mode: '0755' }],
  },
]

/** A package's tarball and what the manifest says of it. */
export function packedPackage(
  one: WorldPackage,
  version: string,
  commit: string,
): { readonly tarball: Buffer; readonly entry: PackageEntry } {
  const exported = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  const internal = Object.fromEntries(one.needs.map((name) => [name, version]))
  const dependencies = { ...internal, ...one.external }
  const { name, directory, tier } = one
  const packageJson = `${JSON.stringify(
    { name, version, type: 'module', license: 'MIT', gitHead: commit, exports: exported, bin: one.bin, dependencies },
    null,
    2,
  )}\n`
  const changes = `## ${version}\n\n### Minor Changes\n\n- The first thing of ${version}.\n`
  const usual: readonly PackedFile[] = [
    { path: 'CHANGELOG.md', content: `# ${name}\n\n${changes}` },
    { path: 'LICENSE', content: 'MIT\n' },
    { path: 'README.md', content: `# ${name}\n` },
    { path: 'dist/index.d.ts', content: 'export declare const name: string\n' },
    { path: 'dist/index.js', content: `export const name = '${name}'\n` },
    { path: 'package.json', content: packageJson },
  ]
  const given = one.files ?? []
  const files = [...usual.filter(({ path }) => !given.some((other) => other.path === path)), ...given]
  const packed = tarball(files)
  const listed = files
    .map(({ path, content, mode = '0644' }) => ({
      path,
      size: Buffer.from(content).length,
      mode,
      sha256: sha256(content),
    }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  return {
    tarball: packed,
    entry: {
      name,
      version,
      tier,
      directory,
      file: {
        name: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
        size: packed.length,
        sha256: sha256(packed),
        sha512: `sha512-${createHash('sha512').update(packed).digest('base64')}`,
        sha1: createHash('sha1').update(packed).digest('hex'),
        tarSha256: sha256(tar(files)),
        treeSha256: sha256(listed.map((file) => `${file.mode} ${file.size} ${file.sha256} ${file.path}\n`).join('')),
      },
      identity: {
        gitHead: commit,
        manifestSha256: sha256(packageJson),
        exportsSha256: sha256(JSON.stringify(exported)),
      },
      files: listed,
      dependencies: { internal, external: one.external ?? {} },
      changelog: { entrySha256: sha256(changes), contentLines: 1 },
    },
  }
}

// A small set of packed packages in plain sight: each case changes one thing of it and asks for the manifest.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, sha256 } from '../../src/canonical.ts'
import { packingFile, policyFile, tarballFolder } from '../../src/evidence.ts'
import type { Policy } from '../../src/policy.ts'
import type { Manifest, Packing } from '../../src/records/manifest.ts'
import { bindRelease } from '../../src/stages/manifest.ts'
import { type PackedFile, type TarballOptions, tarball } from './tarball.ts'

/** One tarball before it is written. */
export interface PackedPackage {
  readonly name: string
  /** Name of the file; that of the package unless said otherwise. */
  readonly file: string
  /** package.json; a text where it is to be no JSON, null where there is to be none. */
  readonly manifest: Readonly<Record<string, unknown>> | string | null
  /** All other files: path → content. */
  readonly files: Readonly<Record<string, string>>
}

/** Of what a manifest is made. */
export interface PackedSet {
  readonly packages: readonly PackedPackage[]
  readonly packing: Packing
  readonly policy: Policy
}

const version = '1.2.3'
const commit = '1f'.repeat(20)

/** The commit before the one that is packed. */
export const parentCommit = '2e'.repeat(20)

/** A package as a correct pack writes it. */
export const packedPackage = (name: string, needs: readonly string[] = []): PackedPackage => ({
  name,
  file: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
  manifest: {
    name,
    version,
    license: 'MIT',
    gitHead: commit,
    type: 'module',
    bin: { [name.replace('@x/', '')]: './dist/main.js' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './data/*': './dist/data/*.json' },
    files: ['dist', 'CHANGELOG.md'],
    scripts: { test: 'node --test' },
    dependencies: { ...Object.fromEntries(needs.map((need) => [need, version])), ms: '^2.1.3' },
  },
  files: {
    'CHANGELOG.md': `# ${name}\n\n## ${version}\n\n### Minor Changes\n\n- It does more.\n\n## 1.2.2\n\n- It began.\n`,
    LICENSE: 'MIT\n',
    'README.md': `# ${name}\n`,
    'dist/data/one.json': '{}\n',
    'dist/index.d.ts': "export { type Run } from './run.js'\n",
    'dist/index.js': 'import { run } from "./chunk-1.js";\nimport "../lib/extra.js";\nexport { run };\n',
    'dist/run.d.ts': 'export interface Run {}\n',
    'dist/chunk-1.js': 'export const run = 1;\n//# sourceMappingURL=chunk-1.js.map\n',
    'dist/chunk-1.js.map': '{"version":3,"sources":["../src/run.ts"]}\n',
    'dist/main.js': '#!/usr/bin/env node\n',
  },
})

/** `@x/spec` ← `@x/engine` ← `@x/sdk`, in order. */
export const packedSet: PackedSet = {
  packages: [
    packedPackage('@x/engine', ['@x/spec']),
    packedPackage('@x/sdk', ['@x/engine', '@x/spec']),
    packedPackage('@x/spec'),
  ],
  packing: {
    schema: 'durable-workflow.release/packing/v1',
    version,
    source: {
      repository: 'x',
      commit,
      tree: '3d'.repeat(20),
      ref: 'main',
      dirty: false,
      lockfileSha256: sha256('lockfile'),
      changesetsConsumed: ['more'],
    },
    toolchain: {
      node: '24.21.0',
      pnpm: { version: '12.4.2', integrity: null },
      typescript: { version: '6.0.3', integrity: null },
      packCommand: ['pack', '{out}'],
      platform: 'linux-x64',
      zlib: '1.3.1',
    },
    released: { 'worker-1.19': sha256('worker 1.19') },
    schemas: { store: sha256('schema') },
  },
  policy: {
    schema: 'durable-workflow.release/policy/v1',
    repository: 'x',
    protectedBranch: 'main',
    packages: { '@x/engine': 'packages/engine', '@x/sdk': 'packages/sdk', '@x/spec': 'packages/spec' },
    files: { required: ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'], allowed: ['dist/', 'NOTICE'] },
    limits: { packedBytes: 1024 * 1024, unpackedBytes: 4 * 1024 * 1024, files: 100 },
    pack: { install: ['install'], command: ['pack', '{out}'], packer: ['packer'] },
    distTags: { dev: 'dev', rc: 'next', stable: 'latest', holding: 'candidate' },
    approval: { threshold: 1, hours: 24, producers: [], keys: [] },
    acceptance: { cells: [], databases: [], probe: 'probe', peers: [] },
    attestation: 'none',
    readback: { deadlineSeconds: 60, freshInstall: false },
    compatibility: { server: '1.2.x', sdk: '1.2.x', upgradeFrom: [] },
    protocol: { released: 'spec/released', lines: { worker: '1.19' }, schemas: { store: 'schema.sql' } },
  },
}

/** The set with one package changed. */
export const withPackage =
  (name: string, change: (one: PackedPackage) => PackedPackage) =>
  (set: PackedSet): PackedSet => ({
    ...set,
    packages: set.packages.map((one) => (one.name === name ? change(one) : one)),
  })

/** The set with fields of one package.json changed; `undefined` takes a field away. */
export const withField = (name: string, fields: Readonly<Record<string, unknown>>) =>
  withPackage(name, (one) => {
    if (typeof one.manifest === 'string' || one.manifest === null) throw new Error(`${name} has no fields to change`)
    return { ...one, manifest: { ...one.manifest, ...fields } }
  })

/** The set with files of one package changed; `undefined` takes a file away. */
export const withFiles = (name: string, changes: Readonly<Record<string, string | undefined>>) =>
  withPackage(name, (one) => ({
    ...one,
    files: Object.fromEntries(
      Object.entries({ ...one.files, ...changes }).flatMap(([path, content]) =>
        content === undefined ? [] : [[path, content]],
      ),
    ),
  }))

/** The bytes of a package. */
export function packed({ manifest, files }: PackedPackage, options: TarballOptions = {}): Buffer {
  const text = typeof manifest === 'string' ? manifest : `${JSON.stringify(manifest, null, 2)}\n`
  const all: Readonly<Record<string, string>> = manifest === null ? files : { ...files, 'package.json': text }
  const listed = Object.entries(all).map(
    ([path, content]): PackedFile => ({ path, content, mode: path === 'dist/main.js' ? '0755' : '0644' }),
  )
  return tarball(listed, options)
}

/** Writes the folder that `rel pack` would leave. */
export function writeSet(folder: string, { packages, packing, policy }: PackedSet): void {
  mkdirSync(join(folder, tarballFolder), { recursive: true })
  for (const one of packages) writeFileSync(join(folder, tarballFolder, one.file), packed(one))
  writeFileSync(join(folder, packingFile), canonicalText(packing))
  writeFileSync(join(folder, policyFile), canonicalText(policy))
}

/** Writes the set into the folder, and binds it in a manifest there. */
export async function manifestOf(folder: string, set: PackedSet): Promise<Manifest> {
  writeSet(folder, set)
  const { manifest } = await bindRelease(folder, { version: '0.1.0', sha256: sha256('rel') })
  return manifest
}

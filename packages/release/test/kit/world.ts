// A small release that is in order: three packages, their tarballs, the manifest, and the records of every stage up to one.
//
// It is written with the kit's own tarballs and digests and through `evidence.ts` alone, so that no stage is judged by itself.
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canonicalText, sha256 } from '../../src/canonical.ts'
import type { Context } from '../../src/context.ts'
import { manifestFile, openEvidence, policyFile, recorded } from '../../src/evidence.ts'
import { inputsOf } from '../../src/pipeline.ts'
import type { Policy } from '../../src/policy.ts'
import type { Manifest, PackageEntry, Packing } from '../../src/records/manifest.ts'
import type { DetailsOf, RecordKind } from '../../src/records/records.ts'
import { publicKeyOf } from '../../src/sign.ts'
import { writeSums } from '../../src/sums.ts'
import { approvalDetails, recordDetails, type Underway, type WorldKey } from './world-details.ts'
import { packedPackage, threePackages, type WorldPackage } from './world-packages.ts'

export interface WorldOptions {
  /** 1.2.3 unless said otherwise. */
  readonly version?: string
  /** The last stage that ran, passed; `readback` unless said otherwise. */
  readonly until?: RecordKind | 'manifest'
  readonly registry?: string
  /** The tag of the channel unless said otherwise. */
  readonly distTag?: string
  readonly packages?: readonly WorldPackage[]
  /** `stable`, or `rc` for a prerelease, unless said otherwise. */
  readonly channel?: Manifest['channel']
  /** How many approvals the policy asks for, 1 unless said otherwise; alice gives the first, bob the second. */
  readonly threshold?: 1 | 2
  /** What else is different in the policy. */
  readonly policy?: Partial<Policy> | ((usual: Policy) => Partial<Policy>)
}

export interface World extends Underway {
  readonly folder: string
  readonly keys: Readonly<Record<'producer' | 'alice' | 'bob', WorldKey>>
  /** Its clock stands still until it is set. */
  readonly context: Context & { at(instant: string): void }
  /** Path of a package's tarball. */
  tarball(name: string): string
  /** Writes the record of a stage that passed with these details, chained as `evidence.ts` does it. */
  append<K extends RecordKind>(kind: K, details: DetailsOf<K>): Promise<void>
}

const commit = '1f'.repeat(20)
const stages: readonly RecordKind[] = ['reproduction', 'acceptance', 'approval', 'publication', 'readback']

// Once per test file: a key pair is the slowest part of a world.
const keyOf = (id: string, person: string, { privateKey }: KeyPairKeyObjectResult): WorldKey => ({
  id,
  person,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})
const keys = {
  producer: keyOf('producer', 'Petra', generateKeyPairSync('ed25519')),
  alice: keyOf('alice', 'Alice', generateKeyPairSync('ed25519')),
  bob: keyOf('bob', 'Bob', generateKeyPairSync('ed25519')),
} as const

/** Makes the release in an empty folder. */
export async function makeWorld(folder: string, options: WorldOptions = {}): Promise<World> {
  const {
    version = '1.2.3',
    until = 'readback',
    registry = 'http://127.0.0.1:4873/',
    packages = threePackages,
  } = options
  const { channel = version.includes('-') ? 'rc' : 'stable', threshold = 1 } = options
  const usual = policyFor(packages, threshold)
  const policy = { ...usual, ...(typeof options.policy === 'function' ? options.policy(usual) : options.policy) }
  const distTag = options.distTag ?? policy.distTags[channel]
  const policySha256 = sha256(canonicalText(policy))
  const packed = packages.map((one) => packedPackage(one, version, commit))
  const entries = packed.map(({ entry }) => entry)
  const manifest = manifestFor({ version, channel, entries, policy, policySha256 })
  const packing: Packing = {
    schema: 'durable-workflow.release/packing/v1',
    version,
    source: manifest.source,
    toolchain: manifest.toolchain,
    released: manifest.protocol.released,
    schemas: manifest.protocol.schemas,
  }
  for (const { entry, tarball } of packed) write(join(folder, 'tarballs', entry.file.name), tarball)
  write(join(folder, policyFile), canonicalText(policy))
  write(join(folder, 'packing.json'), canonicalText(packing))
  write(join(folder, manifestFile), canonicalText(manifest))
  const world = worldIn(folder, { policy, policySha256, registry, distTag })
  for (const kind of stages.slice(0, until === 'manifest' ? 0 : stages.indexOf(until) + 1)) await pass(world, kind)
  world.context.at('2026-11-30T12:30:00.000Z')
  writeSums(folder)
  return world
}

async function pass(world: World, kind: RecordKind): Promise<void> {
  world.context.at(`2026-11-30T12:0${stages.indexOf(kind)}:00.000Z`)
  const { reproduction, acceptance, publication, readback } = recordDetails(world)
  switch (kind) {
    case 'reproduction':
      return world.append(kind, reproduction())
    case 'acceptance':
      for (const [path, content] of Object.entries(acceptance.raw)) write(join(world.folder, path), content)
      return world.append(kind, acceptance.details())
    case 'approval':
      for (const key of [keys.alice, keys.bob].slice(0, world.policy.approval.threshold)) {
        await world.append(kind, approvalDetails(world, key))
      }
      return
    case 'publication':
      return world.append(kind, publication())
    case 'readback':
      return world.append(kind, readback())
  }
}

function worldIn(folder: string, said: Pick<World, 'policy' | 'policySha256' | 'registry' | 'distTag'>): World {
  let now = new Date('2026-11-30T12:00:00.000Z')
  const context: World['context'] = {
    now: () => now,
    progress: () => {},
    tool: { version: '0.1.0', sha256: sha256('rel') },
    at(instant) {
      now = new Date(instant)
    },
  }
  const evidence = () => openEvidence(folder)
  return {
    ...said,
    folder,
    keys,
    context,
    evidence,
    tarball(name) {
      const entry = evidence().manifest.packages.find((one) => one.name === name)
      if (entry === undefined) throw new Error(`no package ${name} in this world`)
      return join(folder, 'tarballs', entry.file.name)
    },
    async append(kind, details) {
      const opened = evidence()
      await recorded(context, opened, { kind, inputs: inputsOf(opened, kind) }, async (report) => report(details))
    },
  }
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function policyFor(packages: readonly WorldPackage[], threshold: number): Policy {
  return {
    schema: 'durable-workflow.release/policy/v1',
    repository: 'x',
    protectedBranch: 'main',
    packages: Object.fromEntries(packages.map(({ name, directory }) => [name, directory])),
    files: {
      required: ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
      allowed: ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/', 'package.json'],
    },
    limits: { packedBytes: 1024 * 1024, unpackedBytes: 4 * 1024 * 1024, files: 100 },
    pack: { install: ['install'], command: ['pack', '{out}'], packer: ['pnpm'] },
    distTags: { dev: 'dev', rc: 'next', stable: 'latest', holding: 'candidate' },
    approval: {
      threshold,
      hours: 24,
      producers: ['producer'],
      keys: [
        {
          id: 'producer',
          person: keys.producer.person,
          role: 'engineer',
          publicKey: publicKeyOf(keys.producer.privateKey),
        },
        { id: 'alice', person: keys.alice.person, role: 'maintainer', publicKey: publicKeyOf(keys.alice.privateKey) },
        { id: 'bob', person: keys.bob.person, role: 'maintainer', publicKey: publicKeyOf(keys.bob.privateKey) },
      ],
    },
    acceptance: {
      cells: ['start', 'activity'],
      databases: ['sqlite'],
      probe: 'worker-survives',
      peers: ['server'],
    },
    attestation: 'none',
    readback: { deadlineSeconds: 60, freshInstall: true },
    compatibility: { server: '>=1.2.0 <2.0.0', sdk: '>=1.2.0 <2.0.0', upgradeFrom: ['1.2.2'] },
    protocol: { released: 'spec/released', lines: { worker: '1.19' }, schemas: { store: 'schema.sql' } },
  }
}

function manifestFor(given: {
  readonly version: string
  readonly channel: Manifest['channel']
  readonly entries: readonly PackageEntry[]
  readonly policy: Policy
  readonly policySha256: string
}): Manifest {
  const { version, channel, policy, policySha256 } = given
  const entries = given.entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const files = entries.flatMap((one) => one.files)
  return {
    schema: 'durable-workflow.release/manifest/v1',
    version,
    channel,
    createdBy: { tool: 'rel', version: '0.1.0', sha256: sha256('rel') },
    source: {
      repository: policy.repository,
      commit,
      tree: '2e'.repeat(20),
      ref: policy.protectedBranch,
      dirty: false,
      lockfileSha256: sha256('lockfile'),
      changesetsConsumed: [],
    },
    toolchain: {
      node: '24.21.0',
      pnpm: { version: '12.4.2', integrity: null },
      typescript: { version: '6.0.3', integrity: null },
      packCommand: policy.pack.command,
      platform: 'linux-x64',
      zlib: '1.3.1',
    },
    policy: { path: policyFile, sha256: policySha256 },
    packages: entries,
    protocol: {
      lines: policy.protocol.lines,
      released: { 'worker-1.19': sha256('worker 1.19') },
      schemas: { store: sha256('schema') },
    },
    compatibility: policy.compatibility,
    counts: {
      packages: entries.length,
      files: files.length,
      bytes: entries.reduce((total, { file }) => total + file.size, 0),
    },
  }
}

// P-46 to P-53 at the level of the judge: details in which one thing differs.
import { checkAcceptance } from '../../src/acceptance/judge.ts'
import { sha256 } from '../../src/canonical.ts'
import type { Evidence } from '../../src/evidence.ts'
import type { Policy } from '../../src/policy.ts'
import type { Manifest, PackageEntry } from '../../src/records/manifest.ts'
import type { DetailsOf, RecordOf } from '../../src/records/records.ts'
import type { RefusalCode } from '../../src/refusal.ts'
import { acceptedDetails } from '../kit/accepted.ts'
import { type Counterfactual, endingOf } from '../kit/counterfactual.ts'

type Details = DetailsOf<'acceptance'>
type Judged = Pick<RecordOf<'acceptance'>, 'inputs' | 'details'>

const commit = 'c'.repeat(40)
const hex = 'd'.repeat(64)

const packageOf = (name: string): PackageEntry => ({
  name,
  version: '0.2.0',
  tier: 0,
  directory: `packages/${name.slice(3)}`,
  file: {
    name: `x-${name.slice(3)}-0.2.0.tgz`,
    size: 100,
    sha256: hex,
    sha512: `sha512-${'A'.repeat(86)}==`,
    sha1: 'e'.repeat(40),
    tarSha256: hex,
    treeSha256: sha256(name),
  },
  identity: { gitHead: commit, manifestSha256: hex, exportsSha256: hex },
  files: [],
  dependencies: { internal: {}, external: {} },
  changelog: { entrySha256: hex, contentLines: 1 },
})

const manifest: Manifest = {
  schema: 'durable-workflow.release/manifest/v1',
  version: '0.2.0',
  channel: 'dev',
  createdBy: { tool: 'rel', version: '0.1.0', sha256: hex },
  source: {
    repository: 'x',
    commit,
    tree: commit,
    ref: 'main',
    dirty: false,
    lockfileSha256: hex,
    changesetsConsumed: [],
  },
  toolchain: {
    node: '24.21.0',
    pnpm: { version: '12.4.2', integrity: null },
    typescript: { version: '6.0.3', integrity: null },
    packCommand: ['pack'],
    platform: 'linux',
    zlib: '1.3.1',
  },
  policy: { path: 'release.policy.json', sha256: hex },
  packages: [packageOf('@x/engine'), packageOf('@x/sdk')],
  protocol: { lines: {}, released: {}, schemas: {} },
  compatibility: { server: '0.2.0', sdk: '0.2.0', upgradeFrom: [] },
  counts: { packages: 2, files: 2, bytes: 200 },
}

const policy: Policy = {
  schema: 'durable-workflow.release/policy/v1',
  repository: 'x',
  protectedBranch: 'main',
  packages: { '@x/engine': 'packages/engine', '@x/sdk': 'packages/sdk' },
  files: { required: [], allowed: [] },
  limits: { packedBytes: 1, unpackedBytes: 1, files: 1 },
  pack: { install: [], command: [], packer: [] },
  distTags: { dev: 'dev', rc: 'next', stable: 'latest', holding: 'candidate' },
  approval: { threshold: 1, hours: 1, producers: [], keys: [] },
  acceptance: {
    cells: ['start', 'timer'],
    databases: ['sqlite', 'postgres'],
    probe: 'worker-survives',
    peers: ['node'],
  },
  attestation: 'none',
  readback: { deadlineSeconds: 1, freshInstall: false },
  compatibility: { server: '0.2.0', sdk: '0.2.0', upgradeFrom: [] },
  protocol: { released: 'spec/released', lines: {}, schemas: {} },
}

const evidence: Evidence = {
  folder: '/',
  manifest,
  manifestSha256: hex,
  releaseId: `0.2.0+${hex.slice(0, 12)}`,
  records: [],
}

const passed: Details = acceptedDetails(policy, manifest)

const recordOf = (judged: Judged): RecordOf<'acceptance'> => ({
  schema: 'durable-workflow.release/acceptance/v1',
  releaseId: evidence.releaseId,
  sequence: 2,
  previous: hex,
  manifestSha256: hex,
  tool: { version: '0.1.0', sha256: hex },
  startedAt: '2026-11-30T12:00:00.000Z',
  endedAt: '2026-11-30T12:01:00.000Z',
  outcome: 'passed',
  reason: null,
  facts: {},
  ...judged,
})

const unchanged: Judged = { inputs: { manifest: hex }, details: passed }

const differing = (
  shows: Counterfactual['shows'],
  differs: string,
  code: RefusalCode,
  changed: Judged,
): Counterfactual => ({
  shows,
  differs,
  layer: 'U',
  code,
  run: (_folder, change) =>
    endingOf(() => checkAcceptance(evidence, policy, recordOf(change === 'changed' ? changed : unchanged))),
})

const inDetails = (
  shows: Counterfactual['shows'],
  differs: string,
  code: RefusalCode,
  changes: Partial<Details>,
): Counterfactual => differing(shows, differs, code, { ...unchanged, details: { ...passed, ...changes } })

/** One element of a list, changed: that which has the marks. */
function withOne<T extends object>(items: readonly T[], marks: Partial<T>, changes: Partial<T>): T[] {
  const marked = Object.entries(marks)
  const isIt = (item: T) =>
    marked.every(([name, value]) => Object.entries(item).some(([n, v]) => n === name && v === value))
  return items.map((item) => (isIt(item) ? { ...item, ...changes } : item))
}

const cell = { id: 'timer', database: 'postgres' }
const sdk = { name: '@x/sdk' }
const other = sha256('other bytes')
const cellWith = (changes: Partial<Details['cells'][number]>) => ({ cells: withOne(passed.cells, cell, changes) })
const sdkWith = (changes: Partial<Details['executed'][number]>) => ({
  executed: withOne(passed.executed, sdk, changes),
})
const probeWith = (changes: Partial<Details['probe']>) => ({ probe: { ...passed.probe, ...changes } })
const { before, after } = passed.probe

export const judgeCases: readonly Counterfactual[] = [
  differing(['P-46'], 'the acceptance judged another manifest', 'acceptance_stale', {
    ...unchanged,
    inputs: { manifest: other },
  }),
  differing(['P-46'], 'the acceptance names no manifest', 'acceptance_stale', { ...unchanged, inputs: {} }),
  differing(['P-46'], 'the acceptance came to no details', 'record_missing', { ...unchanged, details: null }),

  inDetails(
    ['P-47'],
    'a package is a link to a checkout',
    'path_dependency_detected',
    sdkWith({ realPath: '../../checkout/packages/sdk' }),
  ),
  inDetails(
    ['P-47'],
    'a package is linked by an absolute path',
    'path_dependency_detected',
    sdkWith({ realPath: '/checkout/packages/sdk' }),
  ),
  inDetails(
    ['P-47'],
    'a path leaves the folder on its way',
    'path_dependency_detected',
    sdkWith({ realPath: 'node_modules/../../checkout/sdk' }),
  ),
  inDetails(['P-47'], 'a file was loaded from elsewhere', 'path_dependency_detected', {
    loadedFromElsewhere: ['/checkout/packages/sdk/src/worker.ts'],
  }),

  inDetails(
    ['P-48'],
    'an installed file was edited between cells',
    'installed_bytes_changed',
    sdkWith({ treeSha256After: other }),
  ),

  inDetails(['P-49'], 'the worker has another process id at the end', 'worker_restarted', {
    worker: withOne(passed.worker, { database: 'sqlite' }, { pidLast: 4712 }),
  }),
  inDetails(['P-49'], 'the worker has the same process id, but began later', 'worker_restarted', {
    worker: withOne(passed.worker, { database: 'postgres' }, { startedLast: '2026-11-30T12:00:30.000Z' }),
  }),
  inDetails(['P-49'], 'nobody saw the worker of a database', 'worker_restarted', {
    worker: passed.worker.filter(({ database }) => database !== 'postgres'),
  }),

  inDetails(['P-50'], 'a cell has no result', 'acceptance_cell_missing', {
    cells: passed.cells.filter(({ id, database }) => id !== cell.id || database !== cell.database),
  }),
  inDetails(['P-50'], 'a cell was left out', 'acceptance_cell_missing', cellWith({ result: 'missing' })),
  inDetails(['P-50'], 'a cell could not run', 'acceptance_cell_blocked', cellWith({ result: 'blocked' })),
  inDetails(['P-50'], 'a cell failed', 'acceptance_failed', cellWith({ result: 'failed', trouble: 'no result' })),

  inDetails(
    ['P-51'],
    'the version is right, the bytes are of another build',
    'executed_identity_mismatch',
    sdkWith({ treeSha256Before: other, treeSha256After: other }),
  ),
  inDetails(['P-51'], 'a second copy of other bytes lies below another package', 'executed_identity_mismatch', {
    executed: [
      ...passed.executed,
      {
        name: '@x/sdk',
        realPath: 'node_modules/y/node_modules/@x/sdk',
        treeSha256Before: other,
        treeSha256After: other,
      },
    ],
  }),
  inDetails(['P-51'], 'a package of the set was not installed', 'executed_identity_mismatch', {
    executed: passed.executed.filter(({ name }) => name !== '@x/sdk'),
  }),

  ...(['processes', 'ports', 'folders', 'rows'] as const).map((kind) =>
    inDetails(['P-52'], `${kind} were left behind`, 'cleanup_incomplete', {
      cleanup: { ...passed.cleanup, [kind]: ['something'] },
    }),
  ),

  inDetails(
    ['P-53'],
    'the predecessor passes the probe',
    'probe_proves_nothing',
    probeWith({ before: { ...before, result: 'passed' } }),
  ),
  inDetails(
    ['P-53'],
    'the predecessor is the release itself',
    'probe_proves_nothing',
    probeWith({ before: { ...before, treeSha256: after.treeSha256 } }),
  ),
  inDetails(['P-53'], 'another probe was run', 'probe_proves_nothing', probeWith({ id: 'another' })),
  inDetails(
    ['P-53'],
    'the release fails the probe too',
    'acceptance_failed',
    probeWith({ after: { ...after, result: 'failed' } }),
  ),
  inDetails(
    ['P-53', 'P-51'],
    'the probe ran on another version',
    'executed_identity_mismatch',
    probeWith({ after: { ...after, version: '0.1.9' } }),
  ),
  inDetails(
    ['P-53', 'P-51'],
    'the probe ran on other bytes',
    'executed_identity_mismatch',
    probeWith({ after: { ...after, treeSha256: other } }),
  ),

  inDetails(['P-46'], 'a peer has no digest', 'peer_not_pinned', {
    peers: { node: { version: '24.21.0', sha256: null } },
  }),
  inDetails(['P-46'], 'a peer is not named at all', 'peer_not_pinned', { peers: {} }),
]

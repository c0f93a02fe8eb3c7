// What the records of a world say: every field as the stage itself would fill it.
import { sha256 } from '../../src/canonical.ts'
import type { Context } from '../../src/context.ts'
import type { Evidence } from '../../src/evidence.ts'
import { fulfilled } from '../../src/pipeline.ts'
import type { Policy } from '../../src/policy.ts'
import type { Approved, DetailsOf } from '../../src/records/records.ts'
import { signed } from '../../src/sign.ts'

/** A release that is under way, and what it is for. */
export interface Underway {
  readonly policy: Policy
  readonly policySha256: string
  readonly registry: string
  readonly distTag: string
  readonly context: Context
  /** The folder, opened now. */
  evidence(): Evidence
}

export interface WorldKey {
  readonly id: string
  readonly person: string
  /** PEM. */
  readonly privateKey: string
}

/** What alice signs, or another; `changed` fields are signed as they are given. */
export function approvalDetails(
  world: Underway,
  { id, person, privateKey }: WorldKey,
  changed: Partial<Approved> = {},
): DetailsOf<'approval'> {
  const evidence = world.evidence()
  const { manifest, manifestSha256, releaseId } = evidence
  const { policy, policySha256, registry, distTag, context } = world
  const approved: Approved = {
    releaseId,
    manifestSha256,
    reproductionSha256: fulfilled(evidence, 'reproduction')?.sha256 ?? sha256('no reproduction'),
    acceptanceSha256: fulfilled(evidence, 'acceptance')?.sha256 ?? sha256('no acceptance'),
    policySha256,
    approver: person,
    role: policy.approval.keys.find((key) => key.id === id)?.role ?? 'stranger',
    registry,
    distTag,
    packages: manifest.packages.map(({ name, version }) => `${name}@${version}`),
    notAfter: new Date(context.now().getTime() + policy.approval.hours * 3_600_000).toISOString(),
    ...changed,
  }
  return { approved, keyId: id, signature: signed(approved, privateKey) }
}

/** The details of the other records. */
export function recordDetails({ evidence, policy, registry, distTag, context }: Underway) {
  const { manifest } = evidence()
  const { packages, version } = manifest
  const holdingTag = policy.distTags.holding
  const [first] = packages
  if (first === undefined) throw new Error('a world has packages')
  const treeOfAll = sha256(packages.map(({ name, file }) => `${name} ${file.treeSha256}\n`).join(''))
  const databases = policy.acceptance.databases
  const results = policy.acceptance.cells.flatMap((id) => databases.map((database) => ({ id, database })))
  const history = (id: string, database: string): string => `{"cell":"${id}","database":"${database}","events":[]}\n`
  const raw = Object.fromEntries(
    results.map(({ id, database }) => [`raw/${database}/${id}.history.json`, history(id, database)]),
  )
  return {
    reproduction: (): DetailsOf<'reproduction'> => ({
      differences: ['path', 'umask 077', 'TZ', 'LC_ALL'],
      packages: packages.map(({ name }) => ({ name, file: true, tar: true, tree: true })),
    }),
    acceptance: {
      raw,
      details: (): DetailsOf<'acceptance'> => ({
        peers: Object.fromEntries(
          policy.acceptance.peers.map((peer) => [peer, { version, sha256: first.file.sha256 }]),
        ),
        executed: packages.map(({ name, file: { treeSha256 } }) => ({
          name,
          realPath: `node_modules/${name}`,
          treeSha256Before: treeSha256,
          treeSha256After: treeSha256,
        })),
        loadedFromElsewhere: [],
        worker: databases.map((database) => ({
          database,
          pidFirst: 4711,
          pidLast: 4711,
          startedFirst: '81230',
          startedLast: '81230',
        })),
        cells: results.map(({ id, database }) => ({
          id,
          database,
          result: 'passed',
          duration: 120,
          assertions: 3,
          historySha256: sha256(history(id, database)),
          trouble: null,
        })),
        probe: {
          id: policy.acceptance.probe,
          sha256: sha256('probe'),
          before: { version: '0.0.1', treeSha256: sha256('predecessor'), result: 'failed' },
          after: { version, treeSha256: treeOfAll, result: 'passed' },
        },
        cleanup: { processes: [], ports: [], folders: [], rows: [] },
        raw: Object.fromEntries(Object.entries(raw).map(([path, content]) => [path, sha256(content)])),
      }),
    },
    publication: (): DetailsOf<'publication'> => ({
      registry,
      distTag,
      holdingTag,
      dryRun: false,
      journal: packages
        .toSorted((one, other) => one.tier - other.tier)
        .map(({ name }) => ({
          package: name,
          stateBefore: 'absent',
          action: 'upload',
          status: 201,
          stateAfter: 'same',
          at: context.now().toISOString(),
        })),
    }),
    readback: (): DetailsOf<'readback'> => ({
      registry,
      distTag,
      packages: packages.map(
        ({ name, version: itsVersion, identity, file: { size, sha256: digest, sha512, sha1 } }) => ({
          name,
          version: itsVersion,
          size,
          sha256: digest,
          sha512,
          sha1,
          gitHead: identity.gitHead,
          tag: distTag,
          attestationCommit: policy.attestation === 'required' ? manifest.source.commit : null,
          attempts: 1,
        }),
      ),
      consumerLockfile: policy.readback.freshInstall
        ? Object.fromEntries(packages.map(({ name, file: { sha512 } }) => [name, sha512]))
        : null,
      observer: 'world',
    }),
  }
}

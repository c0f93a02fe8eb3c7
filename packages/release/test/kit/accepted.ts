// What an acceptance in which nothing went wrong saw, for a policy and a manifest.

import { treeOfSet } from '../../src/acceptance/identity.ts'
import { sha256 } from '../../src/canonical.ts'
import type { Policy } from '../../src/policy.ts'
import type { Manifest } from '../../src/records/manifest.ts'
import type { DetailsOf } from '../../src/records/records.ts'

/** Details of a passed acceptance. Its raw files are whatever the caller says lies in the evidence folder. */
export function acceptedDetails(
  { acceptance }: Pick<Policy, 'acceptance'>,
  { version, packages }: Pick<Manifest, 'version' | 'packages'>,
  raw: Readonly<Record<string, string>> = {},
): DetailsOf<'acceptance'> {
  const started = '2026-11-30T12:00:00.000Z'
  return {
    peers: Object.fromEntries(acceptance.peers.map((peer) => [peer, { version: '1.0.0', sha256: sha256(peer) }])),
    executed: packages.map(({ name, file }) => ({
      name,
      realPath: `node_modules/${name}`,
      treeSha256Before: file.treeSha256,
      treeSha256After: file.treeSha256,
    })),
    loadedFromElsewhere: [],
    worker: acceptance.databases.map((database) => ({
      database,
      pidFirst: 4711,
      pidLast: 4711,
      startedFirst: started,
      startedLast: started,
    })),
    cells: acceptance.databases.flatMap((database) =>
      acceptance.cells.map((id) => ({
        id,
        database,
        result: 'passed' as const,
        duration: 120,
        assertions: 3,
        historySha256: sha256(`${id} ${database}`),
        trouble: null,
      })),
    ),
    probe: {
      id: acceptance.probe,
      sha256: sha256('the probe'),
      before: { version: '0.0.1', treeSha256: sha256('the predecessor'), result: 'failed' },
      after: {
        version,
        treeSha256: treeOfSet(packages.map(({ name, file }) => ({ name, treeSha256: file.treeSha256 }))),
        result: 'passed',
      },
    },
    cleanup: { processes: [], ports: [], folders: [], rows: [] },
    raw,
  }
}

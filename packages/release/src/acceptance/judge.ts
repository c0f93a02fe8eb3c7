// Judges what an acceptance saw, by the policy and the manifest alone.
//
// Owns:      every refusal of an acceptance.
// Does not:  run anything, read a file: the same details are judged again by whoever checks the evidence.
import type { Evidence } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import type { Policy } from '../policy.ts'
import type { Manifest } from '../records/manifest.ts'
import type { DetailsOf, RecordOf } from '../records/records.ts'
import { treeOfSet } from './identity.ts'

type Details = DetailsOf<'acceptance'>

/**
 * A record of an acceptance, as another stage finds it: it must be about this manifest, and its details must hold.
 *
 * @throws Refused acceptance_stale, record_missing when it has no details, and what `judgeAcceptance` throws
 */
export function checkAcceptance(evidence: Evidence, policy: Policy, record: RecordOf<'acceptance'>): void {
  const { manifestSha256, manifest } = evidence
  refuseUnless(record.inputs.manifest === manifestSha256, 'acceptance_stale', {
    expected: manifestSha256,
    actual: record.inputs.manifest ?? null,
  })
  const { details } = record
  refuseUnless(details !== null, 'record_missing', { record: 'acceptance', lacks: 'details' })
  judgeAcceptance(policy, manifest, details)
}

/**
 * Whether these details let the release go on. What ran is judged before how it went: a cell of other bytes says nothing.
 *
 * @throws Refused acceptance_cell_missing, acceptance_cell_blocked, path_dependency_detected, executed_identity_mismatch,
 *   installed_bytes_changed, acceptance_failed, worker_restarted, peer_not_pinned, probe_proves_nothing, cleanup_incomplete
 * @source release design §5.4, §6 P-46 to P-53
 */
export function judgeAcceptance(policy: Policy, manifest: Manifest, details: Details): void {
  judgeCompleteness(policy.acceptance, details)
  judgePlaces(details)
  judgeIdentities(manifest, details)
  judgeResults(details)
  judgeWorkers(policy.acceptance, details)
  judgePeers(policy.acceptance, details)
  judgeProbe(policy.acceptance, manifest, details)
  judgeCleanup(details)
}

function judgeCompleteness({ cells, databases }: Policy['acceptance'], details: Details): void {
  for (const database of databases) {
    for (const id of cells) {
      const found = details.cells.find((cell) => cell.id === id && cell.database === database)
      const result = found?.result ?? 'missing'
      refuseUnless(result !== 'missing', 'acceptance_cell_missing', { cell: id, database })
      refuseUnless(result !== 'blocked', 'acceptance_cell_blocked', {
        cell: id,
        database,
        trouble: found?.trouble ?? null,
      })
    }
  }
}

function judgePlaces({ executed, loadedFromElsewhere }: Details): void {
  for (const { name, realPath } of executed) {
    refuseUnless(/^node_modules\/(?!.*(^|\/)\.\.(\/|$))/.test(realPath), 'path_dependency_detected', { name, realPath })
  }
  refuseUnless(loadedFromElsewhere.length === 0, 'path_dependency_detected', { loaded: loadedFromElsewhere })
}

function judgeIdentities({ packages }: Manifest, { executed }: Details): void {
  for (const { name, file } of packages) {
    const copies = executed.filter((one) => one.name === name)
    refuseUnless(copies.length > 0, 'executed_identity_mismatch', { name, expected: file.treeSha256, actual: null })
    for (const { realPath, treeSha256Before, treeSha256After } of copies) {
      refuseUnless(treeSha256Before === file.treeSha256, 'executed_identity_mismatch', {
        name,
        realPath,
        expected: file.treeSha256,
        actual: treeSha256Before,
      })
      refuseUnless(treeSha256After === treeSha256Before, 'installed_bytes_changed', {
        name,
        realPath,
        before: treeSha256Before,
        after: treeSha256After,
      })
    }
  }
}

function judgeResults({ cells }: Details): void {
  for (const { id, database, result, trouble } of cells) {
    refuseUnless(result !== 'failed', 'acceptance_failed', { cell: id, database, trouble })
  }
}

function judgeWorkers({ databases }: Policy['acceptance'], { worker }: Details): void {
  for (const database of databases) {
    const one = worker.find((seen) => seen.database === database)
    const first = one === undefined ? 'none' : `${one.pidFirst} since ${one.startedFirst}`
    const last = one === undefined ? 'unknown' : `${one.pidLast} since ${one.startedLast}`
    refuseUnless(first === last, 'worker_restarted', { database, first, last })
  }
}

function judgePeers({ peers }: Policy['acceptance'], details: Details): void {
  for (const peer of peers) {
    const digest = details.peers[peer]?.sha256 ?? null
    refuseUnless(digest !== null, 'peer_not_pinned', { peer, version: details.peers[peer]?.version ?? null })
  }
}

function judgeProbe(policy: Policy['acceptance'], { version, packages }: Manifest, { probe }: Details): void {
  const { id, before, after } = probe
  const expected = treeOfSet(packages.map(({ name, file }) => ({ name, treeSha256: file.treeSha256 })))
  refuseUnless(id === policy.probe, 'probe_proves_nothing', { expected: policy.probe, actual: id })
  refuseUnless(after.version === version, 'executed_identity_mismatch', {
    probe: id,
    expected: version,
    actual: after.version,
  })
  refuseUnless(after.treeSha256 === expected, 'executed_identity_mismatch', {
    probe: id,
    expected,
    actual: after.treeSha256,
  })
  refuseUnless(before.treeSha256 !== after.treeSha256, 'probe_proves_nothing', {
    probe: id,
    before: before.treeSha256,
    after: after.treeSha256,
  })
  refuseUnless(before.result === 'failed', 'probe_proves_nothing', { probe: id, version: before.version })
  refuseUnless(after.result === 'passed', 'acceptance_failed', { probe: id, version: after.version })
}

function judgeCleanup({ cleanup }: Details): void {
  for (const [kind, left] of Object.entries(cleanup)) {
    refuseUnless(left.length === 0, 'cleanup_incomplete', { kind, left })
  }
}

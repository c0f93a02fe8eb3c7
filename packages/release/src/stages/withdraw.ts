// Withdrawing: a release that must not be used any more is told so, and where to go. Nothing is deleted.
import type { Context } from '../context.ts'
import { refuseUnless } from '../guard.ts'
import {
  appendEntry,
  endRelease,
  type Ledger,
  nextPlace,
  openLedger,
  refuseWithdrawn,
  releaseInProgress,
} from '../ledger.ts'
import type { Withdrawal } from '../records/ledger.ts'
import { Misused } from '../refusal.ts'
import { isNewer } from '../version-order.ts'

/** What is withdrawn, and why. */
export interface Withdrawing {
  /** Sequence of a tuple; `in-progress` for the release that was begun and will get no tuple. */
  readonly what: number | 'in-progress'
  readonly reason: string
  /** Version to move to. */
  readonly successor: string
}

/**
 * Appends a withdrawal to the ledger. For a release in progress it also takes the mark away, so that the next may begin.
 *
 * The successor is a version that the ledger has and that was not withdrawn itself, older or newer: while the mended version
 * is being made, the last good one is where to go. Or it is a version that is still to come, newer than all of the ledger.
 *
 * @throws Refused record_missing when there is nothing of that kind, release_withdrawn when it or its successor was
 * withdrawn before, tuple_not_verified for a successor that is neither, and what openLedger throws
 * @throws Misused for a release that is its own successor
 * @source release design §5.4; P-82
 */
export function withdraw(context: Context, folder: string, { what, reason, successor }: Withdrawing): Withdrawal {
  const ledger = openLedger(folder)
  const { releaseId, tuple } = what === 'in-progress' ? releaseBegun(ledger) : releaseOf(ledger, what)
  refuseWithdrawn(ledger, releaseId)
  checkSuccessor(ledger, releaseId, successor)
  const record: Withdrawal = {
    schema: 'durable-workflow.release/withdrawal/v1',
    ...nextPlace(ledger),
    tuple,
    releaseId,
    reason,
    successor,
    at: context.now().toISOString(),
  }
  appendEntry(folder, record)
  endRelease(folder, releaseId)
  return record
}

function releaseOf({ tuples, folder }: Ledger, sequence: number) {
  const found = tuples.find(({ record }) => record.sequence === sequence)
  refuseUnless(found !== undefined, 'record_missing', { path: folder, tuple: sequence })
  return { releaseId: found.record.releaseId, tuple: sequence }
}

function releaseBegun({ tuples, folder }: Ledger) {
  const releaseId = releaseInProgress(folder)
  refuseUnless(releaseId !== null, 'record_missing', { path: folder, wanted: 'a release in progress' })
  const tuple = tuples.find(({ record }) => record.releaseId === releaseId)?.record.sequence ?? null
  return { releaseId, tuple }
}

function checkSuccessor(ledger: Ledger, releaseId: string, successor: string): void {
  if (releaseId.startsWith(`${successor}+`)) throw new Misused(`${releaseId} cannot be its own successor`)
  const there = ledger.tuples.find(({ record }) => record.version === successor)
  if (there === undefined) checkStillToCome(ledger, successor)
  else refuseWithdrawn(ledger, there.record.releaseId)
}

function checkStillToCome({ tuples }: Ledger, successor: string): void {
  for (const { record } of tuples) {
    refuseUnless(isNewer(successor, record.version), 'tuple_not_verified', {
      successor,
      expected: `a version of the ledger, or one newer than ${record.version}`,
    })
  }
}

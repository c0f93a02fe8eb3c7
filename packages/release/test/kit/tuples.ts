import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { appendEntry, type Ledger, movePointer, nextPlace, openLedger } from '../../src/ledger.ts'
import type { Tuple, Withdrawal } from '../../src/records/ledger.ts'

/** Digests of a text that stands for a tarball. */
export const digestsOf = (content: string) => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  sha512: `sha512-${createHash('sha512').update(content).digest('base64')}`,
})

/** What a release of one version is called. */
export const idOf = (version: string): string => `${version}+${digestsOf(`manifest ${version}`).sha256.slice(0, 12)}`

export const setOfThree = ['@x/spec', '@x/engine', '@x/sdk'] as const

/** A tuple of three packages; its digests follow from names and versions. */
export function tupleOf(version: string, place: ReturnType<typeof nextPlace>, changed: Partial<Tuple> = {}): Tuple {
  const commit = digestsOf(`commit ${version}`).sha256.slice(0, 40)
  return {
    schema: 'durable-workflow.release/tuple/v1',
    ...place,
    releaseId: idOf(version),
    version,
    channel: 'stable',
    registry: 'http://127.0.0.1:4873/',
    components: Object.fromEntries(
      setOfThree.map((name) => [name, { version, commit, ...digestsOf(`${name}@${version}`) }]),
    ),
    protocol: { worker: '1.19' },
    compatibility: { server: '^0.1.0', sdk: '^0.1.0', upgradeFrom: [] },
    status: 'verified',
    evidence: { manifest: digestsOf(`manifest ${version}`).sha256 },
    at: '2026-11-30T12:00:00.000Z',
    ...changed,
  }
}

/** A ledger that has a verified tuple a version, each pointed to in its turn. */
export function ledgerOf(folder: string, ...versions: readonly string[]): Ledger {
  mkdirSync(folder, { recursive: true })
  for (const version of versions) {
    const now = openLedger(folder)
    const grown = appendEntry(folder, tupleOf(version, nextPlace(now)))
    const added = grown.tuples.at(-1)
    if (added !== undefined) movePointer(grown, added)
  }
  return openLedger(folder)
}

/** Withdraws a tuple of such a ledger. */
export function withdrawn(folder: string, version: string, successor: string): Ledger {
  const ledger = openLedger(folder)
  const meant = ledger.tuples.find(({ record }) => record.version === version)
  const entry: Withdrawal = {
    schema: 'durable-workflow.release/withdrawal/v1',
    ...nextPlace(ledger),
    tuple: meant?.record.sequence ?? null,
    releaseId: idOf(version),
    reason: 'loses signals',
    successor,
    at: '2026-12-01T12:00:00.000Z',
  }
  return appendEntry(folder, entry)
}

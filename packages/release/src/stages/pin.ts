// Pinning: a consumer takes the versions and digests of one tuple, in a file of its own.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText } from '../canonical.ts'
import { replaceFile } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { type Ledger, refuseWithdrawn, type StoredTuple } from '../ledger.ts'
import { pinsFile, pinsOf, readPins } from '../pins.ts'
import type { Pins } from '../records/ledger.ts'
import { type Known, verifyLedger } from './tuple.ts'

/**
 * Writes `release.pins.json` of a tuple: of the one that is named, or of the one that the stable pointer names.
 *
 * Pins that are there say what was seen of the ledger before: one that has lost it is refused. An older tuple is pinned only
 * where it is named.
 *
 * @param into  folder of the consumer; it must be there
 * @throws Refused record_missing, release_withdrawn, tuple_mixed_set for the pins that are there, and what verifyLedger throws
 * @source release design §5.5, §7, 8; P-82
 */
export function pin(folder: string, into: string, sequence?: number): Pins {
  const path = join(into, pinsFile)
  const ledger = verifyLedger(folder, existsSync(path) ? seenIn(readPins(path)) : undefined)
  const chosen = chosenTuple(ledger, sequence ?? stableOf(ledger))
  refuseWithdrawn(ledger, chosen.record.releaseId)
  refuseUnless(isFolder(into), 'record_missing', { path: into, wanted: 'a folder' })
  const pins = pinsOf(chosen)
  replaceFile(path, canonicalText(pins))
  return pins
}

const seenIn = ({ sequence, tupleSha256 }: Pins): Known => ({ sequence, sha256: tupleSha256 })

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const stableOf = ({ pointers }: Ledger): number => pointers.find(({ channel }) => channel === 'stable')?.sequence ?? 0

function chosenTuple({ tuples, folder }: Ledger, sequence: number): StoredTuple {
  const chosen = tuples.find(({ record }) => record.sequence === sequence)
  refuseUnless(chosen !== undefined, 'record_missing', {
    path: folder,
    wanted: sequence === 0 ? 'a stable tuple' : `tuple ${sequence}`,
  })
  return chosen
}

/** How pins are used, for people: each package manager has its own place for what is forced upon others. */
export function howToUse({ packages }: Pins): readonly string[] {
  const versions = Object.entries(packages).map(
    ([name, { version }]) => `    ${JSON.stringify(name)}: ${JSON.stringify(version)}`,
  )
  return [
    'Write those that you use into package.json with exactly these versions, and force all of them upon others:',
    '',
    '  npm   package.json          "overrides": {',
    ...versions.map((line, index) => `${line}${index < versions.length - 1 ? ',' : ''}`),
    '  }',
    '  pnpm  pnpm-workspace.yaml   overrides: the same, as YAML',
    '  yarn  package.json          "resolutions": the same',
    '',
    'Then install, commit the lockfile, and let CI run: rel verify-pins .',
  ]
}

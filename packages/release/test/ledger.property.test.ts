// LG1: who has seen an entry of a ledger notices whatever is done to what was there before it.
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { movePointer, openLedger } from '../src/ledger.ts'
import { Refused } from '../src/refusal.ts'
import { verifyLedger } from '../src/stages/tuple.ts'
import { ledgerOf, withdrawn } from './kit/tuples.ts'

/** A ledger of tuples, each of which may be withdrawn at once. */
function grow(folder: string, steps: readonly boolean[]): void {
  for (const [index, isWithdrawn] of steps.entries()) {
    ledgerOf(folder, `0.${index + 1}.0`)
    if (isWithdrawn) withdrawn(folder, `0.${index + 1}.0`, `0.${index + 2}.0`)
  }
}

/** Pointers that fit what is left, as far as it can be opened: the tampering is as good as it gets. */
function mendPointers(folder: string): void {
  rmSync(join(folder, 'stable.json'), { force: true })
  try {
    const ledger = openLedger(folder)
    for (const tuple of ledger.tuples) movePointer(ledger, tuple)
  } catch (error) {
    if (!(error instanceof Refused)) throw error // the ledger is refused already, which is what is asked for
  }
}

const tamperings = {
  'takes away an entry': (folder: string, one: string) => rmSync(join(folder, one)),
  'takes away all from an entry on': (folder: string, one: string) => {
    for (const file of readdirSync(folder)) if (/^\d/.test(file) && file >= one) rmSync(join(folder, file))
  },
  'puts an entry in the place of another': (folder: string, one: string, other: string) =>
    copyFileSync(join(folder, one), join(folder, other)),
  'gives an entry another number': (folder: string, one: string) =>
    renameSync(join(folder, one), join(folder, one.replace(/^\d+/, '0099'))),
} as const
const names = [
  'takes away an entry',
  'takes away all from an entry on',
  'puts an entry in the place of another',
  'gives an entry another number',
] as const

test.each(names)('LG1 whoever %s is noticed by one who has seen the last entry', (name) => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(), (steps, at, to) => {
      const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
      try {
        grow(folder, steps)
        const { entries } = openLedger(folder)
        const last = entries.at(-1)
        const one = entries[at % entries.length]?.file ?? ''
        const other = entries[to % entries.length]?.file ?? ''
        const seen = { sequence: entries.length, ...(last !== undefined && { sha256: last.sha256 }) }
        expect(verifyLedger(folder, seen).entries).toHaveLength(entries.length)
        fc.pre(name !== 'puts an entry in the place of another' || one !== other)
        tamperings[name](folder, one, other)
        mendPointers(folder)
        expect(() => verifyLedger(folder, seen)).toThrow(Refused)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }),
    { numRuns: 12 },
  )
})

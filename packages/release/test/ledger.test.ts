import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  appendEntry,
  beginRelease,
  endRelease,
  movePointer,
  nextPlace,
  openLedger,
  releaseInProgress,
  withdrawalOf,
} from '../src/ledger.ts'
import { isNewer } from '../src/version-order.ts'
import { idOf, ledgerOf, tupleOf, withdrawn } from './kit/tuples.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the ledger', () => {
  test('an empty folder is a ledger without entries, and a folder that is not there is none', () => {
    expect(openLedger(folder)).toMatchObject({ entries: [], pointers: [] })
    expect(() => openLedger(join(folder, 'gone'))).toThrow('record_missing')
    expect(() => beginRelease(join(folder, 'gone'), idOf('0.1.0'))).toThrow('record_missing')
  })

  test('tuples and withdrawals stand in one chain', () => {
    ledgerOf(folder, '0.1.0', '0.2.0')
    const ledger = withdrawn(folder, '0.2.0', '0.1.0')
    expect(ledger.entries.map(({ file }) => file)).toEqual([
      '0001-tuple.json',
      '0002-tuple.json',
      '0003-withdrawal.json',
    ])
    expect(ledger.entries.map(({ record }) => record.previous)).toEqual([
      null,
      ...ledger.entries.slice(0, 2).map(({ sha256 }) => sha256),
    ])
    expect(withdrawalOf(ledger, idOf('0.2.0'))).toMatchObject({ tuple: 2, successor: '0.1.0' })
    expect(withdrawalOf(ledger, idOf('0.1.0'))).toBeUndefined()
  })

  test('LG1 an entry that is there is not written again', () => {
    ledgerOf(folder, '0.1.0')
    const before = readFileSync(join(folder, '0001-tuple.json'))
    const again = tupleOf('0.2.0', { sequence: 1, previous: null })
    expect(() => appendEntry(folder, again)).toThrow('EEXIST')
    expect(readFileSync(join(folder, '0001-tuple.json'))).toEqual(before)
    expect(readdirSync(folder)).toEqual(['0001-tuple.json', 'stable.json'])
  })

  test('LG1 every changed byte of every file of a ledger is seen', () => {
    ledgerOf(folder, '0.1.0', '0.2.0')
    withdrawn(folder, '0.2.0', '0.1.0')
    ledgerOf(folder, '0.3.0')
    for (const file of readdirSync(folder)) {
      const path = join(folder, file)
      const before = readFileSync(path)
      for (let at = 0; at < before.length; at += 23) {
        const changed = Buffer.from(before)
        changed[at] = (changed[at] ?? 0) ^ 1
        writeFileSync(path, changed)
        expect(() => openLedger(folder), `${file} byte ${at}`).toThrow(/^(record|manifest|tuple)_/)
      }
      writeFileSync(path, before)
    }
    expect(openLedger(folder).entries).toHaveLength(4)
  })

  test('LG2 a pointer does not go back, and each channel has its own', () => {
    const ledger = ledgerOf(folder, '0.1.0', '0.2.0')
    const [first] = ledger.tuples
    if (first !== undefined) movePointer(ledger, first)
    expect(openLedger(folder).pointers).toMatchObject([{ channel: 'stable', sequence: 2, version: '0.2.0' }])
    const grown = appendEntry(folder, tupleOf('0.3.0-rc.1', nextPlace(ledger), { channel: 'rc' }))
    const last = grown.tuples.at(-1)
    if (last !== undefined) movePointer(grown, last)
    expect(openLedger(folder).pointers).toMatchObject([
      { channel: 'rc', version: '0.3.0-rc.1' },
      { channel: 'stable', version: '0.2.0' },
    ])
  })

  test('LG3 one release at a time: the same may go on, another one may not, and only its own mark is taken away', () => {
    const [mine, other] = [idOf('0.1.0'), idOf('0.2.0')]
    beginRelease(folder, mine)
    beginRelease(folder, mine)
    expect(() => beginRelease(folder, other)).toThrow('release_in_progress')
    endRelease(folder, other)
    expect(releaseInProgress(folder)).toBe(mine)
    endRelease(folder, mine)
    endRelease(folder, mine)
    expect(releaseInProgress(folder)).toBeNull()
    beginRelease(folder, other)
    expect(readdirSync(folder)).toEqual(['in-progress.json'])
  })

  test('LG4 two writers at once: one entry gets the number, and the other writer hears of it', () => {
    const ledger = ledgerOf(folder, '0.1.0')
    const place = nextPlace(ledger)
    withdrawn(folder, '0.1.0', '0.2.0')
    expect(() => appendEntry(folder, tupleOf('0.2.0', place))).toThrow('another program wrote 0002-withdrawal.json')
    expect(openLedger(folder).entries.map(({ file }) => file)).toEqual(['0001-tuple.json', '0002-withdrawal.json'])
  })
})

test('versions stand in the order of Semantic Versioning 2.0.0 §11', () => {
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ]
  for (const [left, one] of order.entries()) {
    for (const [right, other] of order.entries()) expect(isNewer(one, other), `${one} ${other}`).toBe(left > right)
  }
})

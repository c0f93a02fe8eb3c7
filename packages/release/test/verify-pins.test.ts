// The commands of the ledger and of pins, as people run them: one program after another, on one folder.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginRelease, movePointer, openLedger, releaseInProgress } from '../src/ledger.ts'
import { pinsFile, readPins } from '../src/pins.ts'
import { appendTuple } from '../src/stages/tuple.ts'
import { integrities, lockfileText, makeConsumer, otherIntegrity, pinnedConsumer } from './kit/consumer.ts'
import { rel } from './kit/rel.ts'
import { idOf, ledgerOf } from './kit/tuples.ts'
import { makeWorld } from './kit/world.ts'

let folder = ''
let ledger = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pins-'))
  ledger = join(folder, 'ledger')
  mkdirSync(ledger)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('P-81 the program', () => {
  test('refuses a changed entry of a nested lockfile, and names file, entry, expected and actual', async () => {
    const { folder: consumer } = pinnedConsumer(folder)
    makeConsumer(join(consumer, 'apps/nested'), {
      lockfile: lockfileText('npm-3').replace(integrities['@x/spec'], otherIntegrity),
    })
    const program = [join(import.meta.dirname, '../src/main.ts'), 'verify-pins', consumer]
    const ended = promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', ...program])
    const { code, stdout, stderr } = await ended.catch((error) => error)
    expect(code).toBe(10)
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^pins of 0\.2\.0\+[0-9a-f]{12}, tuple 2$/),
      '  apps/nested/package-lock.json (npm 3): 4 entries',
      '  package-lock.json (npm 3): 4 entries',
      '2 package.json, 0 folders skipped (node_modules, .git, links)',
      'pin_integrity_mismatch',
      '  file     apps/nested/package-lock.json',
      '  entry    node_modules/@x/spec',
      '  package  @x/spec',
      `  expected ${integrities['@x/spec']}`,
      `  actual   ${otherIntegrity}`,
      '1 problem',
      '',
    ])
    expect(stderr).toBe(
      'pin_integrity_mismatch: The lockfile has another integrity than the pins. (file apps/nested/package-lock.json; ' +
        `entry node_modules/@x/spec; package @x/spec; expected ${integrities['@x/spec']}; actual ${otherIntegrity})\n` +
        'Next: Do not install. Find out where that integrity comes from.\n',
    )
  })

  test('tells all problems with --json, and ends with the first', async () => {
    const { folder: consumer } = pinnedConsumer(folder, { lockfile: lockfileText('npm-3', 'second') })
    writeFileSync(join(consumer, 'yarn.lock'), 'nothing')
    const { exit, out, err } = await rel(['verify-pins', consumer, '--json', '--ledger', join(folder, 'ledger')])
    expect({ exit, err, lines: out.length }).toEqual({ exit: 10, err: [], lines: 1 })
    expect(JSON.parse(out.join(''))).toMatchObject({
      ok: false,
      code: 'pin_lockfile_unreadable',
      exit: 10,
      lockfiles: [{ file: 'package-lock.json', kind: 'npm', version: '3', compared: 'bytes' }],
      problems: [
        { code: 'pin_lockfile_unreadable', facts: { file: 'yarn.lock' } },
        { code: 'tuple_mixed_set', facts: { file: 'package-lock.json', expected: '0.2.0', actual: '0.1.0' } },
      ],
    })
  })

  test('passes what is pinned, and says how Yarn 2 was compared', async () => {
    const { folder: consumer } = pinnedConsumer(folder, { kind: 'yarn-4', lockfile: lockfileText('yarn-4') })
    const { exit, out } = await rel(['verify-pins', consumer, '--allow-checksum'])
    expect(exit).toBe(0)
    expect(out.slice(1)).toEqual([
      '  yarn.lock (yarn berry 10): 3 entries, versions only',
      '1 package.json, 0 folders skipped (node_modules, .git, links)',
      'all as pinned: 1 lockfile, 3 entries',
    ])
    expect((await rel(['verify-pins', consumer])).exit).toBe(10)
  })
})

describe('P-78 the tuple of a release', () => {
  test('stands in the ledger and in the evidence folder, the pointer names it, the mark is gone', async () => {
    const { folder: release, evidence, context, registry } = await makeWorld(join(folder, 'release'))
    const { releaseId, manifest } = evidence()
    beginRelease(ledger, releaseId)
    const { exit, out } = await rel(['tuple', 'append', '--release', release, '--ledger', ledger], context)
    expect({ exit, first: out[0] }).toEqual({
      exit: 0,
      first: `verified ${releaseId}: tuple 1 of the ledger, stable points to ${manifest.version}`,
    })
    expect(readdirSync(ledger).toSorted()).toEqual(['0001-tuple.json', 'stable.json'])
    expect(readFileSync(join(release, 'tuple.json'))).toEqual(readFileSync(join(ledger, '0001-tuple.json')))
    const [stored] = openLedger(ledger).tuples
    expect(stored?.record).toMatchObject({ releaseId, registry, channel: 'stable', status: 'verified' })
    expect(Object.keys(stored?.record.evidence ?? {}).toSorted()).toEqual([
      'acceptance',
      'approval',
      'manifest',
      'publication',
      'readback',
      'reproduction',
    ])
    for (const { name, version, file, identity } of manifest.packages) {
      const { sha256, sha512 } = file
      expect(stored?.record.components[name]).toEqual({ version, commit: identity.gitHead, sha256, sha512 })
    }
    const verified = await rel(['verify', release, '--policy', join(release, 'policy.json'), '--json'])
    expect(JSON.parse(verified.out.join(''))).toMatchObject({ ok: true, state: 'verified', hasTuple: true })
  })

  test.each([
    ['the mark', (): void => {}],
    ['the entry', (release: string) => rmSync(join(release, 'tuple.json'))],
    ['the copy', () => rmSync(join(ledger, 'stable.json'))],
    ['the pointer', (_: string, id: string) => beginRelease(ledger, id)],
  ] as const)(
    'is finished by whoever runs it again after a crash behind %s, and nothing happens twice',
    async (step, undo) => {
      const { folder: release, evidence, context } = await makeWorld(join(folder, 'release'))
      const { releaseId } = evidence()
      beginRelease(ledger, releaseId)
      if (step !== 'the mark') appendTuple(context, release, ledger)
      undo(release, releaseId)
      const again = appendTuple({ ...context, now: () => new Date('2027-01-01T00:00:00.000Z') }, release, ledger)
      expect(readdirSync(ledger).toSorted()).toEqual(['0001-tuple.json', 'stable.json'])
      expect(openLedger(ledger).pointers).toMatchObject([{ channel: 'stable', sequence: 1, tupleSha256: again.sha256 }])
      expect(readFileSync(join(release, 'tuple.json'))).toEqual(readFileSync(join(ledger, '0001-tuple.json')))
      expect(releaseInProgress(ledger)).toBeNull()
    },
  )

  test('of a release candidate moves the pointer of its channel only', async () => {
    const { folder: release, context } = await makeWorld(join(folder, 'release'), { version: '2.0.0-rc.1' })
    ledgerOf(ledger, '1.2.2')
    appendTuple(context, release, ledger)
    expect(openLedger(ledger).pointers).toMatchObject([
      { channel: 'rc', version: '2.0.0-rc.1' },
      { channel: 'stable', version: '1.2.2' },
    ])
    expect((await rel(['tuple', 'verify', '--ledger', ledger, '--known', '2'])).exit).toBe(0)
    expect((await rel(['tuple', 'verify', '--ledger', ledger, '--known', '3'])).err[0]).toMatch(/^tuple_rollback/)
  })

  test('run again does not take the pointer back behind a later one', async () => {
    const { folder: release, context } = await makeWorld(join(folder, 'release'))
    appendTuple(context, release, ledger)
    ledgerOf(ledger, '1.3.0')
    appendTuple(context, release, ledger)
    expect(openLedger(ledger).pointers).toMatchObject([{ sequence: 2, version: '1.3.0' }])
  })
})

describe('P-82 a withdrawn release', () => {
  const withdrawing = (...words: string[]) =>
    rel(['withdraw', '--ledger', ledger, '--reason', 'loses signals', ...words])

  test('stays in the ledger, is shown with its successor, and is pinned no more; the last good one is', async () => {
    ledgerOf(ledger, '0.1.0', '0.2.0')
    const into = join(folder, 'into')
    mkdirSync(into)
    expect((await rel(['pin', '--ledger', ledger, '--into', into])).exit).toBe(0)
    expect((await withdrawing('--tuple', '2', '--successor', '0.1.0')).exit).toBe(0)
    const shown = await rel(['tuple', 'show', '--ledger', ledger])
    expect(shown.out.map((line) => line.replace(/[0-9a-f]{64}/, 'DIGEST'))).toEqual([
      '0001  DIGEST  2026-11-30T12:00:00.000Z  stable 0.1.0',
      '0002  DIGEST  2026-11-30T12:00:00.000Z  stable 0.2.0',
      expect.stringMatching(/^0003 {2}DIGEST {2}\S+ {2}withdrawn 0\.2\.0\+\w+ → 0\.1\.0: loses signals$/),
      'stable → 2 (0.2.0)',
    ])
    const { exit, err } = await rel(['pin', '--ledger', ledger, '--into', into])
    expect({ exit, code: err[0]?.slice(0, 17), next: err[1] }).toEqual({
      exit: 10,
      code: 'release_withdrawn',
      next: 'Next: Move to its successor.',
    })
    expect((await rel(['pin', '--ledger', ledger, '--tuple', '1', '--into', into])).exit).toBe(0)
    expect(readPins(join(into, pinsFile))).toMatchObject({ sequence: 1, releaseId: idOf('0.1.0') })
  })

  test('may be one that never got a tuple; then the next release may begin', async () => {
    ledgerOf(ledger, '0.1.0')
    beginRelease(ledger, idOf('0.2.0'))
    expect((await withdrawing('--in-progress', '--successor', '0.2.1')).exit).toBe(0)
    expect(openLedger(ledger).withdrawals[0]?.record).toMatchObject({ tuple: null, releaseId: idOf('0.2.0') })
    beginRelease(ledger, idOf('0.2.1'))
    expect(() => beginRelease(ledger, idOf('0.2.0'))).toThrow('release_withdrawn')
  })

  test.each([
    [['--successor', '0.2.1']],
    [['--tuple', '1', '--in-progress', '--successor', '0.2.1']],
    [['--tuple', '0', '--successor', '0.2.1']],
    [['--tuple', '1', '--successor', '^0.2.1']],
    [['--tuple', '1', '--successor', '0.1.0']],
    [['--tuple', '1']],
  ])('a command line that is wrong withdraws nothing: %j', async (words) => {
    ledgerOf(ledger, '0.1.0')
    expect((await withdrawing(...words)).exit).toBe(2)
    expect(openLedger(ledger).entries).toHaveLength(1)
  })
})

describe('pins', () => {
  test('are equal bytes for equal tuples, and tell how they are used', async () => {
    const [tuple] = ledgerOf(ledger, '0.1.0').tuples
    const [one, other] = [join(folder, 'one'), join(folder, 'other')]
    for (const into of [one, other]) {
      mkdirSync(into)
      const { exit, out } = await rel(['pin', '--ledger', ledger, '--into', into])
      expect(exit).toBe(0)
      expect(out.join('\n')).toContain('    "@x/engine": "0.1.0",\n    "@x/sdk": "0.1.0",\n    "@x/spec": "0.1.0"\n  }')
    }
    expect(readFileSync(join(one, pinsFile))).toEqual(readFileSync(join(other, pinsFile)))
    const integrityOf = (name: string) => tuple?.record.components[name]?.sha512
    expect(readPins(join(one, pinsFile)).packages).toEqual({
      '@x/engine': { version: '0.1.0', integrity: integrityOf('@x/engine') },
      '@x/sdk': { version: '0.1.0', integrity: integrityOf('@x/sdk') },
      '@x/spec': { version: '0.1.0', integrity: integrityOf('@x/spec') },
    })
  })

  test('go back to an older tuple where it is named, and forward to the newest where none is', async () => {
    ledgerOf(ledger, '0.1.0', '0.2.0')
    const sequences: number[] = []
    for (const words of [[], ['--tuple', '1'], []]) {
      expect((await rel(['pin', '--ledger', ledger, '--into', folder, ...words])).exit).toBe(0)
      sequences.push(readPins(join(folder, pinsFile)).sequence)
    }
    expect(sequences).toEqual([2, 1, 2])
  })

  test('the pointer of a channel that is moved again stays where it is', () => {
    const opened = ledgerOf(ledger, '0.1.0', '0.2.0')
    for (const one of opened.tuples) movePointer(opened, one)
    expect(openLedger(ledger).pointers).toMatchObject([{ sequence: 2 }])
  })

  test.each([
    [['tuple', '--ledger', 'x']],
    [['tuple', 'append', '--ledger', 'x']],
    [['tuple', 'show', 'twice', '--ledger', 'x']],
    [['tuple', 'verify', '--ledger', 'x', '--known', '-1']],
    [['tuple', 'verify', '--ledger', 'x', '--known-sha256', '0'.repeat(64)]],
    [['tuple', 'verify', '--ledger', 'x', '--known', '1', '--known-sha256', 'abc']],
    [['pin', '--ledger', 'x']],
    [['pin', '--ledger', 'x', '--into', '.', 'word']],
    [['verify-pins']],
    [['verify-pins', 'nowhere']],
    [['verify-pins', '.', '.']],
  ])('a command line that is wrong: %j', async (words) => {
    expect((await rel(words)).exit).toBe(2)
  })
})

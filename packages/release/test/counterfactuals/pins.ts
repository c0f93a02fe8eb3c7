// P-78 to P-82 and P-84: what enters the ledger, what it keeps, and what consumers may install.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, sha256 } from '../../src/canonical.ts'
import { appendEntry, beginRelease, movePointer, nextPlace, openLedger } from '../../src/ledger.ts'
import { pinsFile, readPins } from '../../src/pins.ts'
import type { RefusalCode } from '../../src/refusal.ts'
import { pin } from '../../src/stages/pin.ts'
import { appendTuple, verifyLedger } from '../../src/stages/tuple.ts'
import { verifyPins } from '../../src/stages/verify-pins.ts'
import { withdraw } from '../../src/stages/withdraw.ts'
import {
  type Consumer,
  goodManifest,
  integrities,
  lockfileText,
  otherIntegrity,
  pinnedConsumer,
} from '../kit/consumer.ts'
import { type Counterfactual, endingOf } from '../kit/counterfactual.ts'
import { idOf, ledgerOf, tupleOf, withdrawn } from '../kit/tuples.ts'
import { makeWorld, type World, type WorldOptions } from '../kit/world.ts'
import { recordDetails } from '../kit/world-details.ts'
import { writeTuple } from '../kit/world-tuple.ts'

type Shows = Counterfactual['shows']

/** A case without registry: what differs is done to the folder before the work, or is the work itself. */
function ofFolder<G>(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  prepare: (folder: string, changed: boolean) => Promise<G> | G,
  work: (given: G, changed: boolean) => unknown,
): Counterfactual {
  return {
    shows,
    differs,
    layer: 'U',
    code,
    async run(folder, change) {
      const changed = change === 'changed'
      const given = await prepare(folder, changed)
      return endingOf(() => work(given, changed))
    },
  }
}

/** Appending the tuple of a release to a ledger that has 1.2.2. */
function appending(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: (world: World, ledger: string) => Promise<void> | void,
  options: { readonly unchanged?: WorldOptions; readonly changed?: WorldOptions } = {},
): Counterfactual {
  const prepare = async (folder: string, changed: boolean) => {
    const world = await makeWorld(join(folder, 'release'), {
      ...options.unchanged,
      ...(changed && options.changed),
    })
    const ledger = join(folder, 'ledger')
    ledgerOf(ledger, '1.2.2')
    if (changed) await change(world, ledger)
    return { world, ledger }
  }
  return ofFolder(shows, differs, code, prepare, ({ world, ledger }) =>
    appendTuple(world.context, world.folder, ledger),
  )
}

/** A ledger with three tuples, checked by one who has seen the second. */
function ofLedger(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: (folder: string) => void,
  known: (folder: string) => Parameters<typeof verifyLedger>[1] = () => ({ sequence: 2 }),
): Counterfactual {
  const prepare = (folder: string, changed: boolean) => {
    ledgerOf(folder, '0.1.0', '0.2.0', '0.3.0')
    const seen = known(folder)
    if (changed) change(folder)
    return { folder, seen }
  }
  return ofFolder(shows, differs, code, prepare, ({ folder, seen }) => verifyLedger(folder, seen))
}

function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`nothing changed in ${path}`)
  writeFileSync(path, after)
}

/** The third tuple says something else, and the pointer goes with it. */
function replaceThird(folder: string, changed: Parameters<typeof tupleOf>[2]): void {
  const [, second, third] = openLedger(folder).entries
  const content = canonicalText(tupleOf('0.3.0', { sequence: 3, previous: second?.sha256 ?? null }, changed))
  writeFileSync(join(folder, '0003-tuple.json'), content)
  edit(join(folder, 'stable.json'), (text) => text.replace(third?.sha256 ?? '', sha256(content)))
}

const componentsOf = (version: string) => tupleOf(version, { sequence: 1, previous: null }).components

const tuples: readonly Counterfactual[] = [
  appending(['P-78'], 'a release that was published and not read back', 'tuple_not_verified', () => {}, {
    changed: { until: 'publication' },
  }),
  appending(['P-79'], 'a version older than the last of its channel', 'tuple_rollback', () => {}, {
    changed: { version: '1.2.1' },
  }),
  appending(['P-79'], 'a version that the channel has already, of another release', 'tuple_rollback', () => {}, {
    changed: { version: '1.2.2' },
  }),
  appending(
    ['P-80'],
    'a read-back that saw another version of one package',
    'tuple_mixed_set',
    async (world) => {
      const { packages, ...rest } = recordDetails(world).readback()
      const mixed = packages.map((one, index) => (index === 0 ? { ...one, version: '1.2.2' } : one))
      await world.append('readback', { ...rest, packages: mixed })
    },
    { changed: { until: 'publication' } },
  ),
  appending(
    ['P-80'],
    'a read-back that saw a package too few',
    'tuple_mixed_set',
    async (world) => {
      const { packages, ...rest } = recordDetails(world).readback()
      await world.append('readback', { ...rest, packages: packages.slice(1) })
    },
    { changed: { until: 'publication' } },
  ),
  appending(['P-62', 'P-79'], 'another release in progress', 'release_in_progress', (_, ledger) =>
    beginRelease(ledger, idOf('9.9.9')),
  ),
  appending(['P-82'], 'a release that was given up', 'release_withdrawn', (world, ledger) => {
    beginRelease(ledger, world.evidence().releaseId)
    withdraw(world.context, ledger, { what: 'in-progress', reason: 'a package is burnt', successor: '1.2.4' })
  }),
  appending(['P-79'], 'a ledger that has lost the tuple of this release', 'tuple_rollback', (world) =>
    writeTuple(world),
  ),
  ofFolder(
    ['P-84'],
    'a copy in the evidence folder that says something else',
    'record_digest_mismatch',
    async (folder, changed) => {
      const world = await makeWorld(join(folder, 'release'))
      const ledger = join(folder, 'ledger')
      mkdirSync(ledger)
      appendTuple(world.context, world.folder, ledger)
      if (changed) edit(join(world.folder, 'tuple.json'), (text) => text.replace('127.0.0.1:4873', '127.0.0.1:4874'))
      return { world, ledger }
    },
    ({ world, ledger }) => appendTuple(world.context, world.folder, ledger),
  ),
]

const chain: readonly Counterfactual[] = [
  ofLedger(['P-79'], 'an entry under a number that was used', 'tuple_rollback', (folder) =>
    writeFileSync(
      join(folder, '0003-withdrawal.json'),
      canonicalText({
        schema: 'durable-workflow.release/withdrawal/v1',
        sequence: 3,
        previous: openLedger(folder).entries[1]?.sha256 ?? null,
        tuple: 1,
        releaseId: idOf('0.1.0'),
        reason: 'a fork',
        successor: '0.2.0',
        at: '2026-12-01T12:00:00.000Z',
      }),
    ),
  ),
  ofLedger(['P-79'], 'a number left out', 'tuple_sequence_gap', (folder) => {
    const previous = openLedger(folder).entries[2]?.sha256 ?? null
    writeFileSync(join(folder, '0005-tuple.json'), canonicalText(tupleOf('0.5.0', { sequence: 5, previous })))
  }),
  ofLedger(['P-79'], 'a last entry that follows an older one', 'record_chain_broken', (folder) => {
    const previous = openLedger(folder).entries[0]?.sha256 ?? null
    writeFileSync(join(folder, '0004-tuple.json'), canonicalText(tupleOf('0.4.0', { sequence: 4, previous })))
  }),
  ofLedger(['P-79'], 'an entry under the number of another', 'record_schema_invalid', (folder) => {
    const previous = openLedger(folder).entries[2]?.sha256 ?? null
    writeFileSync(join(folder, '0007-tuple.json'), canonicalText(tupleOf('0.4.0', { sequence: 4, previous })))
  }),
  ofLedger(
    ['P-79'],
    'a ledger that ends before what was seen of it',
    'tuple_rollback',
    (folder) => {
      for (const file of ['0003-tuple.json', 'stable.json']) rmSync(join(folder, file))
      const ledger = openLedger(folder)
      for (const one of ledger.tuples) movePointer(ledger, one)
    },
    () => ({ sequence: 3 }),
  ),
  ofLedger(['P-79'], 'a pointer that stayed behind', 'tuple_rollback', (folder) => {
    const ledger = openLedger(folder)
    appendEntry(folder, tupleOf('0.4.0', nextPlace(ledger)))
  }),
  ofLedger(
    ['P-79', 'P-84'],
    'a ledger that was written anew',
    'record_digest_mismatch',
    (folder) => replaceThird(folder, { registry: 'http://127.0.0.1:4874/' }),
    (folder) => ({ sequence: 3, sha256: openLedger(folder).entries[2]?.sha256 ?? '' }),
  ),
  ofLedger(['P-84'], 'one byte of the first entry', 'record_chain_broken', (folder) =>
    edit(join(folder, '0001-tuple.json'), (text) => text.replace('127.0.0.1:4873', '127.0.0.1:4874')),
  ),
  ofLedger(['P-84'], 'one byte of the last entry', 'record_digest_mismatch', (folder) =>
    edit(join(folder, '0003-tuple.json'), (text) => text.replace('127.0.0.1:4873', '127.0.0.1:4874')),
  ),
  ofLedger(['P-84'], 'a pointer to an entry that is not there', 'record_missing', (folder) =>
    edit(join(folder, 'stable.json'), (text) => text.replace('"sequence": 3', '"sequence": 4')),
  ),
  ofLedger(['P-80'], 'a tuple with one version of another set', 'tuple_mixed_set', (folder) => {
    const [sdk, mine] = [componentsOf('0.2.0')['@x/sdk'], componentsOf('0.3.0')['@x/sdk']]
    if (sdk === undefined || mine === undefined) throw new Error('no @x/sdk')
    replaceThird(folder, { components: { ...componentsOf('0.3.0'), '@x/sdk': { ...sdk, commit: mine.commit } } })
  }),
  ofLedger(['P-80'], 'a tuple with one package of another commit', 'tuple_mixed_set', (folder) => {
    const [sdk, mine] = [componentsOf('0.2.0')['@x/sdk'], componentsOf('0.3.0')['@x/sdk']]
    if (sdk === undefined || mine === undefined) throw new Error('no @x/sdk')
    replaceThird(folder, { components: { ...componentsOf('0.3.0'), '@x/sdk': { ...mine, commit: sdk.commit } } })
  }),
  ofFolder(
    ['P-84'],
    'a ledger that is not there',
    'record_missing',
    (folder) => folder,
    (folder, changed) => verifyLedger(changed ? join(folder, 'gone') : folder),
  ),
]

/** Withdrawing from a ledger with 0.1.0, 0.2.0 and, withdrawn, 0.3.0. */
const withdrawing = (
  differs: string,
  code: RefusalCode,
  changed: Partial<Parameters<typeof withdraw>[2]>,
): Counterfactual =>
  ofFolder(
    ['P-82'],
    differs,
    code,
    (folder) => {
      ledgerOf(folder, '0.1.0', '0.2.0', '0.3.0')
      withdrawn(folder, '0.3.0', '0.2.0')
      return folder
    },
    (folder, isChanged) =>
      withdraw(still, folder, {
        what: 2,
        reason: 'loses signals',
        successor: '0.1.0',
        ...(isChanged && changed),
      }),
  )

const still = {
  now: () => new Date('2026-12-02T12:00:00.000Z'),
  progress: () => {},
  tool: { version: '0.1.0', sha256: '' },
}

const withdrawals: readonly Counterfactual[] = [
  withdrawing('a tuple that is not there', 'record_missing', { what: 9 }),
  withdrawing('a release in progress where there is none', 'record_missing', { what: 'in-progress' }),
  withdrawing('a tuple that was withdrawn before', 'release_withdrawn', { what: 3 }),
  withdrawing('a successor that was withdrawn itself', 'release_withdrawn', { successor: '0.3.0' }),
  withdrawing('a successor that is neither in the ledger nor to come', 'tuple_not_verified', { successor: '0.2.5' }),
]

/** Pinning in a folder that may have pins, from a ledger with 0.1.0 and 0.2.0. */
function pinning(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: (ledger: string, into: string) => void,
): Counterfactual {
  const prepare = (folder: string, changed: boolean) => {
    const [ledger, into] = [join(folder, 'ledger'), join(folder, 'into')]
    ledgerOf(ledger, '0.1.0', '0.2.0')
    mkdirSync(into)
    if (changed) change(ledger, into)
    return { ledger, into }
  }
  return ofFolder(shows, differs, code, prepare, ({ ledger, into }) => pin(ledger, into))
}

const pinnings: readonly Counterfactual[] = [
  pinning(['P-82'], 'a stable release that was withdrawn', 'release_withdrawn', (ledger) => {
    withdrawn(ledger, '0.2.0', '0.1.0')
  }),
  pinning(['P-79'], 'pins of a tuple that the ledger has lost', 'tuple_rollback', (ledger, into) => {
    pin(ledger, into)
    for (const file of ['0002-tuple.json', 'stable.json']) rmSync(join(ledger, file))
    const rest = openLedger(ledger)
    for (const one of rest.tuples) movePointer(rest, one)
  }),
  pinning(['P-79'], 'a pointer that was set back', 'tuple_rollback', (ledger) => {
    appendEntry(ledger, tupleOf('0.3.0', nextPlace(openLedger(ledger))))
  }),
  pinning(['P-84'], 'pins of another ledger already there', 'record_digest_mismatch', (ledger, into) => {
    pin(ledger, into, 1)
    edit(join(into, pinsFile), (text) => text.replace(/"tupleSha256": "[0-9a-f]{8}/, '"tupleSha256": "00000000'))
  }),
  pinning(['P-80'], 'pins that mix two releases already there', 'tuple_mixed_set', (ledger, into) => {
    pin(ledger, into, 1)
    edit(join(into, pinsFile), (text) => text.replace('"version": "0.1.0"', '"version": "0.2.0"'))
  }),
  pinning(['P-78'], 'a ledger whose stable pointer is not there', 'record_missing', (ledger, into) => {
    for (const file of ['0001-tuple.json', '0002-tuple.json', 'stable.json']) rmSync(join(ledger, file))
    mkdirSync(join(into, 'src'))
  }),
  pinning(['P-78'], 'a consumer that is not there', 'record_missing', (_, into) => rmSync(into, { recursive: true })),
]

/** What a change of a consumer replaces. */
type Change = Partial<Consumer> & {
  readonly pins?: (text: string) => string
  readonly after?: (ledger: string) => void
}

/** Verifying the lockfiles of a consumer; the first problem is what it ends with. */
function verifying(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: Change,
  { withLedger = false, usual = {} }: { readonly withLedger?: boolean; readonly usual?: Consumer } = {},
): Counterfactual {
  const prepare = (folder: string, changed: boolean) => {
    const made = pinnedConsumer(folder, { ...usual, ...(changed && change) })
    if (changed && change.pins !== undefined) edit(join(made.folder, pinsFile), change.pins)
    if (changed) change.after?.(made.ledger.folder)
    return made
  }
  return ofFolder(shows, differs, code, prepare, ({ folder, ledger }) => {
    const pins = readPins(join(folder, pinsFile))
    const { problems } = verifyPins(folder, { pins, ...(withLedger && { ledger: openLedger(ledger.folder) }) })
    const [first] = problems
    if (first !== undefined) throw first
  })
}

const escaped = (text: string): string => text.replace(/[+/]/g, '\\$&')
const good = lockfileText('npm-3')
const manifest = JSON.stringify(goodManifest)
const dependencies = (changed: Readonly<Record<string, string>>) => ({
  ...goodManifest,
  dependencies: { ...goodManifest.dependencies, ...changed },
})

const verifications: readonly Counterfactual[] = [
  verifying(['P-81'], 'a range with a caret', 'pin_range_not_exact', {
    manifest: dependencies({ '@x/sdk': '^0.2.0' }),
  }),
  verifying(['P-81'], 'another integrity in the lockfile', 'pin_integrity_mismatch', {
    lockfile: good.replace(integrities['@x/spec'], otherIntegrity),
  }),
  verifying(
    ['P-81'],
    'a patch that is applied to a pinned package',
    'pin_integrity_mismatch',
    {
      lockfile: lockfileText('pnpm-9', 'patched'),
    },
    {
      usual: {
        kind: 'pnpm-9',
        manifest: { dependencies: { '@x/engine': '0.2.0' } },
        lockfile: lockfileText('pnpm-9', 'patched').replace(/patchedDependencies:\n.*\n/, ''),
      },
    },
  ),
  verifying(
    ['P-81'],
    'a nested lockfile that is still old',
    'tuple_mixed_set',
    { files: { 'apps/old/package-lock.json': good.replaceAll('0.2.0', '0.1.0') } },
    { withLedger: true, usual: { files: { 'apps/old/package-lock.json': good } } },
  ),
  verifying(['P-81'], 'a transitive copy at another version', 'pin_unqualified_version', {
    lockfile: lockfileText('npm-3', 'second'),
  }),
  verifying(
    ['P-81'],
    'a transitive copy at a version of another tuple',
    'tuple_mixed_set',
    { lockfile: lockfileText('npm-3', 'second') },
    { withLedger: true },
  ),
  verifying(
    ['P-81', 'P-82'],
    'a transitive copy at a version that was withdrawn',
    'release_withdrawn',
    {
      lockfile: lockfileText('npm-3', 'second'),
      after: (ledger) => withdrawn(ledger, '0.1.0', '0.2.0'),
    },
    { withLedger: true },
  ),
  verifying(
    ['P-81'],
    'a copy at a version that no tuple has',
    'pin_unqualified_version',
    { lockfile: lockfileText('npm-3', 'second').replaceAll('0.1.0', '0.1.7') },
    { withLedger: true },
  ),
  verifying(['P-81'], 'an entry without integrity', 'pin_missing', {
    lockfile: good.replace(new RegExp(`,\\s*"integrity": "${escaped(integrities['@x/spec'])}"`), ''),
  }),
  verifying(['P-81'], 'a lockfile that lacks what the manifest asks for', 'pin_missing', {
    lockfile: good.replace(/"node_modules\/@x\/engine": \{[^{}]*\{[^{}]*\}\s*\},/, ''),
  }),
  verifying(
    ['P-81'],
    'a manifest that no lockfile covers',
    'pin_missing',
    { files: { 'app/package-lock.json': good, 'app/package.json': manifest, 'other/package.json': manifest } },
    {
      usual: { manifest: null, lockfile: null, files: { 'app/package-lock.json': good, 'app/package.json': manifest } },
    },
  ),
  verifying(
    ['P-81'],
    'a folder with the name of a pinned package beside a lockfile of Yarn 1',
    'pin_missing',
    { files: { 'fork/package.json': '{"name":"@x/spec","version":"0.2.0"}' } },
    { usual: { kind: 'yarn-1', files: { 'fork/package.json': '{"name":"other","version":"0.2.0"}' } } },
  ),
  verifying(
    ['P-81'],
    'no lockfile at all',
    'pin_missing',
    { lockfile: null },
    { usual: { manifest: { name: 'empty' } } },
  ),
  verifying(['P-81'], 'a lockfile whose digests are of no tarball', 'pin_missing', {
    kind: 'yarn-4',
    lockfile: lockfileText('yarn-4'),
  }),
  verifying(['P-81'], 'a lockfile that is cut off', 'pin_lockfile_unreadable', { lockfile: good.slice(0, -10) }),
  verifying(
    ['P-82'],
    'pins that were withdrawn',
    'release_withdrawn',
    {
      after: (ledger) => withdrawn(ledger, '0.2.0', '0.1.0'),
    },
    { withLedger: true },
  ),
  verifying(
    ['P-84'],
    'pins with another digest of their tuple',
    'record_digest_mismatch',
    {
      pins: (text) => text.replace(/"tupleSha256": "[0-9a-f]{8}/, '"tupleSha256": "00000000'),
    },
    { withLedger: true },
  ),
  verifying(
    ['P-84'],
    'pins of a tuple that the ledger does not have',
    'record_missing',
    {
      pins: (text) => text.replace('"sequence": 2', '"sequence": 9'),
    },
    { withLedger: true },
  ),
  verifying(['P-80'], 'pins that mix two releases', 'tuple_mixed_set', {
    pins: (text) => text.replace('"version": "0.2.0"', '"version": "0.1.0"'),
  }),
  ofFolder(
    ['P-81'],
    'no pins',
    'record_missing',
    (folder, changed) => {
      const made = pinnedConsumer(folder)
      if (changed) rmSync(join(made.folder, pinsFile))
      return made
    },
    ({ folder }) => readPins(join(folder, pinsFile)),
  ),
]

/** Every case of the ledger and of pins. */
export const pinsCases: readonly Counterfactual[] = [...tuples, ...chain, ...withdrawals, ...pinnings, ...verifications]

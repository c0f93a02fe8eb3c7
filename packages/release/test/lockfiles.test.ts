// What verify-pins sees in the lockfiles of each package manager: one thing changed in what the manager wrote.
//
//   - the good ones pass, and every entry of a pinned package is counted
//   - changed, older, doubled, renamed, linked and patched entries: each with its code and its place
//   - what manifests ask for, and which lockfile covers them
//   - files that cannot be read
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockfileBytesMax } from '../src/lockfiles/read.ts'
import { verifyPins } from '../src/stages/verify-pins.ts'
import {
  type Consumer,
  goodManifest,
  integrities,
  type Kind,
  lockfileOf,
  lockfileText,
  otherIntegrity,
  pinnedConsumer,
  type Variant,
} from './kit/consumer.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockfiles-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kinds: readonly Kind[] = ['npm-2', 'npm-3', 'pnpm-6', 'pnpm-9', 'yarn-1', 'yarn-4']
const withoutDigests = 'yarn-4'

/** Checks a consumer; lockfiles without digests of tarballs are let pass by their versions. */
function reportOf(consumer: Consumer, { withLedger = false, allowChecksum = consumer.kind === withoutDigests } = {}) {
  const { folder: made, pins, ledger } = pinnedConsumer(mkdtempSync(join(folder, 'one-')), consumer)
  return verifyPins(made, { pins, allowChecksum, ...(withLedger && { ledger }) })
}

/** `code  entry  actual` of each problem. */
const told = ({ problems }: ReturnType<typeof verifyPins>): readonly string[] =>
  problems.map(({ code, facts }) => `${code}  ${facts.entry ?? facts.file ?? ''}  ${facts.actual ?? facts.trouble}`)

function replaced(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, to)
  if (after === text) throw new Error(`${from} is not in the lockfile`)
  return after
}

describe('what package managers wrote', () => {
  test.each([
    ['npm-2', '2', 8],
    ['npm-3', '3', 4],
    ['pnpm-6', '6.0', 3],
    ['pnpm-9', '9.0', 3],
    ['yarn-1', '1', 4],
    ['yarn-4', '10', 3],
  ] as const)('%s passes, and each of its entries of a pinned package is counted', (kind, version, entries) => {
    const report = reportOf({ kind })
    expect(told(report)).toEqual([])
    expect(report.lockfiles).toMatchObject([{ file: lockfileOf[kind], version, entries }])
    expect(report.lockfiles[0]?.compared).toBe(kind === withoutDigests ? 'versions' : 'bytes')
  })

  test.each(kinds.filter((kind) => kind !== 'npm-2'))('a workspace of %s passes; a stranger in it does not', (kind) => {
    const member = { name: 'app', dependencies: { '@x/sdk': kind === 'pnpm-9' ? 'catalog:' : '0.2.0' } }
    const workspace = {
      kind,
      lockfile: lockfileText(kind, 'members'),
      manifest: { name: 'whole' },
      files: { 'packages/app/package.json': JSON.stringify(member) },
    }
    expect(told(reportOf(workspace))).toEqual([])
    const stranger = { ...workspace.files, 'other/package.json': JSON.stringify(goodManifest) }
    const problems = told(reportOf({ ...workspace, files: stranger }))
    // Yarn 1 does not tell which folders a lockfile covers.
    if (kind === 'yarn-1') expect(problems).toEqual([])
    else expect(problems).toContain(`pin_missing  dependencies @x/sdk  no entry in ${lockfileOf[kind]}`)
  })

  test('an npm-shrinkwrap.json is a lockfile, and so is the one that pnpm has for a branch', () => {
    const files = {
      'a/npm-shrinkwrap.json': lockfileText('npm-3'),
      'b/pnpm-lock.main.yaml': lockfileText('pnpm-9'),
    }
    const { lockfiles, problems } = reportOf({ files })
    expect(problems).toEqual([])
    expect(lockfiles.map(({ file }) => file)).toEqual([...Object.keys(files), 'package-lock.json'])
  })
})

type Mutation = readonly [Kind, differs: string, change: (text: string) => string, problems: string | readonly string[]]

const spec = integrities['@x/spec']
const sdk = integrities['@x/sdk']
const unpinned = (entry: string, actual: string) => `pin_unqualified_version  ${entry}  ${actual}`
const mismatch = (entry: string, actual = otherIntegrity) => `pin_integrity_mismatch  ${entry}  ${actual}`
const missing = (entry: string, actual: string) => `pin_missing  ${entry}  ${actual}`

const url = (name: string) => `http://127.0.0.1:4899/@x/${name}/-/${name}-0.2.0.tgz`
const inNpm = (name: string) => `node_modules/${name}`

const mutations: readonly Mutation[] = [
  // another integrity
  ['npm-2', 'an integrity', (text) => text.replace(spec, otherIntegrity), mismatch(inNpm('@x/spec'))],
  ['npm-2', 'an integrity for npm 6', (text) => lastOf(text, spec, otherIntegrity), mismatch('dependencies/@x/spec')],
  ['npm-3', 'an integrity', (text) => text.replace(spec, otherIntegrity), mismatch(inNpm('@x/spec'))],
  ['npm-3', 'the integrity of an alias', (text) => lastOf(text, sdk, otherIntegrity), mismatch(inNpm('durable'))],
  [
    'npm-3',
    'a second integrity that is taken too',
    (text) => text.replace(spec, `${spec} ${otherIntegrity}`),
    mismatch(inNpm('@x/spec'), `${spec} ${otherIntegrity}`),
  ],
  [
    'npm-3',
    'a weak integrity',
    (text) => text.replace(spec, 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='),
    mismatch(inNpm('@x/spec'), 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='),
  ],
  ['pnpm-6', 'an integrity', (text) => text.replace(spec, otherIntegrity), mismatch('/@x/spec@0.2.0')],
  ['pnpm-9', 'an integrity', (text) => text.replace(spec, otherIntegrity), mismatch('@x/spec@0.2.0')],
  ['yarn-1', 'an integrity', (text) => text.replace(spec, otherIntegrity), mismatch('@x/spec@0.2.0, @x/spec@^0.2.0')],
  [
    'yarn-1',
    'the integrity of an alias',
    (text) => lastOf(text, sdk, otherIntegrity),
    mismatch('durable@npm:@x/sdk@0.2.0'),
  ],
  // another version
  [
    'npm-2',
    'a version for npm 6',
    (text) => lastOf(text, '"version": "npm:@x/sdk@0.2.0"', '"version": "npm:@x/sdk@0.2.1"'),
    unpinned('dependencies/durable', '0.2.1'),
  ],
  [
    'npm-3',
    'a version',
    (text) => replaced(text, /(node_modules\/@x\/spec": \{\s*"version": ")0\.2\.0/, '$10.2.1'),
    unpinned(inNpm('@x/spec'), '0.2.1'),
  ],
  [
    'pnpm-6',
    'a version',
    (text) => text.replaceAll('/@x/spec@0.2.0', '/@x/spec@0.2.1').replaceAll("'@x/spec': 0.2.0", "'@x/spec': 0.2.1"),
    unpinned('/@x/spec@0.2.1', '0.2.1'),
  ],
  [
    'pnpm-9',
    'a version',
    (text) => text.replaceAll('@x/spec@0.2.0', '@x/spec@0.2.1').replaceAll("'@x/spec': 0.2.0", "'@x/spec': 0.2.1"),
    unpinned('@x/spec@0.2.1', '0.2.1'),
  ],
  [
    'yarn-1',
    'a version',
    (text) => replaced(text, /(@x\/spec@\^0\.2\.0":\n {2}version ")0\.2\.0/, '$10.2.1'),
    unpinned('@x/spec@0.2.0, @x/spec@^0.2.0', '0.2.1'),
  ],
  [
    'yarn-4',
    'a version',
    (text) => replaced(text, 'resolution: "@x/spec@npm:0.2.0"', 'resolution: "@x/spec@npm:0.2.1"'),
    unpinned('@x/spec@npm:0.2.0, @x/spec@npm:^0.2.0', '0.2.1'),
  ],
  // no integrity
  ['npm-3', 'no integrity', (text) => without(text, spec), missing(inNpm('@x/spec'), url('spec'))],
  [
    'npm-3',
    'a copy inside of another package',
    (text) => replaced(text, /"resolved": "[^"]*spec[^"]*",\s*"integrity": "[^"]*"/, '"inBundle": true'),
    missing(inNpm('@x/spec'), 'bundled in another package'),
  ],
  [
    'pnpm-9',
    'no integrity',
    (text) => text.replace(`{integrity: ${spec}}`, '{type: git, repo: elsewhere}'),
    missing('@x/spec@0.2.0', 'type git, repo elsewhere'),
  ],
  [
    'pnpm-6',
    'no integrity',
    (text) => text.replace(`{integrity: ${spec}}`, '{directory: spec, type: directory}'),
    missing('/@x/spec@0.2.0', 'directory spec, type directory'),
  ],
  [
    'yarn-1',
    'no integrity',
    (text) => without(text, spec),
    missing('@x/spec@0.2.0, @x/spec@^0.2.0', `${url('spec')}#80abc31a597cead00c29eb22a8f363cd0b347509`),
  ],
  [
    'yarn-4',
    'no checksum',
    (text) => replaced(text, /(resolution: "@x\/spec@npm:0\.2\.0"\n) {2}checksum.*\n/, '$1'),
    missing('@x/spec@npm:0.2.0, @x/spec@npm:^0.2.0', 'npm:0.2.0'),
  ],
  [
    'yarn-4',
    'another place to fetch it from',
    (text) =>
      replaced(text, 'resolution: "@x/spec@npm:0.2.0"', 'resolution: "@x/spec@npm:0.2.0::__archiveUrl=elsewhere"'),
    missing('@x/spec@npm:0.2.0, @x/spec@npm:^0.2.0', 'npm:0.2.0::__archiveUrl=elsewhere'),
  ],
  // another package behind a name, and a name behind another package
  [
    'npm-3',
    'another package under a pinned name',
    (text) =>
      replaced(
        text,
        /(node_modules\/@x\/spec": \{)([^}]*)spec\/-\/spec-0\.2\.0\.tgz([^}]*)sha512-[^"]*/,
        `$1 "name": "evil",$2evil.tgz$3${otherIntegrity}`,
      ),
    mismatch(inNpm('@x/spec')),
  ],
  [
    'npm-3',
    'a pinned package that only its URL tells',
    (text) =>
      replaced(
        text,
        /(node_modules\/helper": \{\s*"version": "1\.0\.0",\s*"resolved": ")[^"]*/,
        '$1http://127.0.0.1:4899/@x%2fspec/-/spec-0.1.0.tgz',
      ),
    unpinned(inNpm('helper'), '1.0.0'),
  ],
  [
    'yarn-1',
    'another package under a pinned name',
    (text) => `${text}\n"@x/spec@npm:evil@0.2.0":\n  version "0.2.0"\n  integrity ${otherIntegrity}\n`,
    mismatch('@x/spec@npm:evil@0.2.0'),
  ],
  [
    'pnpm-9',
    'another package under a pinned name',
    (text) =>
      replaced(
        text,
        "helper@1.0.0:\n    dependencies:\n      '@x/spec': 0.2.0",
        "helper@1.0.0:\n    dependencies:\n      '@x/spec': helper@1.0.0",
      ),
    unpinned('helper@1.0.0 › @x/spec', '1.0.0'),
  ],
  [
    'pnpm-9',
    'an edge that leads nowhere',
    (text) =>
      replaced(
        text,
        "helper@1.0.0:\n    dependencies:\n      '@x/spec': 0.2.0",
        "helper@1.0.0:\n    dependencies:\n      '@x/spec': 0.3.0",
      ),
    missing('helper@1.0.0 › @x/spec', '0.3.0, which has no entry'),
  ],
  [
    'pnpm-9',
    'an alias that leads to an older one',
    (text) => replaced(text, /(durable:\n\s+specifier: .*\n\s+version: )'@x\/sdk@0\.2\.0'/, "$1'@x/sdk@0.1.0'"),
    missing('. › durable', '@x/sdk@0.1.0, which has no entry'),
  ],
  [
    'pnpm-9',
    'an override to another version',
    (text) => replaced(text, '\nimporters:', '\noverrides:\n  helper>@x/spec: 0.1.0\n\nimporters:'),
    unpinned('overrides @x/spec', '0.1.0'),
  ],
  [
    'pnpm-9',
    'a range that the importer asks for',
    (text) => replaced(text, 'specifier: npm:@x/sdk@0.2.0', 'specifier: npm:@x/sdk@~0.2.0'),
    'pin_range_not_exact  . durable  ~0.2.0',
  ],
  [
    'pnpm-9',
    'a document before it that asks for another version',
    (text) =>
      `---\nlockfileVersion: '9.0'\nimporters:\n  .:\n    configDependencies:\n      '@x/spec':\n        specifier: 0.1.0\n        version: 0.1.0\n---\n${text}`,
    [missing('. › @x/spec', '0.1.0, which has no entry'), unpinned('. @x/spec', '0.1.0')],
  ],
]

/** The last place only. */
function lastOf(text: string, from: string, to: string): string {
  const at = text.lastIndexOf(from)
  if (at === -1) throw new Error(`${from} is not in the lockfile`)
  return text.slice(0, at) + to + text.slice(at + from.length)
}

/** The line of an integrity taken out. */
function without(text: string, integrity: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.includes(integrity))
  return lines
    .filter((_, index) => index !== at)
    .join('\n')
    .replace(/,(\s*\})/g, '$1')
}

describe('one thing changed', () => {
  test.each(mutations)('%s: %s', (kind, _differs, change, problems) => {
    const text = lockfileText(kind)
    const lockfile = change(text)
    expect(lockfile).not.toBe(text)
    expect(told(reportOf({ kind, lockfile }))).toEqual([problems].flat())
  })

  test.each([
    ['npm-2', 'node_modules/straggler/node_modules/@x/spec', 'dependencies/straggler/dependencies/@x/spec'],
    ['npm-3', 'node_modules/straggler/node_modules/@x/spec'],
    ['pnpm-6', '/@x/spec@0.1.0'],
    ['pnpm-9', '@x/spec@0.1.0'],
    ['yarn-1', '@x/spec@0.1.0'],
    ['yarn-4', '@x/spec@npm:0.1.0'],
  ] as const)('%s: a second copy at another version, which another package brings', (kind, ...places) => {
    const lockfile = lockfileText(kind, 'second')
    expect(told(reportOf({ kind, lockfile }))).toEqual(places.map((at) => unpinned(at, '0.1.0')))
    const known = reportOf({ kind, lockfile }, { withLedger: true })
    expect(told(known)).toEqual(places.map((at) => `tuple_mixed_set  ${at}  0.1.0`))
    expect(known.problems[0]?.facts).toMatchObject({ expected: '0.2.0', tuple: 1 })
  })

  test.each([
    ['npm-3', ['node_modules/@x/spec', 'a link to spec'], ['spec', 'a folder']],
    ['pnpm-6', ['. › @x/spec', 'link:spec, which has no entry']],
    ['pnpm-9', ['. › @x/spec', 'link:spec, which has no entry']],
    ['yarn-1', ['@x/spec@file:./spec', 'a folder']],
    [
      'yarn-4',
      ['@x/spec@portal:./spec::locator=consumer%40workspace%3A.', 'portal:./spec::locator=consumer%40workspace%3A.'],
    ],
  ] as const)('%s: a pinned package that is a folder', (kind, ...places) => {
    const problems = told(reportOf({ kind, lockfile: lockfileText(kind, 'local'), manifest: { name: 'consumer' } }))
    const asked = kind.startsWith('pnpm') ? ['pin_range_not_exact  . @x/spec  link:./spec'] : []
    expect(problems).toEqual([...places.map(([at = '', source = '']) => missing(at, source)), ...asked])
  })

  test.each([
    ['pnpm-9', mismatch('patchedDependencies @x/engine@0.2.0', 'a patch is applied to it')],
    ['yarn-4', expect.stringMatching(/^pin_missing {2}@x\/engine@patch:/)],
  ] as const)('%s: a pinned package with a patch', (kind, problem) => {
    const lockfile = lockfileText(kind, 'patched')
    expect(told(reportOf({ kind, lockfile, manifest: { name: 'consumer' } }))).toEqual([problem])
  })

  test('every problem is told, file by file', () => {
    const old = replaced(lockfileText('npm-3'), spec, otherIntegrity)
    const report = reportOf({
      lockfile: replaced(lockfileText('npm-3'), sdk, otherIntegrity),
      files: { 'apps/a/package-lock.json': old, 'apps/b/yarn.lock': 'nothing' },
      manifest: { ...goodManifest, dependencies: { '@x/sdk': '^0.2.0' } },
    })
    expect(report.problems.map(({ code, facts }) => `${code} ${facts.file}`)).toEqual([
      'pin_lockfile_unreadable apps/b/yarn.lock',
      'pin_integrity_mismatch apps/a/package-lock.json',
      'pin_integrity_mismatch package-lock.json',
      'pin_range_not_exact package.json',
    ])
  })
})

describe('Yarn 2 and later', () => {
  test('its checksums are of an archive of its own, so that versions are compared only where that is allowed', () => {
    const strict = reportOf({ kind: 'yarn-4' }, { allowChecksum: false })
    expect(strict.problems.map(({ code }) => code)).toEqual(['pin_missing', 'pin_missing', 'pin_missing'])
    expect(strict.problems[0]?.message).toContain('--allow-checksum')
    expect(strict.problems[0]?.facts.actual).toMatch(/^checksum 10c0\/[0-9a-f]{128}$/)
  })
})

describe('what a manifest asks for', () => {
  const exact = (section: string, name: string, range: string) => ({
    ...goodManifest,
    [section]: { ...(section === 'dependencies' && goodManifest.dependencies), [name]: range },
  })

  test.each([
    ['dependencies', '@x/sdk', '^0.2.0', 'pin_range_not_exact  dependencies @x/sdk  ^0.2.0'],
    ['dependencies', '@x/sdk', 'latest', 'pin_range_not_exact  dependencies @x/sdk  latest'],
    ['dependencies', '@x/sdk', '=0.2.0', 'pin_range_not_exact  dependencies @x/sdk  =0.2.0'],
    ['dependencies', '@x/sdk', 'workspace:*', 'pin_range_not_exact  dependencies @x/sdk  workspace:*'],
    ['dependencies', '@x/sdk', 'catalog:', 'pin_range_not_exact  dependencies @x/sdk  catalog:'],
    ['dependencies', '@x/sdk', 'file:../sdk', 'pin_range_not_exact  dependencies @x/sdk  file:../sdk'],
    ['dependencies', '@x/sdk', 'npm:evil@1.0.0', 'pin_range_not_exact  dependencies @x/sdk  npm:evil@1.0.0'],
    ['dependencies', 'durable', 'npm:@x/sdk', 'pin_range_not_exact  dependencies durable  *'],
    ['dependencies', 'durable', 'npm:@x/sdk@^0.2.0', 'pin_range_not_exact  dependencies durable  ^0.2.0'],
    ['dependencies', 'durable', 'npm:@x/sdk@0.1.0', 'pin_unqualified_version  dependencies durable  0.1.0'],
    ['dependencies', '@x/sdk', '0.1.0', 'pin_unqualified_version  dependencies @x/sdk  0.1.0'],
    ['devDependencies', '@x/spec', '>=0.2.0', 'pin_range_not_exact  devDependencies @x/spec  >=0.2.0'],
    ['optionalDependencies', '@x/spec', '*', 'pin_range_not_exact  optionalDependencies @x/spec  *'],
    ['overrides', '@x/spec', '0.1.0', 'pin_unqualified_version  overrides @x/spec  0.1.0'],
    ['resolutions', '**/@x/spec', '^0.2.0', 'pin_range_not_exact  resolutions @x/spec  ^0.2.0'],
    ['resolutions', 'helper/@x/spec', 'npm:0.1.0', 'pin_unqualified_version  resolutions @x/spec  0.1.0'],
    ['resolutions', '@x/spec@npm:^0.2.0', '0.1.0', 'pin_unqualified_version  resolutions @x/spec  0.1.0'],
  ] as const)('%s: %s %s', (section, name, range, problem) => {
    expect(told(reportOf({ manifest: exact(section, name, range) }))).toEqual([problem])
  })

  test.each([
    ['a peer, which somebody else installs', { peerDependencies: { '@x/sdk': '^0.2.0' } }],
    ['an override that takes the range of a dependency', { overrides: { helper: { '@x/spec': '$@x/spec' } } }],
    ['an exact override, nested', { overrides: { helper: { '@x/spec': { '.': '0.2.0' } } } }],
    [
      'an override of pnpm for older ones',
      { pnpm: { overrides: { '@x/spec@>0.1.0': '0.2.0', 'helper>@x/spec': '0.2.0' } } },
    ],
    ['a resolution of Yarn with its protocol', { resolutions: { '@x/spec': 'npm:0.2.0' } }],
  ])('%s is let be', (_what, changed) => {
    expect(told(reportOf({ manifest: { ...goodManifest, ...changed } }))).toEqual([])
  })

  test('an override that is nested is seen', () => {
    const overrides = { helper: { '@x/spec': { '.': '0.1.0' }, other: { '@x/sdk': '~0.2.0' } } }
    expect(told(reportOf({ manifest: { ...goodManifest, overrides } }))).toEqual([
      'pin_unqualified_version  overrides helper @x/spec @x/spec  0.1.0',
      'pin_range_not_exact  overrides helper other @x/sdk  ~0.2.0',
    ])
  })
})

describe('files that cannot be read', () => {
  const broken: readonly (readonly [Kind, string, (text: string) => string, string])[] = [
    ['npm-3', 'cut off', (text) => text.slice(0, -5), 'JSON'],
    ['npm-3', 'empty', () => '', 'Unexpected end'],
    ['npm-3', 'a merge that was not resolved', (text) => `<<<<<<< ours\n${text}`, 'merge'],
    [
      'npm-3',
      'a key twice',
      (text) => replaced(text, '"requires": true', '"requires": true, "requires": false'),
      'key requires twice',
    ],
    [
      'npm-3',
      'a package twice, its name written otherwise',
      (text) => replaced(text, '"node_modules/durable"', '"node_modules/\\u0040x/sdk"'),
      'key node_modules/@x/sdk twice',
    ],
    ['npm-3', 'a key __proto__', (text) => replaced(text, '"requires": true', '"__proto__": {}'), '__proto__'],
    [
      'npm-3',
      'version 1',
      (text) => replaced(text, '"lockfileVersion": 3', '"lockfileVersion": 1'),
      'lockfileVersion 1; known are 2 and 3',
    ],
    [
      'npm-3',
      'version 4',
      (text) => replaced(text, '"lockfileVersion": 3', '"lockfileVersion": 4'),
      'lockfileVersion 4',
    ],
    ['npm-3', 'no version', (text) => replaced(text, '"lockfileVersion": 3,', ''), 'lockfileVersion undefined'],
    ['npm-3', 'packages as a list', () => '{"lockfileVersion":3,"packages":[]}', 'packages is no object'],
    ['npm-3', 'no packages', () => '{"lockfileVersion":3}', 'packages is no object'],
    [
      'npm-3',
      'an entry that is no object',
      () => '{"lockfileVersion":3,"packages":{"node_modules/@x/spec":"0.2.0"}}',
      'is no object',
    ],
    [
      'npm-3',
      'a version that is no text',
      () => '{"lockfileVersion":3,"packages":{"node_modules/@x/spec":{"version":2}}}',
      'version is no text',
    ],
    [
      'npm-3',
      'a key with a stroke at its end',
      (text) => replaced(text, '"node_modules/durable"', '"node_modules/@x/spec/"'),
      'ends in no name',
    ],
    [
      'npm-3',
      'a key that goes back',
      (text) => replaced(text, '"node_modules/durable"', '"node_modules/a/../@x/spec"'),
      'ends in no name',
    ],
    [
      'npm-3',
      'a key with a dot',
      (text) => replaced(text, '"node_modules/durable"', '"node_modules/./@x/spec"'),
      'ends in no name',
    ],
    [
      'npm-3',
      'a key with a backslash',
      (text) => replaced(text, '"node_modules/durable"', '"node_modules/@x\\\\spec"'),
      'has strokes of another system',
    ],
    [
      'npm-3',
      'a key that another system reads as a path',
      (text) => replaced(text, '"node_modules/durable"', '"node_modules\\\\@x\\\\spec"'),
      'has strokes of another system',
    ],
    ['npm-2', 'a name for npm 6 that is a path', (text) => lastOf(text, '"durable"', '"@x/spec/"'), 'ends in no name'],
    ['npm-3', 'a text', () => '"lockfile"', 'the file is no object'],
    ['pnpm-9', 'a key twice', (text) => `${text}\nlockfileVersion: '9.0'\n`, 'unique'],
    ['pnpm-9', 'an alias', (text) => replaced(text, 'settings:', 'a: &a {}\nb: *a\nsettings:'), 'Alias'],
    ['pnpm-9', 'a tag', (text) => replaced(text, 'settings:', 'a: !evil x\nsettings:'), 'tag'],
    ['pnpm-9', 'a key __proto__', (text) => `${text}\n__proto__: {}\n`, '__proto__'],
    ['pnpm-9', 'a list as a key', (text) => `${text}\n? [a]\n: b\n`, 'key'],
    ['pnpm-9', 'version 5.4', (text) => replaced(text, "'9.0'", "'5.4'"), 'lockfileVersion 5.4; known are'],
    ['pnpm-9', 'no version', (text) => replaced(text, "lockfileVersion: '9.0'", ''), 'lockfileVersion none'],
    ['pnpm-9', 'empty', () => '', 'the file is empty'],
    ['pnpm-9', 'no YAML', (text) => `${text}\n  a: [`, ''],
    ['pnpm-9', 'a merge that was not resolved', (text) => `${text}\n=======\n`, 'merge'],
    ['yarn-1', 'empty', () => '', 'yarn lockfile v1'],
    ['yarn-1', 'version 2', (text) => replaced(text, '# yarn lockfile v1', '# yarn lockfile v2'), 'yarn lockfile v1'],
    ['yarn-1', 'a line that Yarn does not write', (text) => `${text}\nhelper@2.0.0\n`, 'is no line of a lockfile'],
    [
      'yarn-1',
      'a field before any entry',
      (text) => replaced(text, '"@x/engine@0.2.0":', '  version "1"\n"@x/engine@0.2.0":'),
      'is no line of a lockfile',
    ],
    ['yarn-1', 'a pattern twice', (text) => `${text}\n"@x/spec@0.2.0":\n  version "0.2.0"\n`, 'key @x/spec@0.2.0'],
    [
      'yarn-1',
      'a field twice',
      (text) => replaced(text, '  version "0.2.0"', '  version "0.2.0"\n  version "0.2.0"'),
      'key version',
    ],
    [
      'yarn-1',
      'a text that ends nowhere',
      (text) => replaced(text, '"@x/engine@0.2.0":', '"@x/engine@0.2.0\\u00":'),
      '',
    ],
    ['yarn-4', 'version 3', (text) => replaced(text, 'version: 10', 'version: 3'), 'version 3; known are'],
    ['yarn-4', 'two documents', (text) => `${text}\n---\na: b\n`, 'several documents'],
  ]
  test.each(broken)('%s: %s', (kind, _what, change, trouble) => {
    const { problems } = reportOf({ kind, lockfile: change(lockfileText(kind)), manifest: null })
    expect(problems.map(({ code }) => code)).toEqual(['pin_lockfile_unreadable'])
    expect(problems[0]?.facts).toMatchObject({ file: lockfileOf[kind], trouble: expect.stringContaining(trouble) })
  })

  test.each(['bun.lock', 'bun.lockb', 'deno.lock', 'shrinkwrap.yaml'])('%s is of an unknown kind', (name) => {
    const { problems } = reportOf({ files: { [`app/${name}`]: '{}' } })
    expect(problems.map(({ code, facts }) => `${code} ${facts.file}`)).toEqual([`pin_lockfile_unreadable app/${name}`])
  })

  test('a lockfile that cannot be read is one problem, and not one for each manifest that it covers', () => {
    const files = { 'app/package.json': JSON.stringify(goodManifest), 'app/yarn.lock': '' }
    expect(told(reportOf({ files }))).toEqual(['pin_lockfile_unreadable  app/yarn.lock  no `# yarn lockfile v1`'])
  })

  test('a manifest that is no JSON is told as well', () => {
    expect(told(reportOf({ files: { 'app/package.json': '{' } }))).toEqual([
      expect.stringMatching(/^pin_lockfile_unreadable {2}app\/package\.json/),
    ])
  })

  test('a file that is larger than any lockfile is not read', () => {
    const { folder: made, pins } = pinnedConsumer(folder)
    const huge = join(made, 'huge/yarn.lock')
    mkdirSync(join(made, 'huge'))
    writeFileSync(huge, '')
    truncateSync(huge, lockfileBytesMax + 1)
    expect(told(verifyPins(made, { pins }))).toEqual([
      `pin_lockfile_unreadable  huge/yarn.lock  ${lockfileBytesMax + 1} bytes; the limit is ${lockfileBytesMax}`,
    ])
  })

  test.each(['[', '{"a":'])('depth does not bring it down: %s', (open) => {
    const text = `{"lockfileVersion":3,"packages":${open.repeat(200_000)}`
    expect(told(reportOf({ lockfile: text, manifest: null }))).toEqual([
      expect.stringMatching(/^pin_lockfile_unreadable/),
    ])
  })

  test('depth in YAML does not bring it down', () => {
    const lockfile = `lockfileVersion: '9.0'\npackages: ${'['.repeat(50_000)}`
    const report = reportOf({ kind: 'pnpm-9', lockfile, manifest: null })
    expect(told(report)).toEqual([expect.stringMatching(/^pin_lockfile_unreadable/)])
  })
})

describe('where it looks', () => {
  test('nested folders are looked into; node_modules, .git and linked folders are not, and are told', () => {
    const evil = replaced(lockfileText('npm-3'), spec, otherIntegrity)
    const { folder: made, pins } = pinnedConsumer(folder, {
      files: { 'node_modules/a/package-lock.json': evil, '.git/package-lock.json': evil, 'a/b/c/package.json': '{}' },
    })
    mkdirSync(join(folder, 'elsewhere'))
    writeFileSync(join(folder, 'elsewhere/package-lock.json'), evil)
    symlinkSync(join(folder, 'elsewhere'), join(made, 'linked'))
    const report = verifyPins(made, { pins })
    expect(told(report)).toEqual([])
    expect(report.skipped).toEqual(['.git', 'linked', 'node_modules'])
    expect(report.manifests).toEqual(['a/b/c/package.json', 'package.json'])
    symlinkSync(join(folder, 'elsewhere/package-lock.json'), join(made, 'a/package-lock.json'))
    symlinkSync('nowhere', join(made, 'a/yarn.lock'))
    expect(told(verifyPins(made, { pins }))).toEqual([
      'pin_lockfile_unreadable  a/yarn.lock  a link that leads nowhere',
      mismatch(inNpm('@x/spec')),
    ])
  })
})

const variants: readonly Variant[] = ['good', 'second', 'members', 'local']
test('line ends of another system change nothing', () => {
  for (const variant of variants) {
    for (const kind of kinds) {
      if (kind === 'npm-2' && variant !== 'good' && variant !== 'second') continue
      const lockfile = lockfileText(kind, variant)
      const manifest = { name: 'consumer' }
      const unix = reportOf({ kind, lockfile, manifest })
      expect(reportOf({ kind, lockfile: lockfile.replaceAll('\n', '\r\n'), manifest })).toEqual(unix)
    }
  }
})

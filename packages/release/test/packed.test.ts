// The parts that judge a package, each by itself.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changelogEntry } from '../src/packed/changelog.ts'
import { leakScan } from '../src/packed/leaks.ts'
import { reachable, referenceScan } from '../src/packed/references.ts'
import { tiersOf } from '../src/packed/tiers.ts'
import { Refused } from '../src/refusal.ts'
import { channelOf } from '../src/stages/manifest.ts'

const leaks: readonly string[] = [
  'file:///build/run.ts',
  '/home/builder/run.ts',
  '"/Users/Jane.Doe/src/"',
  ' /root/.npm/x',
  'C:\\Users\\jane\\run.ts',
  '"C:\\\\Users\\\\jane"',
  'D:/Users/jane/run.ts',
  '/tmp/rel-clone-aB3dE6/clone/run.ts',
]

test.each(leaks)('%s is found, wherever a chunk ends', (leak) => {
  const content = Buffer.from(`const before = 1\n${leak}\nconst after = 2\n`)
  for (let end = 0; end <= content.length; end += 1) {
    const scan = leakScan()
    scan.take(content.subarray(0, end))
    scan.take(content.subarray(end))
    expect(scan.found(), `cut at ${end}`).toBeDefined()
  }
})

test('a find is told once, and the first one stays', () => {
  const scan = leakScan()
  for (const text of ['x ', '/home/first/', 'file:///second']) scan.take(Buffer.from(text))
  expect(scan.found()).toBe('/home/first/')
})

test.each([
  'https://example.org/home/page/',
  'https://example.org/Users/list/',
  './root/x',
  'routes/root/x',
  '/home',
  'file://host',
  'rel-clone-',
  'C:\\Windows',
])('%s is no folder of a build', (text) => {
  const content = Buffer.from(` ${text} ${'.'.repeat(300)}`)
  for (let end = 0; end <= content.length; end += 1) {
    const scan = leakScan()
    for (const part of [content.subarray(0, end), content.subarray(end)]) scan.take(part)
    scan.take(Buffer.from('end'))
    expect(scan.found(), `cut at ${end}`).toBeUndefined()
  }
})

test('code names files by imports, requires, URLs and maps; a declaration means declarations, too', () => {
  const content = Buffer.from(
    [
      'import { a } from "./a.js"',
      "export * from '../b.js'",
      'const c = require("./deep/c.cjs")',
      'await import(`./d.js`)',
      'new URL("./e.wasm", import.meta.url)',
      'import "outside"',
      '//# sourceMappingURL=index.js.map',
    ].join('\n'),
  )
  const named = ['b.js', 'dist/a.js', 'dist/d.js', 'dist/deep/c.cjs', 'dist/e.wasm', 'dist/index.js.map']
  for (let end = 0; end <= content.length; end += 1) {
    const scan = referenceScan('dist/index.js')
    scan.take(content.subarray(0, end))
    scan.take(content.subarray(end))
    expect([...scan.paths()], `cut at ${end}`).toEqual(expect.arrayContaining(named))
  }
  const declarations = referenceScan('dist/index.d.cts')
  declarations.take(Buffer.from("export { type Run } from './run.cjs'"))
  expect([...declarations.paths()]).toEqual(expect.arrayContaining(['dist/run.d.cts']))
})

test('what can be reached is followed through circles', () => {
  const names = (...paths: readonly string[]): ReadonlySet<string> => new Set(paths)
  const references = new Map([
    ['a', names('b', 'gone')],
    ['b', names('a', 'c')],
    ['d', names('e')],
  ])
  expect([...reachable(['a'], references)].toSorted()).toEqual(['a', 'b', 'c', 'gone'])
})

test('a package stands one tier above the highest that it needs', () => {
  const needs = new Map([
    ['top', ['middle', 'low']],
    ['middle', ['low']],
    ['low', []],
    ['beside', []],
  ])
  expect(Object.fromEntries(tiersOf(needs))).toEqual({ low: 0, beside: 0, middle: 1, top: 2 })
})

test('tiers rise along every dependency, and only circles are refused', () => {
  const graph = fc.uniqueArray(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20 })
  fc.assert(
    fc.property(graph, (edges) => {
      const needs = new Map(
        Array.from({ length: 8 }, (_, one): [string, string[]] => [
          `${one}`,
          edges.filter(([from]) => from === one).map(([, to]) => `${to}`),
        ]),
      )
      const hasCircle = [...needs.keys()].some((one) =>
        [...(needs.get(one) ?? [])].some((need) => reachable([need], setsOf(needs)).has(one)),
      )
      if (hasCircle) {
        expect(() => tiersOf(needs)).toThrow(Refused)
        return
      }
      const tiers = tiersOf(needs)
      for (const [one, others] of needs) {
        expect(tiers.get(one)).toBe(Math.max(-1, ...others.map((other) => tiers.get(other) ?? Number.NaN)) + 1)
      }
    }),
  )
})

const setsOf = (needs: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([...needs].map(([one, others]) => [one, new Set(others)]))

test.each([
  ['1.2.3', 'stable'],
  ['1.2.3-rc.0', 'rc'],
  ['1.2.3-rc', 'rc'],
  ['1.2.3-rcx.0', 'dev'],
  ['1.2.3-dev.4', 'dev'],
  ['1.2.3-beta-rc.1', 'dev'],
] as const)('%s is of the channel %s', (version, channel) => {
  expect(channelOf(version)).toBe(channel)
})

test('an entry goes from its heading to the next version; its digest is of nothing else', () => {
  const entry = (before: string, after: string) =>
    changelogEntry('@x/spec', '1.2.3', `${before}## 1.2.3\n\n### Patch Changes\n\n- One,\n  in two lines.\n\n${after}`)
  const alone = entry('', '')
  expect(alone.contentLines).toBe(2)
  expect(entry('# @x/spec\n\n', '## 1.2.2\n\n- It began.\n')).toEqual(alone)
  expect(entry('## 1.2.30\n\n- Other.\n\n', '')).toEqual(alone)
  const changed = changelogEntry('@x/spec', '1.2.3', '## 1.2.3\n\n- Two,\n  in two lines.\n')
  expect(changed.entrySha256).not.toBe(alone.entrySha256)
})

test('changesets says that there is nothing to say, which is visible', () => {
  const text = '# @x/spec\n\n## 1.2.3\n\nNo changes in this release.\n\n## 1.2.2\n'
  expect(changelogEntry('@x/spec', '1.2.3', text).contentLines).toBe(1)
})

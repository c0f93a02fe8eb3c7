import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Published } from './published.ts'
import { publishedManifest } from './published-manifest.ts'

/** A package of this workspace, as far as its manifest goes. */
function published(changes: Readonly<Record<string, unknown>> = {}, hasCommonJs = true): Published {
  return {
    name: '@x/client',
    path: 'packages/client',
    folder: '/nowhere',
    manifest: new Map(
      Object.entries({
        name: '@x/client',
        version: '1.2.3',
        license: 'MIT',
        type: 'module',
        scripts: { postinstall: 'node surprise.js' },
        publishConfig: { registry: 'elsewhere' },
        files: ['dist'],
        exports: { '.': { source: './src/index.ts', types: './dist/index.d.ts' } },
        dependencies: { '@x/codec': 'workspace:*', ms: '^2.1.3' },
        devDependencies: { vitest: '1.0.0' },
        ...changes,
      }),
    ),
    entries: new Map([
      ['.', 'index'],
      ['./worker', 'worker'],
    ]),
    programs: new Map(),
    hasCommonJs,
    bundled: [],
    needs: ['@x/codec'],
  }
}

const versions = new Map([['@x/codec', '1.2.3']])

test('consumers get no source condition, types for each way of loading, exact versions, and no script', () => {
  const both = (entry: string) => ({
    import: { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
    require: { types: `./dist/${entry}.d.cts`, default: `./dist/${entry}.cjs` },
  })
  expect(publishedManifest(published(), versions)).toEqual({
    name: '@x/client',
    version: '1.2.3',
    license: 'MIT',
    type: 'module',
    exports: { '.': both('index'), './worker': both('worker') },
    files: ['dist'],
    dependencies: { '@x/codec': '1.2.3', ms: '^2.1.3' },
  })
})

test('a release names its commit after the license; without one nothing stands there', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567'
  const named = publishedManifest(published(), versions, commit)
  expect(Object.keys(named).slice(0, 4)).toEqual(['name', 'version', 'license', 'gitHead'])
  expect(named.gitHead).toBe(commit)
  expect(publishedManifest(published(), versions)).not.toHaveProperty('gitHead')
})

test('the changelog is among the files where there is one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'published-'))
  try {
    writeFileSync(join(folder, 'CHANGELOG.md'), '# @x/client\n')
    expect(publishedManifest({ ...published(), folder }, versions).files).toEqual(['dist', 'CHANGELOG.md'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what has no CommonJS says so by one default', () => {
  expect(publishedManifest(published({}, false), versions).exports).toEqual({
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './worker': { types: './dist/worker.d.ts', default: './dist/worker.js' },
  })
})

test.each([
  [{ '@x/codec': 'workspace:^' }, versions, '@x/client needs @x/codec workspace:^; write workspace:*'],
  [{ '@x/codec': 'workspace:*' }, new Map(), '@x/client needs @x/codec, which is not published'],
  [{ '@x/codec': 'workspace:*' }, new Map([['@x/codec', '1.2.2']]), '@x/client 1.2.3 needs @x/codec 1.2.2'],
])('dependencies %j beside %j are refused', (dependencies, beside, sentence) => {
  expect(() => publishedManifest(published({ dependencies }), beside)).toThrow(sentence)
})

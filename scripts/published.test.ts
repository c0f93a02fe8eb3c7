import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import parseChangeset from '@changesets/parse'
import { expect, test } from 'vitest'
import { chosenPackages, fields, publishedPackages, root } from './published.ts'

const packages = publishedPackages()
const place = (name: string): number => packages.findIndex((one) => one.name === name)

test('what is published is what changesets keeps at one version', async () => {
  const { default: config } = await import('../.changeset/config.json', { with: { type: 'json' } })
  expect(config.fixed.map((group) => group.toSorted())).toEqual([packages.map(({ name }) => name).toSorted()])
})

test.each(globSync('.changeset/*.md', { cwd: root }))(
  '%s is read by changesets and names what is published',
  (file) => {
    const { releases, summary } = parseChangeset(readFileSync(join(root, file), 'utf8'))
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(releases.map(({ name }) => name)))
    expect(releases).not.toEqual([])
    expect(summary).not.toBe('')
  },
)

test('each package comes after those it needs', () => {
  for (const { name, needs } of packages) {
    for (const need of needs) expect(place(need), `${need} before ${name}`).toBeLessThan(place(name))
  }
})

test('what is published has one version', () => {
  expect(new Set(packages.map(({ manifest }) => manifest.get('version'))).size).toBe(1)
})

test('entries are read from the source condition, CommonJS from require', () => {
  const sdk = packages[place('@durable-workflow/sdk')]
  expect(sdk).toMatchObject({ path: 'packages/sdk', hasCommonJs: true, programs: new Map() })
  expect([...(sdk?.entries ?? [])]).toEqual(
    expect.arrayContaining([
      ['.', 'index'],
      ['./worker', 'worker'],
      ['./client', 'client'],
      ['./replay', 'replay'],
    ]),
  )
})

test('a program of apps/ is published with its entries', () => {
  expect(packages[place('@durable-workflow/server-app')]).toMatchObject({
    path: 'apps/server',
    hasCommonJs: false,
    entries: new Map([['.', 'serve']]),
    programs: new Map([['durable-workflow-server', 'main']]),
  })
})

test('what is bundled is a development dependency: nobody installs it, and its version is exact', () => {
  const bundling = packages.filter(({ bundled }) => bundled.length > 0)
  expect(bundling.map(({ path }) => path)).toEqual(['packages/release'])
  for (const { bundled, manifest } of bundling) {
    const pinned = fields(manifest.get('devDependencies'))
    for (const name of bundled) expect(pinned.get(name), name).toMatch(/^\d+\.\d+\.\d+$/)
    expect(manifest.has('dependencies')).toBe(false)
  }
})

test.each(['sdk', 'packages/sdk', '@durable-workflow/sdk'])('%s names one package', (word) => {
  expect(chosenPackages([word]).map(({ name }) => name)).toEqual(['@durable-workflow/sdk'])
})

test('a word that names no package is refused with the ones that there are', () => {
  expect(() => chosenPackages(['sdc'])).toThrow(/^sdc is not published; there are .*packages\/sdk/)
})

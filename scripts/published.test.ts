import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import parseChangeset from '@changesets/parse'
import { expect, test } from 'vitest'
import { publishedPackages, root } from './published.ts'

const packages = publishedPackages()
const place = (name: string): number => packages.findIndex((one) => one.name === `@durable-workflow/${name}`)

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
    for (const need of needs)
      expect(place(need.split('/')[1] ?? ''), `${need} before ${name}`).toBeLessThan(
        packages.findIndex((one) => one.name === name),
      )
  }
})

test('entries are read from the source condition', () => {
  expect(packages[place('sdk')]?.entries).toEqual(
    new Map([
      ['.', 'index'],
      ['./worker', 'worker'],
      ['./client', 'client'],
      ['./replay', 'replay'],
    ]),
  )
})

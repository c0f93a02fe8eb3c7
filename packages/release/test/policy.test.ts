// The policy of this repository, held against the repository.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readPolicy } from '../src/policy.ts'

const root = join(import.meta.dirname, '../../..')
const { policy } = readPolicy(join(root, 'release.policy.json'))

const manifestIn = (folder: string): ReadonlyMap<string, unknown> => {
  const value: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

test('its packages are those that are not private, in their folders', () => {
  const published = globSync('{packages,apps}/*/package.json', { cwd: root })
    .map(dirname)
    .filter((folder) => manifestIn(folder).get('private') !== true)
    .map((folder) => [`${manifestIn(folder).get('name')}`, folder])
  expect(published.length).toBeGreaterThan(0)
  expect(policy.packages).toEqual(Object.fromEntries(published))
})

test('its packages are those that changesets keeps at one version', () => {
  const config: unknown = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8'))
  expect(config).toMatchObject({ fixed: [expect.arrayContaining(Object.keys(policy.packages))] })
  expect(Object.keys(policy.packages)).toHaveLength(9)
})

test('it packs with what the repository pins', () => {
  const packer = `${manifestIn('.').get('packageManager')}`
  expect(policy.pack.packer).toContain(packer)
  expect(policy.pack.install).toContain(packer)
})

test('the lines of its protocol are released', () => {
  const index: unknown = JSON.parse(readFileSync(join(root, policy.protocol.released, 'index.json'), 'utf8'))
  const documents = Object.entries(policy.protocol.lines).flatMap(([line, versions]) =>
    versions.split(' ').map((version) => `${line}-${version}`),
  )
  expect(documents.length).toBeGreaterThan(1)
  expect(Object.keys(Object(index))).toEqual(expect.arrayContaining(documents))
})

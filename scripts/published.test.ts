import { expect, test } from 'vitest'
import { publishedPackages } from './published.ts'

const packages = publishedPackages()
const place = (name: string): number => packages.findIndex((one) => one.name === `@durable-workflow/${name}`)

test('what is published is what changesets keeps at one version', async () => {
  const { default: config } = await import('../.changeset/config.json', { with: { type: 'json' } })
  expect(config.fixed.map((group) => group.toSorted())).toEqual([packages.map(({ name }) => name).toSorted()])
})

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
    ]),
  )
})

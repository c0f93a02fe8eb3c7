import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSettings, readConfig } from '../src/config.ts'
import { informationFor } from '../src/information.ts'

const folder = join(import.meta.dirname, '..')
const readme = readFileSync(join(folder, 'README.md'), 'utf8')

test('the table of README.md says of each setting what the program says', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| (\S+) +\| (.+?) +\|$/gm)].map(([, name, value, meaning]) => ({
    name,
    value,
    meaning,
  }))
  expect(rows).toEqual(
    describeSettings().map(({ name, default: value, meaning }) => ({
      name,
      value: value === undefined ? '–' : `\`${value}\``,
      meaning,
    })),
  )
})

test('--help names every setting, its argument and its default', () => {
  const text = informationFor(['--help']) ?? ''
  expect(text).toContain('Usage: durable-workflow-server [')
  for (const { name, argument, default: value } of describeSettings()) {
    expect(text).toMatch(new RegExp(`^  ${argument} +${name}${value === undefined ? '' : ` \\(${value}\\)`}$`, 'm'))
  }
})

test('each argument of the help is taken', () => {
  const fitting: Readonly<Record<string, string>> = {
    '--worker-token': 'token-1',
    '--operator-token': 'token-1-2',
    '--admin-token': 'token-1-2-3',
    '--auth-token': 'token-of-all',
  }
  const args = describeSettings().flatMap(({ argument, default: value }) => [
    argument,
    value ?? `${fitting[argument]}-long`,
  ])
  expect(readConfig({ args }).tokens).toHaveLength(4)
})

test('--version is the version of the package', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ version: informationFor(['--version']) })
})

test('without a question there is no information: the program starts', () => {
  expect(informationFor(['--port', '0'])).toBeUndefined()
})

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanTree, fixtures } from './fixtures.ts'

const configFile = join(import.meta.dirname, '../../dependency-cruiser.config.mjs')
const entriesOf: Readonly<Record<string, readonly string[]>> = {
  protocol: ['index', 'validators', 'client', 'stub'],
  engine: ['index', 'ports'],
  sdk: ['index', 'worker', 'client', 'replay'],
}
const thirdParty = ['zod', 'fastify', 'kysely', 'undici', 'ms']
const options = await extractOptions(configFile)
let base = ''

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'walls-'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** A workspace as pnpm lays it out: packages named through links, opened by the export condition `source`. */
function layOut(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(base, name)
  for (const [path, text] of Object.entries({ ...cleanTree, ...files })) write(root, path, text)
  for (const name of ['protocol', 'codec', 'engine', 'store-sql', 'server', 'sdk']) {
    const exports = Object.fromEntries(
      (entriesOf[name] ?? ['index']).map((entry) => [
        entry === 'index' ? '.' : `./${entry}`,
        { source: `./src/${entry}.ts`, import: `./dist/${entry}.js` },
      ]),
    )
    write(root, `packages/${name}/package.json`, JSON.stringify({ name: `@durable-workflow/${name}`, exports }))
    mkdirSync(join(root, 'node_modules/@durable-workflow'), { recursive: true })
    symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@durable-workflow', name))
  }
  for (const name of thirdParty) {
    write(root, `node_modules/${name}/package.json`, JSON.stringify({ name, exports: './index.js' }))
    write(root, `node_modules/${name}/index.js`, '')
  }
  return root
}

interface Violation {
  rule: string
  from: string
  to: string
}

async function violationsIn(root: string): Promise<Violation[]> {
  const report = await cruise(['.'], { ...options, baseDir: root, exclude: undefined })
  if (typeof report.output === 'string') throw new Error(`the cruiser answered with text: ${report.output}`)
  return report.output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
}

describe('walls (house §4)', () => {
  test('the clean tree keeps every wall', async () => {
    expect(await violationsIn(layOut('clean', {}))).toEqual([])
  })

  test.each(fixtures.map((fixture, position) => ({ ...fixture, position })))(
    '$rule names $breaks',
    async ({ rule, files, position }) => {
      const violations = await violationsIn(layOut(`${position}-${rule}`, files))
      expect([...new Set(violations.map((violation) => violation.rule))], JSON.stringify(violations)).toEqual([rule])
    },
  )

  test('every rule has a fixture that breaks it', () => {
    const rules = new Set(options.ruleSet?.forbidden?.map(({ name }) => name))
    expect(new Set(fixtures.map(({ rule }) => rule))).toEqual(rules)
  })
})

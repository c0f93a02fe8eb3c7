import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acceptedSurface, surfaceDifferences, surfaceOf } from './surface-files.ts'

const path = 'packages/codec/api/index.d.ts'

test('a surface that is as it was accepted has no difference', () => {
  expect(acceptedSurface().size).toBeGreaterThan(10)
  expect(surfaceDifferences(acceptedSurface())).toEqual([])
})

test('a name that came or went is shown with the file and the line', () => {
  const accepted = acceptedSurface()
  const text = accepted.get(path) ?? ''
  const [lost] = /^export \{.*\};$/m.exec(text) ?? ['']
  const changed = text.replace(lost, 'export { somethingElse };')
  const differences = surfaceDifferences(new Map([...accepted, [path, changed]]))
  expect(differences).toHaveLength(1)
  expect(differences[0]?.split('\n')).toEqual(
    expect.arrayContaining([`${path} differs (- accepted, + now):`, `-${lost}`, '+export { somethingElse };']),
  )
})

test('an entry that is new has no file yet; the file of one that is no more is stale', () => {
  const accepted = new Map(acceptedSurface())
  accepted.delete(path)
  accepted.set('packages/codec/api/other.d.ts', 'export {};\n')
  expect(surfaceDifferences(accepted)).toEqual([
    `${path} is of no published entry any more`,
    'packages/codec/api/other.d.ts is missing',
  ])
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surface-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('an entry is rolled up: docstrings stay, what it does not reach goes, what is generated is named', async () => {
  const built = {
    'dist/index.d.ts': "export { open } from './open.js';\nexport type { Wire } from './generated/wire.js';\n",
    'dist/open.d.ts':
      "import type { Wire } from './generated/wire.js';\n/** Opens. */\nexport declare function open(wire: Wire): void;\nexport declare function secret(): void;\n",
    'dist/generated/wire.d.ts': 'export interface Wire { long: string }\n',
  }
  for (const [name, text] of Object.entries(built)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const one = {
    name: '@x/store',
    path: 'packages/store',
    folder,
    manifest: new Map(),
    entries: new Map([['.', 'index']]),
    programs: new Map(),
    hasCommonJs: true,
    bundled: [],
    needs: [],
  }
  const files = ['dist/chunk-AB12CD34.js', 'dist/chunk-0A12CD34.cjs', 'dist/index.d.ts', 'package.json']
  const tarball = { name: '@x/store', version: '1.0.0', file: '', files, bytes: 0, sha256: '' }
  const surface = await surfaceOf([{ one, folder }], [tarball])
  expect([...surface.keys()]).toEqual(['packages/store/api/index.d.ts', 'packages/store/api/files.txt'])
  const text = surface.get('packages/store/api/index.d.ts')
  expect(text).toContain('`@x/store`')
  expect(text).toContain('/** Opens. */\ndeclare function open(wire: Wire): void;')
  expect(text).toContain("from './generated/wire.js'")
  expect(text).not.toMatch(/secret|interface Wire/)
  expect(surface.get('packages/store/api/files.txt')).toBe(
    'dist/chunk-*.cjs\ndist/chunk-*.js\ndist/index.d.ts\npackage.json\n',
  )
})

// What is installed is known by its bytes: trees of folders, copies, links.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { executedOf, installedCopies, treeOfFolder, treeOfSet } from '../src/acceptance/identity.ts'
import { sha256 } from '../src/canonical.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'identity-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  chmodSync(join(folder, path), mode)
}

const line = (mode: string, content: string, path: string) => `${mode} ${content.length} ${sha256(content)} ${path}\n`

test('a tree is the digest of mode, size, sha256 and path of every file, in byte order', () => {
  write('p/package.json', '{}')
  write('p/dist/main.js', 'go()', 0o755)
  write('p/dist.txt', 'x', 0o600)
  const lines =
    line('0644', 'x', 'dist.txt') + line('0755', 'go()', 'dist/main.js') + line('0644', '{}', 'package.json')
  expect(treeOfFolder(join(folder, 'p'))).toBe(sha256(lines))
})

test.each([
  ['an edited byte', () => write('p/a.js', 'B')],
  ['another file', () => write('p/b.js', '')],
  ['a file that became a program', () => write('p/a.js', 'A', 0o755)],
  [
    'a file that became a link to the same bytes',
    () => {
      write('elsewhere.js', 'A')
      rmSync(join(folder, 'p/a.js'))
      symlinkSync('../elsewhere.js', join(folder, 'p/a.js'))
    },
  ],
])('%s is another tree', (_, change) => {
  write('p/a.js', 'A')
  const before = treeOfFolder(join(folder, 'p'))
  change()
  expect(treeOfFolder(join(folder, 'p'))).not.toBe(before)
})

test('packages that are installed below a package are no part of it', () => {
  write('p/a.js', 'A')
  const before = treeOfFolder(join(folder, 'p'))
  write('p/node_modules/q/index.js', '')
  expect(treeOfFolder(join(folder, 'p'))).toBe(before)
})

test('every copy is found: at the root, below another package, below a scope, and as a link', () => {
  write('c/node_modules/@x/sdk/index.js', 'sdk')
  write('c/node_modules/y/node_modules/@x/sdk/index.js', 'old')
  write('c/node_modules/@z/y/node_modules/@x/sdk/index.js', 'sdk')
  write('checkout/engine/index.js', 'engine')
  symlinkSync('../../../checkout/engine', join(folder, 'c/node_modules/@x/engine'))
  const copies = installedCopies(join(folder, 'c'), ['@x/engine', '@x/sdk'])
  expect(copies.map(({ name, realPath }) => [name, realPath]).toSorted()).toEqual([
    ['@x/engine', '../checkout/engine'],
    ['@x/sdk', 'node_modules/@x/sdk'],
    ['@x/sdk', 'node_modules/@z/y/node_modules/@x/sdk'],
    ['@x/sdk', 'node_modules/y/node_modules/@x/sdk'],
  ])
  expect(new Set(copies.map(({ treeSha256 }) => treeSha256)).size).toBe(3)
})

test('a copy that came or went between two looks has the digest of nothing at that time', () => {
  const one = { name: '@x/sdk', realPath: 'node_modules/@x/sdk', treeSha256: sha256('1') }
  const link = { ...one, realPath: '../checkout/sdk' }
  expect(executedOf([one], [link])).toEqual([
    { name: '@x/sdk', realPath: '../checkout/sdk', treeSha256Before: sha256(''), treeSha256After: sha256('1') },
    { name: '@x/sdk', realPath: 'node_modules/@x/sdk', treeSha256Before: sha256('1'), treeSha256After: sha256('') },
  ])
})

test('the digest of a set does not depend on the order in which it is read', () => {
  const trees = ['a', 'b', 'c'].map((name) => ({ name, treeSha256: sha256(name) }))
  expect(treeOfSet(trees.toReversed())).toBe(treeOfSet(trees))
  expect(treeOfSet(trees.slice(1))).not.toBe(treeOfSet(trees))
})

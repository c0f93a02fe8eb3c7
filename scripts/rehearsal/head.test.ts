import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPolicy } from '../../packages/release/src/index.ts'
import { publishedPackages, root } from '../published.ts'
import { adaptPolicy, cloneHead, consumeChangesets, git, policyFile } from './head.ts'

let folder = ''
let head = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rehearsal head-'))
  head = join(folder, 'head')
  cloneHead(head, [])
})
afterAll(() => rmSync(folder, { recursive: true }))

const changesets = () => readdirSync(join(head, '.changeset')).filter((file) => /^(?!README).*\.md$/.test(file))
const versions = () =>
  new Set(
    publishedPackages().map(({ path }) => JSON.parse(readFileSync(join(head, path, 'package.json'), 'utf8')).version),
  )

test('the clone is at the commit of the checkout, on a branch main, and clean', () => {
  expect(git(head, 'rev-parse', 'HEAD')).toBe(git(root, 'rev-parse', 'HEAD'))
  expect(git(head, 'branch', '--show-current')).toBe('main')
  expect(git(head, 'status', '--porcelain')).toBe('')
})

test('what differs from the commit here is committed there', () => {
  cloneHead(head, ['package.json'])
  expect(git(head, 'status', '--porcelain')).toBe('')
  expect(readFileSync(join(head, 'package.json'))).toEqual(readFileSync(join(root, 'package.json')))
})

test('changesets are consumed: one version for the whole set, a changelog each, nothing left over', () => {
  const [before] = versions()
  consumeChangesets(head)
  expect(changesets()).toEqual([])
  expect(versions().size).toBe(1)
  const [after] = versions()
  expect(after).not.toBe(before)
  expect(readFileSync(join(head, 'packages/release/CHANGELOG.md'), 'utf8')).toContain(`## ${after}\n`)
  expect(existsSync(join(head, 'node_modules'))).toBe(false)
  expect(git(head, 'status', '--porcelain')).toBe('')
})

test('without any changeset it is the next patch version', () => {
  const [before = ''] = versions()
  consumeChangesets(head)
  const [major, minor, patch] = before.split('.').map(Number)
  expect([...versions()]).toEqual([`${major}.${minor}.${Number(patch) + 1}`])
})

test('the policy knows the keys of the rehearsal only, and the databases that are there', () => {
  const key = (id: string) => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const encoded = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    return { id, person: id, role: 'rehearsal', publicKey: encoded }
  }
  adaptPolicy(head, [key('one'), key('other')], 'one', ['sqlite'])
  const { policy } = readPolicy(join(head, policyFile))
  expect(policy.approval.keys.map(({ id }) => id)).toEqual(['one', 'other'])
  expect(policy.approval.producers).toEqual(['one'])
  expect(policy.acceptance.databases).toEqual(['sqlite'])
  expect(policy.acceptance.peers).toEqual(['node', 'server', 'sqlite'])
  expect(git(head, 'status', '--porcelain')).toBe('')
})

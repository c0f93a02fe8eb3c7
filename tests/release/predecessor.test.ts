// The predecessor that is broken on purpose: its maker changes what it declares, or fails.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '../../scripts/published.ts'

const run = promisify(execFile)
const code = 'function settlementOfWorkflowTask(reply, claim) {\n  return 1\n}\n'
const edit = 'worker-dies-on-receipt'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'predecessor-test-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function pack(version: string, js: string, cjs = js): Promise<void> {
  await mkdir(join(folder, 'package/dist'), { recursive: true })
  await mkdir(join(folder, 'tarballs'), { recursive: true })
  const dependencies = { '@durable-workflow/codec': version, ms: version }
  const manifest = { name: '@durable-workflow/sdk', version, dependencies }
  await writeFile(join(folder, 'package/package.json'), JSON.stringify(manifest, null, 2))
  await writeFile(join(folder, 'package/dist/worker.js'), js)
  await writeFile(join(folder, 'package/dist/worker.cjs'), cjs)
  await run('tar', ['-czf', join(folder, `tarballs/durable-workflow-sdk-${version}.tgz`), '-C', folder, 'package'])
}

const make = (...words: readonly string[]) =>
  run(process.execPath, [
    join(root, 'tests/acceptance/predecessor.ts'),
    join(folder, 'tarballs'),
    join(folder, 'out'),
    ...words,
  ])

async function made(path: string): Promise<string> {
  const [file = ''] = await readdir(join(folder, 'out'))
  await mkdir(join(folder, 'unpacked'))
  await run('tar', ['-xzf', join(folder, 'out', file), '-C', join(folder, 'unpacked')])
  return await readFile(join(folder, 'unpacked/package', path), 'utf8')
}

test.each([
  ['1.2.3', '1.2.3-0.before'],
  ['1.2.3-rc.1', '1.2.3-0.before'],
])('of %s it is %s, with exact versions of the set and no other changed', async (version, lower) => {
  await pack(version, code)
  await make(version)
  expect(await readdir(join(folder, 'out'))).toEqual([`durable-workflow-sdk-${lower}.tgz`])
  expect(JSON.parse(await made('package.json'))).toEqual({
    name: '@durable-workflow/sdk',
    version: lower,
    dependencies: { '@durable-workflow/codec': lower, ms: version },
  })
})

test('P-53 with the edit, no refusal is a receipt any more; without it, the code is that of the release', async () => {
  await pack('1.2.3', code)
  await make('1.2.3', edit)
  expect(await made('dist/worker.js')).toContain('claim) { return undefined;')
  await rm(join(folder, 'out'), { recursive: true })
  await rm(join(folder, 'unpacked'), { recursive: true })
  await make('1.2.3')
  expect(await made('dist/worker.js')).toBe(code)
})

test.each([
  ['the code is no more there', '', code],
  ['the code is there twice', `${code}${code}`, code],
  ['it is gone in one of the two builds', code, ''],
])('P-53 where %s, it fails and says so', async (_, js, cjs) => {
  await pack('1.2.3', js, cjs)
  await expect(make('1.2.3', edit)).rejects.toThrow(/declare the edit anew/)
})

test.each([
  ['an edit that nobody declared', ['1.2.3', 'another'], /no edit another/],
  ['a version that is not there', ['1.2.4'], /no tarball of version 1\.2\.4/],
])('it fails on %s', async (_, words, says) => {
  await pack('1.2.3', code)
  await expect(make(...words)).rejects.toThrow(says)
})

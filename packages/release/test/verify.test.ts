// `rel verify DIR` and `rel check`: what a stranger, and a gate, are told.
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalText } from '../src/canonical.ts'
import { journalFile, tupleFile } from '../src/evidence.ts'
import type { Policy } from '../src/policy.ts'
import { Refused } from '../src/refusal.ts'
import { publicKeyOf } from '../src/sign.ts'
import { approve } from '../src/stages/approve.ts'
import { appendTuple } from '../src/stages/tuple.ts'
import { verifyEvidence } from '../src/stages/verify.ts'
import { filesBelow, writeSums } from '../src/sums.ts'
import { rel } from './kit/rel.ts'
import { inScene, publishIn, readbackIn } from './kit/scenes.ts'
import { makeWorld, type World } from './kit/world.ts'
import { recordDetails } from './kit/world-details.ts'
import { writeTuple } from './kit/world-tuple.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let names = 0
const fresh = (): string => join(folder, `${names++}`)

/** A release that went the whole way; tests leave it as they found it. */
let finished: World
beforeAll(async () => {
  finished = await makeWorld(fresh())
  writeTuple(finished)
})

/** The code of the refusal; null where the folder is in order. Anything else thrown is a failure of the test. */
async function codeOf(at: string, trusted?: Policy): Promise<string | null> {
  try {
    await verifyEvidence(at, trusted)
    return null
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}

test('a whole folder: what was checked, line by line, and how far the release has come', async () => {
  const { releaseId } = finished.evidence()
  expect(await rel(['verify', finished.folder])).toEqual({
    exit: 0,
    err: [],
    out: [
      `release ${releaseId}`,
      'files          14  as SHA256SUMS says, and no others',
      'tarballs        3  those of the manifest, file by file (19 files)',
      'records         5  of this release, chained from the manifest on',
      'inputs         14  earlier records, or files of this folder',
      'raw results     2  those of the acceptance, which was judged again',
      'signatures      1  right, by keys of the policy in the folder',
      'tuple           1  that of the manifest and the records',
      'state: verified',
    ],
  })
})

test.each([
  ['manifest', 'manifested'],
  ['reproduction', 'reproduced'],
  ['acceptance', 'accepted'],
  ['approval', 'approved'],
  ['publication', 'published'],
] as const)('a folder until the stage %s is in order, and called %s', async (until, state) => {
  const { folder: at } = await makeWorld(fresh(), { until })
  const { exit, out } = await rel(['verify', at, '--json'])
  expect(exit).toBe(0)
  expect(JSON.parse(out.join(''))).toMatchObject({ ok: true, state, hasTuple: false })
})

test('what the stages themselves wrote, from the approval to the tuple, is in order', async () => {
  const at = fresh()
  mkdirSync(at)
  await inScene(at, { until: 'acceptance' }, async (scene) => {
    const { world, ledger, registry } = scene
    const { context, keys, policy, policySha256, evidence, distTag } = world
    const read = { policy, sha256: policySha256 }
    await approve(context, {
      evidence: evidence(),
      policy: read,
      privateKey: keys.alice.privateKey,
      registry: registry.url,
      distTag,
    })
    await publishIn(scene, { dryRun: true })
    await publishIn(scene)
    const { packages } = evidence().manifest
    const entries = packages.map(({ name, file }) => [
      `node_modules/${name}`,
      { integrity: file.sha512, resolved: `${registry.url}${file.name}` },
    ])
    const lockfile = { packages: Object.fromEntries(entries) }
    await readbackIn(scene, { install: async () => ({ exit: 0, code: null, lockfile }) })
    appendTuple(context, world.folder, ledger)
    writeSums(world.folder)
    const verified = await verifyEvidence(world.folder, policy)
    expect(verified).toMatchObject({ state: 'verified', hasTuple: true, records: 6, signatures: 1 })
    expect(filesBelow(world.folder)).toContain(journalFile)
  })
})

test('a journal whose publisher died is bound as far as a record repeats it, and all of it after the end', async () => {
  const world = await makeWorld(fresh(), { until: 'approval' })
  const details = recordDetails(world).publication()
  const write = (lines: typeof details.journal): void => {
    writeFileSync(join(world.folder, journalFile), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    writeSums(world.folder)
  }
  write(details.journal.slice(0, 1))
  expect((await verifyEvidence(world.folder)).state).toBe('publishing')
  await world.append('publication', details)
  write(details.journal)
  expect((await verifyEvidence(world.folder)).state).toBe('published')
  write([...details.journal, ...details.journal])
  expect(await codeOf(world.folder)).toBe('record_release_mismatch')
})

test('what a program left that died is said by its name', async () => {
  const { folder: at } = await makeWorld(fresh(), { until: 'approval' })
  writeFileSync(join(at, 'records/0004-publication.json.1f.draft'), '{')
  writeSums(at)
  const { exit, err } = await rel(['verify', at])
  expect(exit).toBe(10)
  expect(err.join('\n')).toContain('(path records/0004-publication.json.1f.draft)')
})

const changedKeys = (change: (keys: Policy['approval']['keys']) => Partial<Policy['approval']>): Policy => ({
  ...finished.policy,
  approval: { ...finished.policy.approval, ...change(finished.policy.approval.keys) },
})
const strangeKey = (): string =>
  publicKeyOf(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())

test.each([
  ['the same', () => finished.policy, null],
  ['one with more keys', () => changedKeys((keys) => ({ keys: [...keys, ...keys] })), null],
  [
    'one without alice',
    () => changedKeys((keys) => ({ keys: keys.filter(({ id }) => id !== 'alice') })),
    'approval_key_unknown',
  ],
  [
    'one where alice has another key',
    () => changedKeys((keys) => ({ keys: keys.map((key) => ({ ...key, publicKey: strangeKey() })) })),
    'approval_signature_invalid',
  ],
  ['one where alice produces', () => changedKeys(() => ({ producers: ['Alice'] })), 'approval_self'],
  ['one that asks for two persons', () => changedKeys(() => ({ threshold: 2 })), 'approval_threshold_unmet'],
] as const)('with a trusted policy, %s: %s', async (_, trusted, code) => {
  expect(await codeOf(finished.folder, trusted())).toBe(code)
})

test('the trusted policy comes from a file, and the answer says that both were asked', async () => {
  const policy = fresh()
  writeFileSync(policy, canonicalText(finished.policy))
  const { exit, out } = await rel(['verify', finished.folder, '--policy', policy])
  expect(exit).toBe(0)
  expect(out).toContain('signatures      1  right, by keys of the policy in the folder and of yours')
})

test.each([[['verify']], [['verify', 'a', 'b']], [['verify', '/nowhere']]])(
  '%j is a wrong command line',
  async (words) => {
    expect((await rel(words)).exit).toBe(2)
  },
)

const files = (): readonly string[] => filesBelow(finished.folder)

/** Runs with one file changed, then puts it back. */
async function withFile<T>(path: string, change: (bytes: Buffer) => Buffer | null, run: () => Promise<T>): Promise<T> {
  const file = join(finished.folder, path)
  const before = readFileSync(file)
  const after = change(Buffer.from(before))
  try {
    if (after === null) rmSync(file)
    else writeFileSync(file, after)
    return await run()
  } finally {
    writeFileSync(file, before)
  }
}

const flip = fc.record({ file: fc.nat(), offset: fc.nat(), bit: fc.integer({ min: 0, max: 7 }) })
const flipped =
  (offset: number, bit: number) =>
  (bytes: Buffer): Buffer => {
    const at = offset % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    return bytes
  }

test('any bit of any file that is flipped is refused', async () => {
  const property = fc.asyncProperty(flip, async ({ file, offset, bit }) => {
    const path = files()[file % files().length] ?? ''
    expect(await withFile(path, flipped(offset, bit), () => codeOf(finished.folder)), path).not.toBeNull()
  })
  await fc.assert(property, { numRuns: 150 })
  expect(await codeOf(finished.folder)).toBeNull()
}, 60_000)

test('the tuple binds them all: whoever writes SHA256SUMS anew is refused as well', async () => {
  const bound = files().filter((path) => path !== tupleFile && path !== 'SHA256SUMS')
  const property = fc.asyncProperty(flip, async ({ file, offset, bit }) => {
    const path = bound[file % bound.length] ?? ''
    const code = await withFile(path, flipped(offset, bit), () => {
      writeSums(finished.folder)
      return codeOf(finished.folder)
    })
    writeSums(finished.folder)
    expect(code, path).not.toBeNull()
  })
  await fc.assert(property, { numRuns: 100 })
  expect(await codeOf(finished.folder)).toBeNull()
}, 60_000)

test('any file that is taken out is refused, also with the sums written anew', async () => {
  for (const path of files()) {
    const code = await withFile(
      path,
      () => null,
      () => codeOf(finished.folder),
    )
    expect(code, path).toBe('record_missing')
    if (path === 'SHA256SUMS' || path === tupleFile) continue
    const resealed = await withFile(
      path,
      () => null,
      () => {
        writeSums(finished.folder)
        return codeOf(finished.folder)
      },
    )
    writeSums(finished.folder)
    expect(resealed, path).not.toBeNull()
  }
  expect(await codeOf(finished.folder)).toBeNull()
}, 60_000)

test('any file that is added is refused', async () => {
  const name = fc.stringMatching(/^[a-z0-9.]{1,12}$/).filter((text) => !/^\.{1,2}$/.test(text))
  const place = fc.constantFrom('', 'tarballs/', 'records/', 'raw/', 'raw/sqlite/', 'more/')
  await fc.assert(
    fc.asyncProperty(place, name, async (below, file) => {
      const path = join(finished.folder, below, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '', { flag: 'wx' })
      try {
        expect(await codeOf(finished.folder)).toBe('evidence_extra')
      } finally {
        rmSync(path)
      }
    }),
    { numRuns: 40 },
  )
  expect(await codeOf(finished.folder)).toBeNull()
}, 60_000)

const publishArguments = ['--registry', 'http://127.0.0.1:4873', '--dist-tag', 'latest']

test.each([
  ['manifest', 'reproduce', [], 'next: rel reproduce'],
  ['reproduction', 'accept', [], 'next: rel accept'],
  ['acceptance', 'approve', [], 'next: rel approve'],
  ['approval', 'publish', publishArguments, 'next: rel publish'],
  ['publication', 'readback', [], 'next: rel readback'],
] as const)('rel check after the stage %s: rel %s may run', async (until, stage, more, next) => {
  const { folder: at, context } = await makeWorld(fresh(), { until })
  const { exit, out } = await rel(['check', '--release', at, '--stage', stage, ...more], context)
  expect(exit).toBe(0)
  expect(out.at(-1)).toBe(next)
})

test.each([
  ['a stage too early', 'acceptance', ['--stage', 'publish', ...publishArguments], 10, 'stage_out_of_order'],
  ['a stage that is over', 'acceptance', ['--stage', 'accept'], 10, 'stage_already_final'],
  [
    'another tag',
    'approval',
    ['--stage', 'publish', ...publishArguments, '--dist-tag', 'next'],
    10,
    'approval_scope_mismatch',
  ],
  ['no registry', 'approval', ['--stage', 'publish', '--dist-tag', 'latest'], 2, '--registry'],
  ['a stage that is none', 'approval', ['--stage', 'ship'], 2, '--stage ship'],
] as const)('rel check with %s', async (_, until, words, expected, says) => {
  const { folder: at, context } = await makeWorld(fresh(), { until })
  const { exit, err } = await rel(['check', '--release', at, ...words], context)
  expect(exit).toBe(expected)
  expect(err.join('\n')).toContain(says)
})

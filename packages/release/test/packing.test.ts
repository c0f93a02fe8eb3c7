// What the pinned tools write, for real: equal bytes whatever must not matter (P-01 to P-06), other bytes by another way (P-10,
// P-28). The workspace is packed once; each test packs it again with one thing different.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ReadArchive, readArchive } from '../src/archive/read.ts'
import { canonicalText } from '../src/canonical.ts'
import { inFreshClone, type Workplace } from '../src/clone.ts'
import { readPolicy } from '../src/policy.ts'
import { runProgram } from '../src/program.ts'
import type { Manifest } from '../src/records/manifest.ts'
import type { Commit } from '../src/source.ts'
import { buildManifest } from '../src/stages/manifest.ts'
import { pack, packClone } from '../src/stages/pack.ts'
import { dryManifest } from '../src/stages/plan.ts'
import { judgeRebuilt } from '../src/stages/reproduce.ts'
import { packEnvironment, runTool, type Surroundings } from '../src/tool-run.ts'
import { endingOf } from './kit/counterfactual.ts'
import { makeWorkspace, packingPolicy } from './kit/packing-workspace.ts'
import { commitAll, writePolicy } from './kit/source-repository.ts'

const minutes = 60_000
const usual: Surroundings = { umask: 0o022, timeZone: 'UTC', locale: 'C' }
const context = {
  now: () => new Date(0),
  progress: () => {},
  tool: { version: '0.1.0', sha256: '0'.repeat(64) },
}
let folder = ''
let policyPath = ''
let commit: Commit = { repository: '', id: '' }
let manifest: Manifest
let digests: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'release-packing-'))
  commit = makeWorkspace(join(folder, 'repository'))
  policyPath = writePolicy(folder, packingPolicy)
  manifest = await manifestIn(join(folder, 'first'))
  digests = Object.fromEntries(manifest.packages.map(({ file }) => [file.name, file.sha256]))
}, 3 * minutes)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `rel pack` and `rel manifest` into a folder. */
async function manifestIn(out: string): Promise<Manifest> {
  const { packing } = await pack({ commit, policyPath, out }, context)
  const policy = readPolicy(policyPath)
  return buildManifest({ tarballs: join(out, 'tarballs'), packing, policy, tool: context.tool })
}

/** File → sha256. */
const digestsIn = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(out).map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex'),
    ]),
  )

const packIn = (place: Workplace, surroundings = usual) =>
  packClone(place, { commit, policy: packingPolicy, surroundings }, context.progress)

/** Files of a clone that git knows, and their content. */
const sourcesIn = (clone: string) =>
  readdirSync(join(clone, 'packages'), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))

test(
  'P-01 two packs of one checkout are equal',
  async () => {
    await inFreshClone(commit, { umask: 0o022 }, async (place) => {
      for (const _ of ['first', 'second']) {
        await packIn(place)
        expect(digestsIn(place.out)).toEqual(digests)
        rmSync(place.out, { recursive: true })
        mkdirSync(place.out)
      }
    })
  },
  3 * minutes,
)

test(
  'P-02 P-06 a checkout at a deeper path with spaces gives the same tarballs and the same output of tsc',
  async () => {
    const outputs = await Promise.all(
      ['', 'much deeper/with spaces in it'].map((beneath) =>
        inFreshClone(commit, { umask: 0o022, beneath }, async (place) => {
          await packIn(place)
          expect(digestsIn(place.out)).toEqual(digests)
          const built = ['engine', 'spec'].map((name) => digestsIn(join(place.clone, `packages/${name}/dist`)))
          expect(built.flatMap((one) => Object.keys(one))).toContain('index.d.ts.map')
          return built
        }),
      ),
    )
    expect(outputs[1]).toEqual(outputs[0])
  },
  3 * minutes,
)

test(
  'P-03 times, umask 077, time zone, locale and the order of creation do not matter',
  async () => {
    await inFreshClone(commit, { umask: 0o077 }, async (place) => {
      for (const path of sourcesIn(place.clone).toReversed()) {
        const content = readFileSync(path)
        rmSync(path)
        writeFileSync(path, content, { mode: 0o600 })
        utimesSync(path, new Date('2001-09-09T01:46:40Z'), new Date('2001-09-09T01:46:40Z'))
      }
      await packIn(place, { umask: 0o077, timeZone: 'Pacific/Chatham', locale: 'C.UTF-8' })
      expect(digestsIn(place.out)).toEqual(digests)
    })
  },
  3 * minutes,
)

test(
  'P-04 white space and line ends of package.json do not matter',
  async () => {
    await inFreshClone(commit, { umask: 0o022 }, async (place) => {
      const [engine, spec] = ['engine', 'spec'].map((name) => join(place.clone, `packages/${name}/package.json`))
      rewrite(engine, (text) => text.replaceAll('\n', '\r\n'))
      rewrite(spec, (text) => JSON.stringify(JSON.parse(text)))
      await packIn(place)
      expect(digestsIn(place.out)).toEqual(digests)
    })
  },
  3 * minutes,
)

function rewrite(path: string | undefined, change: (text: string) => string): void {
  if (path === undefined) throw new Error('no path')
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, change(before))
  expect(readFileSync(path, 'utf8')).not.toBe(before)
}

test(
  'P-05 two clones of a repository give the same bytes of the manifest, and so does a dry run',
  async () => {
    const other = join(folder, 'other')
    cpSync(commit.repository, other, { recursive: true })
    const again = await dryManifest({ repository: other, id: commit.id }, policyPath, context)
    expect(canonicalText(again)).toBe(canonicalText(manifest))
  },
  3 * minutes,
)

test(
  'rel plan with a previous release packs, tells what moved, and leaves nothing',
  async () => {
    const repository = join(folder, 'moved on')
    cpSync(commit.repository, repository, { recursive: true })
    writeFileSync(join(repository, 'packages/spec/README.md'), '# Another word\n')
    commitAll({ repository, id: commit.id }, 'docs')
    const previous = join(folder, 'previous.json')
    writeFileSync(previous, canonicalText(manifest))
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    vi.stubEnv('TMPDIR', temporary)
    const out: string[] = []
    const words = ['plan', '--repository', repository, '--policy', policyPath, '--previous', previous]
    const streams = { out: (line: string) => out.push(line), err: (line: string) => out.push(line) }
    expect(await runProgram(words, streams, context), out.join('\n')).toBe(0)
    expect(out).toEqual(
      expect.arrayContaining([
        'nothing stands in its way',
        '1.2.3 → 1.2.3',
        expect.stringMatching(/^@x\/engine: changed; /),
        expect.stringMatching(/^ {2}~ package\.json gitHead: [0-9a-f]{40} → [0-9a-f]{40}$/),
        expect.stringMatching(/^ {2}~ README\.md \(.+ bytes\)$/),
      ]),
    )
    expect(out).not.toEqual(expect.arrayContaining([expect.stringMatching(/dist\//)]))
    expect(readdirSync(temporary)).toEqual([])
    vi.unstubAllEnvs()
  },
  3 * minutes,
)

async function readAll(out: string): Promise<ReadonlyMap<string, ReadArchive>> {
  const read = new Map<string, ReadArchive>()
  for (const file of readdirSync(out)) {
    read.set(file, await readArchive(join(out, file), { limits: packingPolicy.limits }))
  }
  return read
}

/** Packs a folder with npm, as people do by hand. */
async function npmPack(from: string, out: string): Promise<void> {
  const env = packEnvironment(folder, tmpdir(), usual)
  const words = ['npm', 'pack', '--ignore-scripts', '--pack-destination', out]
  expect(await runTool(words, { cwd: from, env, umask: usual.umask })).toMatchObject({ status: 0 })
}

test(
  'P-10 what is unpacked and packed by npm has equal files in another archive → repack_mismatch',
  async () => {
    const out = join(folder, 'repacked')
    mkdirSync(out)
    for (const { file } of manifest.packages) {
      const unpacked = join(folder, `unpacked-${file.name}`)
      mkdirSync(unpacked)
      const tarball = join(folder, 'first/tarballs', file.name)
      const env = packEnvironment(folder, tmpdir(), usual)
      const untar = ['tar', 'xzf', tarball, '-C', unpacked]
      expect(await runTool(untar, { cwd: folder, env, umask: usual.umask })).toMatchObject({ status: 0 })
      await npmPack(join(unpacked, 'package'), out)
    }
    const rebuilt = await readAll(out)
    expect(await endingOf(() => judgeRebuilt(manifest.packages, rebuilt))).toMatchObject({
      exit: 10,
      code: 'repack_mismatch',
    })
    const accepted = await readAll(join(folder, 'first/tarballs'))
    expect(await endingOf(() => judgeRebuilt(manifest.packages, accepted))).toMatchObject({ exit: 0 })
  },
  3 * minutes,
)

test(
  'P-28 npm packs the folders of the workspace with workspace:* left in → workspace_range_unresolved',
  async () => {
    await inFreshClone(commit, { umask: 0o022 }, async (place) => {
      await packIn(place)
      const out = join(place.temporary, 'by npm')
      mkdirSync(out)
      for (const name of ['engine', 'spec']) await npmPack(join(place.clone, 'packages', name), out)
      const sources = { policy: { policy: packingPolicy, sha256: '0'.repeat(64) }, tool: context.tool }
      const packing = {
        schema: 'durable-workflow.release/packing/v1',
        version: manifest.version,
        source: manifest.source,
        toolchain: manifest.toolchain,
        released: {},
        schemas: {},
      } as const
      const made = (tarballs: string) => endingOf(() => buildManifest({ tarballs, packing, ...sources }))
      expect(await made(place.out)).toMatchObject({ exit: 0 })
      expect(await made(out)).toMatchObject({ exit: 10, code: 'workspace_range_unresolved' })
    })
  },
  3 * minutes,
)

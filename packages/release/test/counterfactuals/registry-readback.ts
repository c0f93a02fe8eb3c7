// Reading back: every lie of a registry has its code, and what only takes time has exit 20.

import type { RefusalCode } from '../../src/refusal.ts'
import type { Installed } from '../../src/registry/fresh-install.ts'
import type { ReadingBack } from '../../src/stages/readback.ts'
import { watch } from '../../src/stages/watch.ts'
import type { Counterfactual } from '../kit/counterfactual.ts'
import {
  inScene,
  open,
  openHastily,
  patienceIn,
  publishAll,
  readbackIn,
  type Scene,
  sceneEnding,
} from '../kit/scenes.ts'
import {
  bytes,
  dist,
  type Fault,
  headers,
  leaving,
  packument,
  redirect,
  status,
  versions,
} from '../kit/stand-in-faults.ts'
import { type Fields, fieldsOf } from '../kit/stand-in-store.ts'
import { flipped, tarball } from '../kit/tarball.ts'
import type { WorldOptions } from '../kit/world.ts'
import { tupleOfWorld } from '../kit/world-tuple.ts'

type Numbers = Counterfactual['shows']
type Changes = Partial<ReadingBack>

interface ReadCase {
  readonly code: RefusalCode | null
  readonly exit?: 0 | 10 | 20
  readonly world?: WorldOptions
  /** Holds in both runs. */
  readonly always?: (scene: Scene) => Changes
  /** The one thing: what happens to the registry … */
  readonly change?: (scene: Scene) => unknown
  /** … or what the stage is given otherwise. */
  readonly given?: () => Changes
  /** Happens in both runs. */
  readonly before?: (scene: Scene) => unknown
}

const name = '@x/engine'
const version = '1.2.3'

function reading(shows: Numbers, differs: string, one: ReadCase): Counterfactual {
  const { code, exit, world } = one
  return {
    shows,
    differs,
    layer: 'F',
    code,
    ...(exit !== undefined && { exit }),
    run: (folder, which) =>
      inScene(folder, { until: 'publication', ...world }, async (scene) => {
        await publishAll(scene)
        one.before?.(scene)
        if (which === 'changed') one.change?.(scene)
        const given = which === 'changed' ? one.given?.() : {}
        return sceneEnding(scene, () => readbackIn(scene, { ...one.always?.(scene), ...given }))
      }),
  }
}

const lie = (shows: Numbers, differs: string, code: RefusalCode, one: Fault) =>
  reading(shows, differs, { code, change: ({ registry }) => registry.faults(one) })

const trouble = (shows: Numbers, differs: string, code: RefusalCode, one: Fault, how: Changes = {}) =>
  reading(shows, differs, { code, exit: 20, always: () => how, change: ({ registry }) => registry.faults(one) })

const confusion = (differs: string, more: Fields) =>
  lie(
    ['P-69'],
    `${differs} of the packument`,
    'readback_manifest_confusion',
    versions({ name }, (one) => ({ ...one, ...more })),
  )

/** The provenance of every package, as it should be. */
function attestAll({ world, registry }: Scene, changed: { sha512?: string; commit?: string } = {}): void {
  const { packages, source } = world.evidence().manifest
  for (const { name, version, file } of packages) {
    const sha512 = changed.sha512 ?? Buffer.from(file.sha512.slice('sha512-'.length), 'base64').toString('hex')
    registry.held(name, version).statement = {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: `pkg:npm/${name}@${version}`, digest: { sha512 } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: changed.commit ?? source.commit } }] },
      },
    }
  }
}

const attestation = (differs: string, code: RefusalCode, change: (scene: Scene) => void) =>
  reading(['P-75'], differs, {
    code,
    world: { policy: { attestation: 'required' } },
    before: (scene) => attestAll(scene),
    change,
  })

/** A consumer's install that went well, and one thing about it. */
const consumer = (differs: string, code: RefusalCode, exit: 10 | 20, change: (good: Installed) => Installed) => {
  const installing = (changed: (good: Installed) => Installed): Changes => ({
    async install({ manifest }, registry) {
      const packages = manifest.packages.map(({ name, file }) => [
        `node_modules/${name}`,
        { integrity: file.sha512, resolved: `${registry}${name}/-/${file.name}` },
      ])
      return changed({ exit: 0, code: null, lockfile: { packages: Object.fromEntries(packages) } })
    },
  })
  return reading(['P-76'], differs, {
    code,
    exit,
    always: () => installing((good) => good),
    given: () => installing(change),
  })
}

/** The lockfile's entry of one package, with other fields. */
const locked = (good: Installed, more: Fields): Installed => {
  const packages = fieldsOf(good.lockfile?.packages)
  const path = `node_modules/${name}`
  return { ...good, lockfile: { packages: { ...packages, [path]: { ...fieldsOf(packages[path]), ...more } } } }
}

/** What `rel watch` sees of a verified set. */
const watching = (differs: string, code: RefusalCode, change: (scene: Scene) => void): Counterfactual => ({
  shows: ['P-83'],
  differs,
  layer: 'F',
  code,
  run: (folder, which) =>
    inScene(folder, { until: 'readback' }, async (scene) => {
      await publishAll(scene)
      if (which === 'changed') change(scene)
      const { world, registry } = scene
      const ending = await sceneEnding(scene, () =>
        watch(world.context, {
          tuple: tupleOfWorld(scene.world),
          registry: open(registry.url),
          tags: [world.distTag],
          attestation: 'none',
        }),
      )
      return { ...ending, recorded: null }
    }),
})

const otherBytes = (before: Buffer): Buffer => flipped(before, before.length >> 1)
const forged = tarball([{ path: 'package.json', content: JSON.stringify({ name, version }) }])
const all = { packument: { on: 'packument', name }, tarball: { on: 'tarball', name } } as const

export const readbackCases: readonly Counterfactual[] = [
  reading(['P-34'], 'no registry on the command line', {
    code: 'registry_not_explicit',
    given: () => ({ registry: undefined }),
  }),
  reading(['P-35'], 'another registry than that of the publication', {
    code: 'registry_mismatch',
    given: () => ({ registry: 'http://127.0.0.1:1/' }),
  }),
  {
    shows: ['P-35'],
    differs: 'a host that is not loopback while REL_TEST=1',
    layer: 'F',
    code: 'registry_unreachable',
    exit: 20,
    run: (folder, which) =>
      inScene(folder, { until: 'publication' }, async (scene) => {
        const before = process.env.REL_TEST
        process.env.REL_TEST = '1'
        try {
          // Any address of this machine, so that a socket that is opened all the same meets the stand-in and nobody else.
          const url = which === 'changed' ? scene.registry.url.replace('127.0.0.1', '0.0.0.0') : scene.registry.url
          const ending = await sceneEnding(scene, () => open(url).packument(name))
          return { ...ending, recorded: null }
        } finally {
          if (before === undefined) delete process.env.REL_TEST
          else process.env.REL_TEST = before
        }
      }),
  },
  reading(['P-66'], 'a byte of the stored tarball', {
    code: 'readback_bytes_mismatch',
    change({ registry }) {
      const held = registry.held(name, version)
      held.tarball = otherBytes(held.tarball)
    },
  }),
  lie(
    ['P-67'],
    'the integrity of the packument',
    'readback_metadata_mismatch',
    dist({ name }, { integrity: `sha512-${'A'.repeat(86)}==` }),
  ),
  lie(
    ['P-67'],
    'the shasum of the packument',
    'readback_metadata_mismatch',
    dist({ name }, { shasum: '0'.repeat(40) }),
  ),
  lie(
    ['P-67'],
    'the unpacked size of the packument',
    'readback_metadata_mismatch',
    dist({ name }, { unpackedSize: 1 }),
  ),
  lie(['P-67'], 'the file count of the packument', 'readback_metadata_mismatch', dist({ name }, { fileCount: 1 })),
  reading(['P-68'], 'bytes and digests together', {
    code: 'readback_metadata_mismatch',
    change: ({ registry }) => registry.forge(name, version, forged),
  }),
  confusion('a dependency more', { dependencies: { '@x/spec': version, evil: '1.0.0' } }),
  confusion('an install script', { scripts: { postinstall: 'node evil.js' } }),
  confusion('a program', { bin: { x: 'dist/index.js' } }),
  confusion('other exports', { exports: './dist/evil.js' }),
  confusion('another range of engines', { engines: { node: '>=99' } }),
  lie(
    ['P-70'],
    'the tarball on another host',
    'readback_tarball_origin_mismatch',
    dist({ name }, { tarball: 'http://127.0.0.1:1/engine-1.2.3.tgz' }),
  ),
  lie(['P-70'], 'no address of the tarball', 'readback_answer_unreadable', dist({ name }, { tarball: null })),
  reading(['P-71'], 'the version shown only after three readings', {
    code: null,
    always: ({ world }) => ({ patience: patienceIn(world, 60) }),
    change: ({ registry }) => registry.faults(status({ ...all.packument, times: 3 }, 404)),
  }),
  reading(['P-71'], 'a stale packument without the version until the deadline', {
    code: 'readback_absent',
    exit: 20,
    always: ({ world }) => ({ patience: patienceIn(world, 60) }),
    change: ({ registry }) => registry.faults(packument({ name }, (body) => ({ ...body, versions: {}, time: {} }))),
  }),
  reading(['P-71'], 'the tarball not there until the deadline', {
    code: 'readback_absent',
    exit: 20,
    always: ({ world }) => ({ patience: patienceIn(world, 60) }),
    change: ({ registry }) => registry.faults(status(all.tarball, 404)),
  }),
  lie(
    ['P-72'],
    'the commit of the packument',
    'readback_git_head_mismatch',
    versions({ name }, (one) => ({ ...one, gitHead: '2'.repeat(40) })),
  ),
  reading(['P-73'], 'the tag on another version', {
    code: 'readback_tag_mismatch',
    change: ({ registry }) => registry.tag(name, 'latest', '1.2.2'),
  }),
  reading(['P-73'], 'the holding tag gone', {
    code: 'readback_tag_mismatch',
    change: ({ registry }) => registry.tag(name, 'candidate', null),
  }),
  reading(['P-65'], 'latest moved to a prerelease', {
    code: 'latest_tag_unintended',
    world: { version: '1.2.3-rc.1' },
    change: ({ registry }) => registry.tag(name, 'latest', '1.2.3-rc.1'),
  }),
  lie(
    ['P-74'],
    'the version deprecated',
    'readback_deprecated',
    versions({ name }, (one) => ({ ...one, deprecated: 'do not use' })),
  ),
  lie(
    ['P-74'],
    'a deprecation that is no text',
    'readback_deprecated',
    versions({ name }, (one) => ({ ...one, deprecated: true })),
  ),
  reading(['P-74'], 'a deprecation that was taken back', {
    code: null,
    change: ({ registry }) => registry.faults(versions({ name }, (one) => ({ ...one, deprecated: '' }))),
  }),
  reading(['P-74'], 'the version unpublished', {
    code: 'readback_deprecated',
    change: ({ registry }) => registry.unpublish(name, version),
  }),
  attestation('no attestation', 'attestation_missing', ({ registry }) => {
    registry.held(name, version).statement = null
  }),
  attestation('an attestation of another file', 'attestation_subject_mismatch', (scene) =>
    attestAll(scene, { sha512: '0'.repeat(128) }),
  ),
  attestation('an attestation of another commit', 'attestation_commit_mismatch', (scene) =>
    attestAll(scene, { commit: '0'.repeat(40) }),
  ),
  lie(
    ['P-77'],
    'a redirect to another origin',
    'readback_tarball_origin_mismatch',
    redirect(all.packument, 'http://127.0.0.1:1/'),
  ),
  lie(
    ['P-77'],
    'redirects of the same origin without an end',
    'readback_answer_unreadable',
    redirect({ ...all.packument, times: 4 }, '/@x%2fengine'),
  ),
  lie(['P-77'], 'a body without an end', 'readback_answer_unreadable', leaving(all.tarball, 'endless')),
  trouble(['P-77'], 'a body that drips', 'registry_unreachable', leaving(all.tarball, 'drip'), { open: openHastily }),
  trouble(['P-77'], 'a body that is cut', 'registry_unreachable', leaving(all.tarball, 'cut')),
  trouble(['P-77'], 'no answer at all', 'registry_unreachable', leaving(all.packument, 'silent'), {
    open: openHastily,
  }),
  trouble(['P-77'], 'an answer of 429', 'registry_rate_limited', status(all.packument, 429)),
  trouble(['P-77'], 'an answer of 503', 'registry_server_error', status(all.tarball, 503)),
  lie(['P-77'], 'an answer of 401', 'readback_answer_unreadable', status(all.packument, 401)),
  lie(['P-77'], 'an answer of 203 that is whole otherwise', 'readback_answer_unreadable', {
    ...all.tarball,
    change: (answer) => ({ ...answer, status: 203 }),
  }),
  lie(
    ['P-77'],
    'another media type',
    'readback_answer_unreadable',
    headers(all.packument, { 'content-type': 'text/html' }),
  ),
  lie(
    ['P-77'],
    'an encoding that was not asked for',
    'readback_answer_unreadable',
    headers(all.packument, { 'content-encoding': 'br' }),
  ),
  lie(
    ['P-77'],
    'a packument that is no JSON',
    'readback_answer_unreadable',
    bytes(all.packument, () => Buffer.from('<html>')),
  ),
  lie(
    ['P-77'],
    'the packument of another package',
    'readback_answer_unreadable',
    packument({ name }, (body) => ({ ...body, name: '@x/other' })),
  ),
  lie(
    ['P-77'],
    'another packument at the second reading',
    'readback_inconsistent',
    versions({ name, after: 1 }, (one) => ({ ...one, keywords: ['new'] })),
  ),
  lie(
    ['P-77'],
    'other bytes at the second reading',
    'readback_inconsistent',
    bytes({ ...all.tarball, after: 1 }, otherBytes),
  ),
  consumer('an install that fails by integrity', 'readback_bytes_mismatch', 10, (good) => ({
    ...good,
    exit: 1,
    code: 'EINTEGRITY',
  })),
  consumer('an install that fails', 'registry_unreachable', 20, (good) => ({ ...good, exit: 1, code: 'ENOTFOUND' })),
  consumer('another integrity in the lockfile', 'readback_metadata_mismatch', 10, (good) =>
    locked(good, { integrity: 'sha512-AA==' }),
  ),
  consumer('a tarball of the lockfile from elsewhere', 'readback_tarball_origin_mismatch', 10, (good) =>
    locked(good, { resolved: 'http://127.0.0.1:1/engine-1.2.3.tgz' }),
  ),
  watching('a byte of the stored tarball', 'readback_bytes_mismatch', ({ registry }) => {
    const held = registry.held(name, version)
    held.tarball = otherBytes(held.tarball)
  }),
  watching('the tag, a week later', 'readback_tag_mismatch', ({ registry }) => registry.tag(name, 'latest', '1.2.2')),
  watching('the version deprecated', 'readback_deprecated', ({ registry }) =>
    registry.faults(versions({ name }, (one) => ({ ...one, deprecated: 'a week later' }))),
  ),
]

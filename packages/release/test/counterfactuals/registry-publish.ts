// Publishing: what must hold before the first upload, and what a registry's answers to uploads mean.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, relative } from 'node:path'
import { canonicalText, sha256 } from '../../src/canonical.ts'
import { appendEntry, beginRelease, nextPlace, openLedger } from '../../src/ledger.ts'
import { isRefusalCode, type RefusalCode } from '../../src/refusal.ts'
import { openJournal } from '../../src/registry/journal.ts'
import { previousManifest } from '../../src/registry/plan.ts'
import { pinnedPnpm, pnpmUploader } from '../../src/registry/upload.ts'
import type { Publishing } from '../../src/stages/publish.ts'
import { type Counterfactual, type Ending, endingOf } from '../kit/counterfactual.ts'
import { rel } from '../kit/rel.ts'
import { inScene, publishIn, type Scene, sceneEnding } from '../kit/scenes.ts'
import { type Fault, status, unheard } from '../kit/stand-in-faults.ts'
import { publishBody } from '../kit/stand-in-store.ts'
import { flipped, tarball } from '../kit/tarball.ts'
import { tupleOf } from '../kit/tuples.ts'
import { makeWorld, type WorldOptions } from '../kit/world.ts'
import { threePackages } from '../kit/world-packages.ts'

type Numbers = Counterfactual['shows']
type Changes = Partial<Publishing>

interface PublishCase {
  readonly code: RefusalCode | null
  readonly exit?: 10 | 20
  readonly world?: WorldOptions
  /** In place of `world` in the changed run. */
  readonly changedWorld?: WorldOptions
  /** Holds in both runs. */
  readonly always?: Changes
  /** The one thing: what happens before … */
  readonly change?: (scene: Scene) => unknown
  /** … or what the stage is given otherwise. */
  readonly given?: Changes
  /** Happens in place of the change in the unchanged run. */
  readonly instead?: (scene: Scene) => unknown
}

/** The stage against the stand-in. */
function publishing(shows: Numbers, differs: string, one: PublishCase): Counterfactual {
  const { code, exit, always, world = {} } = one
  return {
    shows,
    differs,
    layer: 'F',
    code,
    ...(exit !== undefined && { exit }),
    run: (folder, which) => {
      const isChanged = which === 'changed'
      const options = isChanged ? (one.changedWorld ?? world) : world
      return inScene(folder, { until: 'approval', ...options }, async (scene) => {
        await (isChanged ? one.change : one.instead)?.(scene)
        return sceneEnding(scene, () => publishIn(scene, { ...always, ...(isChanged && one.given) }))
      })
    },
  }
}

const fault = (shows: Numbers, differs: string, code: RefusalCode, exit: 10 | 20, one: Fault) =>
  publishing(shows, differs, { code, exit, change: ({ registry }) => registry.faults(one) })

/** The version of a package is there, with other contents. */
async function putOther({ world, registry }: Scene, name: string): Promise<void> {
  const manifest = { name, version: world.evidence().manifest.version }
  const other = tarball([{ path: 'package.json', content: JSON.stringify(manifest) }])
  await fetch(`${registry.url}${name.replace('/', '%2f')}`, {
    method: 'PUT',
    body: JSON.stringify(publishBody(manifest, other, 'candidate')),
  })
}

/** Who has the turn, by the folder. */
const turnOf = (pid: number) => (scene: Scene) =>
  writeFileSync(join(scene.world.folder, 'publishing-0001.json'), JSON.stringify({ host: hostname(), pid }))

/** Above any process id of Linux. */
const noProcess = 2 ** 22 + 1

/** The production uploader, with a program that always succeeds in place of pnpm. */
const uploading = (differs: string, file: (folder: string, path: string) => string): Counterfactual => ({
  shows: ['P-63'],
  differs,
  layer: 'U',
  code: 'directory_publish_forbidden',
  run: (folder, which) => {
    const path = join(folder, 'spec-1.2.3.tgz')
    writeFileSync(path, 'bytes')
    const options = { registry: 'http://127.0.0.1:1/', userconfig: null, provenance: false, seconds: 10 }
    const uploader = pnpmUploader({ ...options, pnpm: '/bin/true' })
    return endingOf(() => uploader.upload(which === 'changed' ? file(folder, path) : path, 'candidate'))
  },
})

/** `rel publish --dry-run` as a program, with more words. */
const program = (differs: string, code: RefusalCode, words: readonly string[]): Counterfactual => ({
  shows: ['P-63'],
  differs,
  layer: 'F',
  code,
  run: (folder, which) =>
    inScene(folder, { until: 'approval' }, async (scene) => {
      const { world, registry, ledger } = scene
      const given = ['--release', world.folder, '--policy', join(world.folder, 'policy.json'), '--ledger', ledger]
      const where = ['--registry', registry.url, '--dist-tag', world.distTag, '--dry-run', '--json']
      const more = which === 'changed' ? words : []
      const { exit, out } = await rel(['publish', ...more, ...given, ...where], world.context)
      return programEnding(scene, exit, out.join(''))
    }),
})

function programEnding({ registry }: Scene, exit: number, said: string): Ending {
  const answer: { ok: boolean; code?: string; message?: string } = JSON.parse(said)
  const { code = '', message = '' } = answer
  return {
    exit: exit === 0 || exit === 10 || exit === 20 ? exit : 30,
    code: isRefusalCode(code) ? code : null,
    message,
    uploads: registry.uploads(),
    registryChanged: false,
    recorded: null,
  }
}

export const publishCases: readonly Counterfactual[] = [
  publishing(['P-34'], 'no registry on the command line', {
    code: 'registry_not_explicit',
    given: { registry: undefined },
  }),
  publishing(['P-35'], 'a registry that was not approved', {
    code: 'registry_mismatch',
    given: { registry: 'http://127.0.0.1:1/' },
  }),
  publishing(['P-55'], 'a byte of a tarball after the approval', {
    code: 'archive_sha256_mismatch',
    change({ world }) {
      writeFileSync(world.tarball('@x/engine'), flipped(readFileSync(world.tarball('@x/engine')), 9))
    },
  }),
  publishing(['P-57'], 'the version of the last tier is there with other bytes', {
    code: 'version_conflict',
    change: (scene) => putOther(scene, '@x/sdk'),
  }),
  fault(['P-60'], 'the upload answered by 401', 'publish_rejected', 10, status({ on: 'publish' }, 401)),
  fault(['P-60'], 'the upload answered by 403', 'publish_rejected', 10, status({ on: 'publish' }, 403)),
  fault(['P-60'], 'the upload answered by 405', 'publish_rejected', 10, status({ on: 'publish' }, 405)),
  fault(['P-59'], 'the upload answered by 429', 'registry_rate_limited', 20, status({ on: 'publish' }, 429)),
  fault(
    ['P-59'],
    'the upload answered by 503 and not stored',
    'registry_server_error',
    20,
    status({ on: 'publish' }, 503),
  ),
  fault(['P-59'], 'the connection lost before the upload', 'registry_unreachable', 20, unheard({ on: 'publish' })),
  publishing(['P-61'], 'the tiers turned, so that a dependent comes first', {
    code: 'tier_predecessor_unverified',
    changedWorld: { packages: threePackages.map((one) => ({ ...one, tier: 2 - one.tier })) },
  }),
  publishing(['P-62'], 'the other publisher of the folder alive', {
    code: 'release_in_progress',
    change: turnOf(process.pid),
    instead: turnOf(noProcess),
  }),
  publishing(['P-62'], 'another release under way', {
    code: 'release_in_progress',
    change: ({ ledger }) => beginRelease(ledger, '1.2.2+0123456789ab'),
  }),
  publishing(['P-62'], 'another release under way, in a dry run', {
    code: 'release_in_progress',
    always: { dryRun: true },
    change: ({ ledger }) => beginRelease(ledger, '1.2.2+0123456789ab'),
  }),
  publishing(['P-58'], 'an earlier run that stopped, and no --resume', {
    code: 'release_in_progress',
    always: { resume: true },
    given: { resume: false },
    change({ world }) {
      const at = world.context.now().toISOString()
      const line = { stateBefore: 'absent', action: 'upload', status: 503, stateAfter: 'absent', at } as const
      openJournal(world.folder).add({ package: '@x/spec', ...line })
    },
  }),
  publishing(['P-63'], 'a folder in the place of a tarball', {
    code: 'directory_publish_forbidden',
    change({ world }) {
      rmSync(world.tarball('@x/spec'))
      mkdirSync(world.tarball('@x/spec'))
    },
  }),
  uploading('a relative path', (_, path) => relative(process.cwd(), path)),
  uploading('a folder', (folder) => folder),
  {
    shows: ['P-63'],
    differs: 'another version of pnpm',
    layer: 'U',
    code: 'packer_version_mismatch',
    run: (folder, which) => {
      const pnpm = join(folder, 'pnpm')
      writeFileSync(pnpm, `#!/bin/sh\necho ${which === 'changed' ? '12.21.0' : '12.4.2'}\n`, { mode: 0o755 })
      return endingOf(() => pinnedPnpm('12.4.2', pnpm))
    },
  },
  {
    shows: ['P-84'],
    differs: 'another manifest as that of the release before',
    layer: 'U',
    code: 'record_digest_mismatch',
    async run(folder, which) {
      const { manifest } = (await makeWorld(folder, { until: 'manifest' })).evidence()
      const evidence = { manifest: sha256(canonicalText(manifest)) }
      const ledger = join(folder, 'ledger')
      mkdirSync(ledger)
      appendEntry(ledger, tupleOf('1.2.3', nextPlace(openLedger(ledger)), { evidence }))
      const file = join(folder, 'previous.json')
      const previous = which === 'changed' ? { ...manifest, version: '1.2.1' } : manifest
      writeFileSync(file, canonicalText(previous))
      return endingOf(() => previousManifest(file, openLedger(ledger), manifest))
    },
  },
  program('a folder among the words', 'directory_publish_forbidden', ['./packages/sdk']),
  publishing(['P-64'], 'a prerelease for latest', {
    code: 'tag_policy_violation',
    world: { version: '1.2.3-rc.1' },
    changedWorld: { version: '1.2.3-rc.1', distTag: 'latest' },
  }),
]

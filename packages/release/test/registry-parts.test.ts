// The parts of publishing and reading back, one by one.
//
// What a client's words mean · which descriptions agree · which addresses are registries · how lag is borne with · what a dry
// run tells · what the requests look like.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { canonicalText, sha256 } from '../src/canonical.ts'
import { manifestFile } from '../src/evidence.ts'
import { appendEntry, nextPlace, openLedger } from '../src/ledger.ts'
import { Misused, Refused } from '../src/refusal.ts'
import { describedOtherwise } from '../src/registry/described.ts'
import { patienceOf, withPatience } from '../src/registry/patience.ts'
import { explicitRegistry } from '../src/registry/registry.ts'
import { sentOf } from '../src/registry/upload.ts'
import { endingOf } from './kit/counterfactual.ts'
import { rel } from './kit/rel.ts'
import { inScene, open, patienceIn, type Scene } from './kit/scenes.ts'
import { startStandIn } from './kit/stand-in-registry.ts'
import { tupleOf } from './kit/tuples.ts'
import { makeWorld } from './kit/world.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('what pnpm says of an upload', () => {
  const failed = (status: string) =>
    `Error: ERR_PNPM_FAILED_TO_PUBLISH\n\n  × Failed to publish package @x/spec@1.0.0 (status ${status}):\n  │ {}\n`

  test.each([
    [0, '📦 @x/spec@1.0.0', 'stored', null],
    [1, failed('401 Unauthorized'), 'rejected', 401],
    [1, failed('403 Forbidden'), 'rejected', 403],
    [1, `${failed('403 Forbidden')}You cannot publish over the previously published versions: 1.0.0.`, 'taken', 403],
    [1, failed('405 Method Not Allowed'), 'rejected', 405],
    [1, failed('409 Conflict'), 'taken', 409],
    [1, failed('429 Too Many Requests'), 'limited', 429],
    [1, failed('500 Internal Server\n  │ Error'), 'unknown', 500],
    [1, failed('503 Service Unavailable'), 'unknown', 503],
    [1, 'Error:   × the publish request failed: error sending request for url', 'unknown', null],
    [-1, '', 'unknown', null],
  ])('exit %i, %j: %s', (exit, output, outcome, code) => {
    expect(sentOf({ status: exit, output, answer: '' })).toMatchObject({ outcome, status: code })
  })
})

describe('P-69 which descriptions agree', () => {
  const packed = {
    name: '@x/a',
    version: '1.0.0',
    bin: { a: './a.js' },
    exports: { '.': { import: './a.js', default: './b.js' } },
  }

  test.each([
    ['what a registry adds to describe it', { _id: '@x/a@1.0.0', dist: {}, readmeFilename: '', maintainers: [] }],
    ['a program without its dot', { bin: { a: 'a.js' } }],
    ['tables that are empty', { scripts: {}, dependencies: {} }],
  ])('%s changes nothing', (_, more) => {
    expect(describedOtherwise(packed, { ...packed, ...more })).toEqual([])
  })

  test.each([
    [
      'exports in another order of conditions',
      { exports: { '.': { default: './b.js', import: './a.js' } } },
      'exports',
    ],
    ['a script', { scripts: { install: 'x' } }, 'scripts'],
    ['a flag of an install script', { hasInstallScript: true }, 'hasInstallScript'],
    ['another program', { bin: { a: 'evil.js' } }, 'bin'],
    ['a bundled dependency', { bundleDependencies: ['evil'] }, 'bundleDependencies'],
    ['another name', { name: '@x/b' }, 'name'],
  ])('%s is another description', (_, more, field) => {
    expect(describedOtherwise(packed, { ...packed, ...more })).toEqual([field])
  })

  test('dependencies agree in any order, and never with another range, one more or one less', () => {
    const ranges = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.constantFrom('1.0.0', '^1.0.0', '2.0.0'), {
      minKeys: 1,
    })
    fc.assert(
      fc.property(ranges, ranges, (one, other) => {
        const turned = Object.fromEntries(Object.entries(one).toReversed())
        expect(describedOtherwise({ dependencies: one }, { dependencies: turned })).toEqual([])
        const isEqual =
          JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted())
        expect(describedOtherwise({ dependencies: one }, { dependencies: other }).length === 0).toBe(isEqual)
      }),
    )
  })
})

describe('which addresses are registries', () => {
  test.each([
    ['http://127.0.0.1:4873', 'http://127.0.0.1:4873/'],
    ['https://registry.example/npm', 'https://registry.example/npm/'],
    ['https://registry.example/', 'https://registry.example/'],
  ])('%s is %s', (given, url) => expect(explicitRegistry(given)).toBe(url))

  test.each([
    '',
    'registry.example',
    'file:///x',
    'http://me:secret@127.0.0.1/',
    'http://127.0.0.1/?a',
    'http://127.0.0.1/#a',
  ])('%j is a wrong command line', (given) => expect(() => explicitRegistry(given)).toThrow(Misused))
})

describe('P-71 how lag is borne with', () => {
  const after = (failures: number, error: Error) => {
    let asked = 0
    return async () => {
      asked += 1
      if (asked <= failures) throw error
      return asked
    }
  }
  const bear = async (attempt: () => Promise<number>) => {
    mkdirSync(join(folder, 'world'), { recursive: true })
    const world = await makeWorld(join(folder, 'world'), { until: 'manifest' })
    const until = world.context.now().getTime() + 20_000
    return withPatience(world.context, patienceIn(world), until, attempt)
  }

  test.each(['readback_absent', 'registry_unreachable', 'registry_rate_limited', 'readback_tag_mismatch'] as const)(
    '%s may pass: asked again every five seconds until the deadline',
    async (code) => {
      expect(await bear(after(4, new Refused(code, {})))).toEqual({ result: 5, attempts: 5 })
      rmSync(join(folder, 'world'), { recursive: true })
      expect(await endingOf(() => bear(after(5, new Refused(code, {}))))).toMatchObject({ code })
    },
  )

  test.each([new Refused('readback_bytes_mismatch', {}), new Error('a fault')])('%s does not pass', async (error) => {
    await expect(bear(after(1, error))).rejects.toBe(error)
  })

  test('seconds of a command line', () => {
    expect([patienceOf(undefined, 60), patienceOf('0', 60)].map((one) => one.deadlineSeconds)).toEqual([60, 0])
    expect(() => patienceOf('20m', 60)).toThrow(Misused)
  })
})

describe('what a dry run tells', () => {
  const dryRun = ({ world, ledger, registry }: Scene, ...more: string[]) => {
    const what = ['--release', world.folder, '--policy', join(world.folder, 'policy.json'), '--ledger', ledger]
    const where = ['--registry', registry.url, '--dist-tag', 'latest', '--dry-run']
    return rel(['publish', ...what, ...where, ...more], world.context)
  }
  const approved = <T>(work: (scene: Scene) => Promise<T>) => inScene(folder, { until: 'approval' }, work)

  /** A release before, its manifest a file, and its tuple in the ledger. */
  async function before({ ledger }: Scene) {
    const earlier = join(folder, 'earlier')
    mkdirSync(earlier)
    const { manifest } = (await makeWorld(earlier, { version: '1.2.2', until: 'manifest' })).evidence()
    const evidence = { manifest: sha256(canonicalText(manifest)) }
    appendEntry(ledger, tupleOf('1.2.2', nextPlace(openLedger(ledger)), { evidence, protocol: { worker: '1.18' } }))
    return join(earlier, manifestFile)
  }

  test('without a release before: what would go out, in its order', () =>
    approved(async (scene) => {
      const { exit, out } = await dryRun(scene)
      expect(exit).toBe(0)
      expect(out.map((line) => line.slice(0, 35).trim())).toEqual([
        'tier 0  upload         @x/spec@1.2.',
        'tier 1  upload         @x/engine@1.',
        'tier 2  upload         @x/sdk@1.2.3',
        'then latest moves to 1.2.3 for 3 pa',
        'before it: no release of this chann',
        expect.stringContaining(scene.world.evidence().releaseId.slice(0, 30)),
      ])
    }))

  test('with a tuple before: versions and lines of the protocol', () =>
    approved(async (scene) => {
      await before(scene)
      const { out } = await dryRun(scene)
      expect(out.filter((line) => line.startsWith('  '))).toEqual([
        '  ~ @x/engine: 1.2.2 → 1.2.3',
        '  ~ @x/sdk: 1.2.2 → 1.2.3',
        '  ~ @x/spec: 1.2.2 → 1.2.3',
        '  ~ protocol worker: 1.18 → 1.19',
      ])
    }))

  test('with its manifest: files, sizes, dependencies', () =>
    approved(async (scene) => {
      const { exit, out } = await dryRun(scene, '--previous', await before(scene))
      expect(exit).toBe(0)
      expect(out).toContain('1.2.2 → 1.2.3')
      expect(out.join('\n')).toContain('  ~ package.json (')
      expect(out.join('\n')).toContain('  ~ dependency @x/spec: 1.2.2 → 1.2.3')
    }))

  test('a manifest that the tuple does not name is refused', () =>
    approved(async (scene) => {
      const file = await before(scene)
      writeFileSync(file, `${canonicalText({ another: 'manifest' })}`)
      const { exit, err } = await dryRun(scene, '--previous', file)
      expect({ exit, code: err[0]?.split(':')[0] }).toEqual({ exit: 10, code: 'record_digest_mismatch' })
      expect(scene.registry.requests).toEqual([])
    }))
})

describe('what the requests look like', () => {
  test('they ask past caches, want no encoding, and keep no connection', () =>
    inScene(folder, { until: 'publication' }, async ({ registry }) => {
      await open(registry.url).packument('@x/spec')
      expect(registry.requestHeaders.at(-1)).toMatchObject({
        'cache-control': 'no-cache',
        'accept-encoding': 'identity',
        accept: expect.stringContaining('application/json'),
      })
    }))

  test('a proxy of the environment is not asked', async () => {
    const [registry, proxy] = [await startStandIn(), await startStandIn()]
    const names = ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY'] as const
    const earlier = names.map((name) => process.env[name])
    try {
      for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url
      expect(await open(registry.url).packument('@x/spec')).toBeNull()
      expect([registry.requests.length, proxy.requests.length]).toEqual([1, 0])
    } finally {
      for (const [index, name] of names.entries()) {
        if (earlier[index] === undefined) delete process.env[name]
        else process.env[name] = earlier[index]
      }
      await Promise.all([registry.stop(), proxy.stop()])
    }
  })
})

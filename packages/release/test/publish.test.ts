// Publishing as it goes on: what is sent when, what a lost answer means, and how a run that stopped is resumed.
//
// Against the stand-in registry. A publisher that dies is a process of its own, ended by SIGKILL.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { journalFile } from '../src/evidence.ts'
import { releaseInProgress } from '../src/ledger.ts'
import { openJournal } from '../src/registry/journal.ts'
import { takeTurn } from '../src/registry/turn.ts'
import type { Uploader } from '../src/registry/upload.ts'
import { endingOf } from './kit/counterfactual.ts'
import { inScene, kitUploader, patienceIn, publishIn, type Scene, sceneEnding } from './kit/scenes.ts'
import { type Fault, leaving, packument, status, statusAfterwards } from './kit/stand-in-faults.ts'
import { flipped } from './kit/tarball.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const approved = <T>(work: (scene: Scene) => Promise<T>) => inScene(folder, { until: 'approval' }, work)
const names = ['@x/spec', '@x/engine', '@x/sdk'] as const
const tagsOf = async ({ registry }: Scene, name: string) =>
  (await fetch(`${registry.url}-/package/${name.replace('/', '%2f')}/dist-tags`)).json()
const journalOf = ({ world }: Scene) => openJournal(world.folder).lines
const actionsOf = (scene: Scene) => journalOf(scene).map(({ package: name, action }) => `${action} ${name}`)
const everything = [...names.map((name) => `upload ${name}`), ...names.map((name) => `tag ${name}`)]

describe('a publication that nothing stops', () => {
  test('uploads tier by tier, reads each back before its dependents, and moves the tags last (PB2, PB5)', () =>
    approved(async (scene) => {
      await publishIn(scene)
      const path = (name: string) => name.replace('/', '%2f')
      const seen = scene.registry.requests
      const puts = seen.filter((one) => one.startsWith('PUT'))
      expect(puts).toEqual([
        ...names.map((name) => `PUT /${path(name)}`),
        ...names.map((name) => `PUT /-/package/${path(name)}/dist-tags/latest`),
      ])
      const at = (request: string) => seen.lastIndexOf(request)
      expect(at('GET /@x/spec/-/spec-1.2.3.tgz')).toBeLessThan(at('PUT /@x%2fengine'))
      expect(at('GET /@x/engine/-/engine-1.2.3.tgz')).toBeLessThan(at('PUT /@x%2fsdk'))
      expect(at('GET /@x/sdk/-/sdk-1.2.3.tgz')).toBeLessThan(at('PUT /-/package/@x%2fspec/dist-tags/latest'))
    }))

  test('leaves its record, its journal, the mark of the ledger, and no turn', () =>
    approved(async (scene) => {
      const { record, plan } = await publishIn(scene)
      expect(plan.map(({ entry, state }) => [entry.name, state])).toEqual(names.map((name) => [name, 'absent']))
      expect(actionsOf(scene)).toEqual(everything)
      expect(record.record).toMatchObject({
        outcome: 'passed',
        details: {
          registry: scene.registry.url,
          distTag: 'latest',
          holdingTag: 'candidate',
          journal: journalOf(scene),
        },
      })
      expect(releaseInProgress(scene.ledger)).toBe(scene.world.evidence().releaseId)
      expect(readdirSync(scene.world.folder).filter((file) => file.startsWith('publishing-'))).toEqual([])
    }))

  test('P-56 PB3 again with --resume: nothing is sent, everything is read back', () =>
    approved(async (scene) => {
      await publishIn(scene)
      const before = scene.registry.requests.length
      const ending = await sceneEnding(scene, () => publishIn(scene, { resume: true }))
      expect(ending).toMatchObject({ exit: 0, uploads: 0, registryChanged: false })
      const tarballs = scene.registry.requests.slice(before).filter((one) => one.endsWith('.tgz'))
      expect(new Set(tarballs).size).toBe(3)
      expect(actionsOf(scene).slice(6)).toEqual(names.map((name) => `skip ${name}`))
    }))

  test('as a dry run: all is judged, nothing is sent, marked or written but the record', () =>
    approved(async (scene) => {
      const ending = await sceneEnding(scene, () => publishIn(scene, { dryRun: true }))
      expect(ending).toMatchObject({ exit: 0, uploads: 0, registryChanged: false })
      expect(scene.registry.requests).toEqual(names.map((name) => `GET /${name.replace('/', '%2f')}`))
      expect(releaseInProgress(scene.ledger)).toBeNull()
      expect(existsSync(join(scene.world.folder, journalFile))).toBe(false)
    }))
})

describe('what stops it', () => {
  test('PB1 the last package is there with other bytes: nothing was sent, and the ledger is free', () =>
    approved(async (scene) => {
      const { registry, world } = scene
      registry.faults(
        packument({ name: '@x/sdk' }, (body) => body),
        status({ on: 'packument', name: '@x/sdk' }, 200, {
          name: '@x/sdk',
          versions: { '1.2.3': { dist: { integrity: 'sha512-other' } } },
        }),
      )
      expect(await sceneEnding(scene, () => publishIn(scene))).toMatchObject({ code: 'version_conflict', uploads: 0 })
      expect(registry.requests.filter((one) => one.startsWith('PUT'))).toEqual([])
      expect(releaseInProgress(scene.ledger)).toBeNull()
      expect(existsSync(join(world.folder, journalFile))).toBe(false)
    }))

  test('PB1 a package that claims to be the same and serves other bytes: nothing was sent', () =>
    approved(async (scene) => {
      const { registry, world } = scene
      await kitUploader(registry.url).upload(world.tarball('@x/sdk'), 'candidate')
      registry.held('@x/sdk', '1.2.3').tarball = Buffer.from('other')
      const ending = await sceneEnding(scene, () => publishIn(scene))
      expect(ending).toMatchObject({ code: 'readback_bytes_mismatch', uploads: 0, registryChanged: false })
    }))

  test('PB2 PB5 a first tier that is served otherwise: no dependent is sent, no tag moves', () =>
    approved(async (scene) => {
      scene.registry.faults({
        on: 'tarball',
        change: (answer) => ({ ...answer, body: Buffer.from('other bytes') }),
      })
      const ending = await sceneEnding(scene, () => publishIn(scene))
      expect(ending).toMatchObject({ code: 'readback_bytes_mismatch', uploads: 1 })
      expect(actionsOf(scene)).toEqual(['upload @x/spec'])
      expect(await tagsOf(scene, '@x/spec')).toEqual({ candidate: '1.2.3' })
    }))

  test('P-55 PB4 a byte that changes after the pre-flight does not go out, whichever tier it is in', () =>
    approved(async (scene) => {
      const path = scene.world.tarball('@x/engine')
      const checkSource = () => writeFileSync(path, flipped(readFileSync(path), 9)) // the last of the pre-flight
      const ending = await sceneEnding(scene, () => publishIn(scene, { checkSource }))
      expect(ending).toMatchObject({ code: 'archive_sha256_mismatch', uploads: 1 })
    }))

  test('P-71 a version that is not shown until the deadline: exit 20, and the run can be resumed', () =>
    approved(async (scene) => {
      const patience = patienceIn(scene.world, 60)
      scene.registry.faults(status({ on: 'packument', name: '@x/spec' }, 404))
      const ending = await sceneEnding(scene, () => publishIn(scene, { patience }))
      expect(ending).toMatchObject({ code: 'readback_absent', exit: 20, uploads: 1 })
      scene.registry.faults()
      expect(await sceneEnding(scene, () => publishIn(scene, { resume: true }))).toMatchObject({ exit: 0, uploads: 2 })
    }))

  test.each<[string, Fault, string, number]>([
    ['401', status({ on: 'tag' }, 401), 'publish_rejected', 10],
    ['429', status({ on: 'tag' }, 429), 'registry_rate_limited', 20],
    ['503 and did nothing', status({ on: 'tag' }, 503), 'registry_server_error', 20],
  ])('a tag that the registry answers with %s', (_, fault, code, exit) =>
    approved(async (scene) => {
      scene.registry.faults(fault)
      expect(await sceneEnding(scene, () => publishIn(scene))).toMatchObject({ code, exit, uploads: 3 })
      scene.registry.faults()
      expect(await sceneEnding(scene, () => publishIn(scene, { resume: true }))).toMatchObject({ exit: 0, uploads: 0 })
      expect(await tagsOf(scene, '@x/sdk')).toEqual({ candidate: '1.2.3', latest: '1.2.3' })
    }),
  )
})

describe('an answer that was lost', () => {
  test.each<[string, Fault]>([
    ['P-59 a 503 after the file was stored', statusAfterwards({ on: 'publish', name: '@x/engine' }, 503)],
    ['P-59 a connection lost after the file was stored', leaving({ on: 'publish', name: '@x/engine' }, 'drop')],
    ['a 503 after the tag was moved', statusAfterwards({ on: 'tag', name: '@x/engine' }, 503)],
  ])('%s: the same run sees the same bytes and goes on', (_, fault) =>
    approved(async (scene) => {
      scene.registry.faults(fault)
      expect(await sceneEnding(scene, () => publishIn(scene))).toMatchObject({ exit: 0, uploads: 3 })
      expect(actionsOf(scene)).toEqual(everything)
    }),
  )

  test('P-59 lost and not shown yet: exit 20; the resumed run meets the version there and waits for it', () =>
    approved(async (scene) => {
      const { registry, world } = scene
      const name = '@x/spec'
      registry.faults(statusAfterwards({ on: 'publish' }, 503), status({ on: 'packument', name }, 404))
      const lost = await sceneEnding(scene, () => publishIn(scene))
      expect(lost).toMatchObject({ code: 'registry_server_error', exit: 20, uploads: 1 })
      registry.faults(status({ on: 'packument', name, times: 3 }, 404))
      const resumed = { resume: true, patience: patienceIn(world, 60) }
      expect(await sceneEnding(scene, () => publishIn(scene, resumed))).toMatchObject({ exit: 0, uploads: 2 })
      expect(journalOf(scene).map(({ status: code }) => code)).toEqual([503, 409, 201, 201, 201, 201, 201])
    }))
})

describe('the journal', () => {
  test('JO1 a line is on the disk before the next action begins', () =>
    approved(async (scene) => {
      const seen: number[] = []
      const uploader = (url: string): Uploader => ({
        ...kitUploader(url),
        upload(file, tag) {
          seen.push(journalOf(scene).length)
          return kitUploader(url).upload(file, tag)
        },
      })
      await publishIn(scene, { uploader })
      expect(seen).toEqual([0, 1, 2])
    }))

  test('JO2 a line that its writer could not finish is no line, and the next one takes its place', () => {
    const at = '2026-11-30T12:00:00.000Z'
    const line = {
      package: '@x/spec',
      stateBefore: 'absent',
      action: 'upload',
      status: 201,
      stateAfter: 'same',
      at,
    } as const
    openJournal(folder).add(line)
    appendFileSync(join(folder, journalFile), '{"package":"@x/eng')
    const journal = openJournal(folder)
    expect(journal.lines).toEqual([line])
    journal.add({ ...line, package: '@x/engine' })
    expect(openJournal(folder).lines.map(({ package: name }) => name)).toEqual(['@x/spec', '@x/engine'])
  })
})

describe('whose turn it is', () => {
  const turn = (pid: number) =>
    writeFileSync(join(folder, 'publishing-0001.json'), JSON.stringify({ host: hostname(), pid }))

  test('TU1 one at a time, and the next one after it was given back', async () => {
    const giveBack = takeTurn(folder)
    expect(await endingOf(() => takeTurn(folder))).toMatchObject({ code: 'release_in_progress' })
    giveBack()
    takeTurn(folder)()
    expect(readdirSync(folder)).toEqual([])
  })

  test('TU2 the turn of a dead program is taken by the next number, once', async () => {
    turn(2 ** 22 + 1)
    takeTurn(folder)
    expect(readdirSync(folder)).toEqual(['publishing-0001.json', 'publishing-0002.json'])
    expect(await endingOf(() => takeTurn(folder))).toMatchObject({ code: 'release_in_progress' })
  })

  test.each([
    ['a program of another host', JSON.stringify({ host: 'elsewhere', pid: 2 ** 22 + 1 })],
    ['somebody who left no name', ''],
  ])('TU1 %s may be alive', async (_, content) => {
    writeFileSync(join(folder, 'publishing-0001.json'), content)
    expect(await endingOf(() => takeTurn(folder))).toMatchObject({ code: 'release_in_progress' })
  })

  test('P-62 two publishers of one folder at once: one is refused, and each file is sent once', () =>
    approved(async (scene) => {
      const both = await Promise.all([1, 2].map(() => endingOf(() => publishIn(scene))))
      expect(both.map(({ code }) => code).toSorted()).toEqual([null, 'release_in_progress'])
      expect(scene.registry.uploads()).toBe(3)
    }))
})

describe('a publisher that is killed', () => {
  test.each([1, 2, 3])('P-58 after upload %i of 3: resumed, it finishes, and each file was uploaded once', (nth) =>
    approved(async (scene) => {
      const { registry, world } = scene
      registry.faults(leaving({ on: 'publish', after: nth - 1 }, 'silent'))
      const killed = relPublish(scene)
      await expect.poll(() => registry.uploads(), { timeout: 15_000 }).toBe(nth)
      killed.kill('SIGKILL')
      await new Promise((resolve) => killed.once('exit', resolve))
      expect(world.evidence().records.map(({ kind }) => kind)).not.toContain('publication')
      registry.faults()
      const resumed = relPublish(scene, '--resume')
      expect(await new Promise((resolve) => resumed.once('exit', resolve))).toBe(0)
      expect(registry.uploads()).toBe(3)
      for (const name of names) expect(await tagsOf(scene, name)).toEqual({ candidate: '1.2.3', latest: '1.2.3' })
      expect(world.evidence().records.at(-1)?.record).toMatchObject({ outcome: 'passed' })
    }),
  )

  function relPublish({ world, ledger, registry }: Scene, ...more: string[]): ChildProcess {
    const policy = join(world.folder, 'policy.json')
    const words = ['--release', world.folder, '--policy', policy, '--ledger', ledger, '--registry', registry.url]
    const main = join(import.meta.dirname, '../src/main.ts')
    return spawn(process.execPath, [main, 'publish', ...words, '--dist-tag', 'latest', ...more], {
      env: { ...process.env, REL_TEST: '1', TMPDIR: folder }, // what the dead leave behind is removed with it
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
})

test('the record of a publication that stopped says how far it came', () =>
  approved(async (scene) => {
    scene.registry.faults(status({ on: 'publish', after: 1 }, 403))
    const ending = await sceneEnding(scene, () => publishIn(scene))
    expect(ending).toMatchObject({ code: 'publish_rejected', uploads: 1 })
    const last = readdirSync(join(scene.world.folder, 'records')).toSorted().at(-1) ?? ''
    const record: unknown = JSON.parse(readFileSync(join(scene.world.folder, 'records', last), 'utf8'))
    expect(record).toMatchObject({
      outcome: 'refused',
      reason: 'publish_rejected',
      details: {
        journal: [
          { package: '@x/spec', stateAfter: 'unknown' },
          { package: '@x/engine', status: 403 },
        ],
      },
    })
  }))

// Publishing to a real registry: what drifted is not sent, what is there is not sent again, nothing goes anywhere else.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StandIn, startStandIn } from '../kit/stand-in-registry.ts'
import { flipped, gzip, tarball } from '../kit/tarball.ts'
import type { World } from '../kit/world.ts'
import { openShelf, relProcess, type Shelf, type Shelved } from './shelf.ts'

let shelf: Shelf
/** Where settings and environment point to; it must never be asked. */
let elsewhere: StandIn
let surroundings: Readonly<Record<string, string>>

beforeAll(async () => {
  shelf = await openShelf()
  elsewhere = await startStandIn()
  const names = [
    'npm_config_registry',
    'pnpm_config_registry',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'http_proxy',
    'https_proxy',
  ]
  surroundings = { ...Object.fromEntries(names.map((name) => [name, elsewhere.url])), NODE_USE_ENV_PROXY: '1' }
})
afterAll(async () => {
  await elsewhere.stop()
  await shelf.end()
})

const names = ['@x/spec', '@x/engine', '@x/sdk'] as const
const versionOf = ({ world }: Shelved): string => world.evidence().manifest.version

/** Which packages of a release the registry has. */
async function published(one: Shelved): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of names) {
    const versions = (await shelf.packument(name))?.versions ?? {}
    if (versionOf(one) in versions) found.push(name)
  }
  return found
}

const reasonOf = (world: World) => world.evidence().records.at(-1)?.record.reason

/** Refused with a code, in the record too, and nothing reached the registry. */
async function expectRefused(one: Shelved, { exit, err }: Awaited<ReturnType<Shelved['publish']>>, code: string) {
  expect(err.join('\n')).toContain(code)
  expect({ exit, published: await published(one) }).toEqual({ exit: 10, published: [] })
  expect(reasonOf(one.world)).toBe(code)
}

describe('what goes out', { timeout: 60_000 }, () => {
  test('a whole release goes out, is read back and installed, and serves the accepted bytes', async () => {
    const one = await shelf.release()
    expect(await one.publish()).toMatchObject({ exit: 0 })
    expect(await one.readback()).toMatchObject({ exit: 0 })
    for (const { name, version, file } of one.world.evidence().manifest.packages) {
      const base = name.split('/')[1]
      const response = await fetch(`${shelf.verdaccio.url}${name}/-/${base}-${version}.tgz`)
      expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(one.world.tarball(name)))).toBe(true)
      expect((await shelf.packument(name))?.['dist-tags']).toEqual({ latest: version, candidate: version })
      expect(one.world.evidence().records.at(-1)?.record).toMatchObject({
        details: { consumerLockfile: { [name]: file.sha512 } },
      })
    }
  })

  test('P-56 a package that is there with the same bytes is not sent again, and is read back all the same', async () => {
    const one = await shelf.release()
    await shelf.raw.upload(one.world.tarball('@x/spec'), 'candidate')
    expect(await one.publish()).toMatchObject({ exit: 0 })
    expect(await one.readback()).toMatchObject({ exit: 0 })
    const publication = one.world.evidence().records.find(({ kind }) => kind === 'publication')?.record
    expect(publication?.details).toMatchObject({
      journal: [{ package: '@x/spec', action: 'skip' }, { action: 'upload' }, { action: 'upload' }, {}, {}, {}],
    })
  })

  test('a dry run sends nothing and tells what would go out', async () => {
    const one = await shelf.release()
    const { exit, out } = await one.publish('--dry-run')
    expect({ exit, published: await published(one) }).toEqual({ exit: 0, published: [] })
    for (const { name, file } of one.world.evidence().manifest.packages) {
      expect(out.find((line) => line.includes(`${name}@`))).toContain(`${file.size} bytes  sha256 ${file.sha256}`)
    }
  })
})

describe('what drifted', { timeout: 60_000 }, () => {
  test('P-07 a byte of the gzip header after the manifest', async () => {
    const one = await shelf.release()
    const path = one.world.tarball('@x/sdk')
    writeFileSync(path, flipped(readFileSync(path), 9))
    await expectRefused(one, await one.publish(), 'archive_sha256_mismatch')
  })

  test('P-08 a byte of a file, compressed again', async () => {
    const one = await shelf.release()
    const path = one.world.tarball('@x/sdk')
    const content = gunzipSync(readFileSync(path))
    writeFileSync(path, gzip(flipped(content, content.indexOf('export const name') + 8)))
    await expectRefused(one, await one.publish(), 'file_content_mismatch')
  })

  test('P-55 a byte flipped between plan and upload; a tool that does not look again publishes it', async () => {
    const one = await shelf.release()
    const path = one.world.tarball('@x/spec')
    writeFileSync(path, flipped(readFileSync(path), 9))
    await expectRefused(one, await one.publish(), 'archive_sha256_mismatch')
    expect(await shelf.raw.upload(path, 'candidate')).toMatchObject({ outcome: 'stored' })
    expect(await published(one)).toEqual(['@x/spec'])
  })

  test('P-57 the version is there with other bytes: refused before any upload of the set', async () => {
    const one = await shelf.release()
    const other = join(shelf.folder, 'other.tgz')
    const manifest = { name: '@x/sdk', version: versionOf(one) }
    writeFileSync(other, tarball([{ path: 'package.json', content: JSON.stringify(manifest) }]))
    await shelf.raw.upload(other, 'candidate')
    const { exit, err } = await one.publish()
    expect(err.join('\n')).toContain('version_conflict')
    expect({ exit, published: await published(one) }).toEqual({ exit: 10, published: ['@x/sdk'] })
  })
})

describe('where it goes', { timeout: 60_000 }, () => {
  test('P-34 a registry that only settings and environment name', async () => {
    const one = await shelf.release()
    const at = one.words.indexOf('--registry')
    const { exit, output } = await relProcess(['publish', ...one.words.toSpliced(at, 2)], surroundings)
    expect(output).toContain('registry_not_explicit')
    expect({ exit, published: await published(one), asked: elsewhere.requests }).toEqual({
      exit: 10,
      published: [],
      asked: [],
    })
  })

  test('P-35 a registry that was not approved: refused, and neither one is asked', async () => {
    const one = await shelf.release()
    const words = one.words.with(one.words.indexOf('--registry') + 1, elsewhere.url)
    const { exit, output } = await relProcess(['publish', ...words], surroundings)
    expect(output).toContain('registry_mismatch')
    expect({ exit, asked: elsewhere.requests }).toEqual({ exit: 10, asked: [] })
  })

  test('P-35 the approved one: no packet goes where proxy and registry of the environment point', async () => {
    const one = await shelf.release()
    const { exit, output } = await relProcess(['publish', ...one.words], surroundings)
    expect({ exit, published: await published(one) }, output).toEqual({ exit: 0, published: [...names] })
    expect(elsewhere.requests).toEqual([])
  })

  test('P-62 two publishers at once: one is refused, and the release is out once', async () => {
    const one = await shelf.release()
    const both = await Promise.all([1, 2].map(() => relProcess(['publish', ...one.words])))
    expect(both.map(({ exit }) => exit).toSorted()).toEqual([0, 10])
    expect(both.find(({ exit }) => exit === 10)?.output).toContain('release_in_progress')
    expect(await published(one)).toEqual([...names])
  })

  test.each([
    ['a folder', ['packages/sdk'], 10, 'directory_publish_forbidden'],
    ['a relative path', ['tarballs/x-sdk.tgz'], 10, 'directory_publish_forbidden'],
    ['--force', ['--force'], 2, '--force'],
  ])('P-63 %s is refused', async (_, more, exit, says) => {
    const one = await shelf.release()
    const ended = await one.publish(...more)
    expect(ended.err.join('\n')).toContain(says)
    expect({ exit: ended.exit, published: await published(one) }).toEqual({ exit, published: [] })
  })

  test('P-63 a folder where the tarball lay', async () => {
    const one = await shelf.release()
    rmSync(one.world.tarball('@x/spec'))
    mkdirSync(one.world.tarball('@x/spec'))
    await expectRefused(one, await one.publish(), 'directory_publish_forbidden')
  })

  test('P-64 a prerelease for latest, approved by mistake', async () => {
    const one = await shelf.release({ version: '3.0.0-rc.1', distTag: 'latest' })
    await expectRefused(one, await one.publish(), 'tag_policy_violation')
  })

  test('P-60 without a token: refused by the registry, not repeated, nothing there', async () => {
    const one = await shelf.release()
    const words = one.words.toSpliced(one.words.indexOf('--userconfig'), 2)
    const { exit, output } = await relProcess(['publish', ...words])
    expect(output).toContain('publish_rejected')
    expect({ exit, published: await published(one) }).toEqual({ exit: 10, published: [] })
  })
})

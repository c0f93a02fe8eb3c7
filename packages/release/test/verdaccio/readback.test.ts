// Reading back from a real registry, whose storage somebody changes behind its back.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flipped } from '../kit/tarball.ts'
import { threePackages } from '../kit/world-packages.ts'
import { openShelf, ran, type Shelf, type Shelved } from './shelf.ts'

let shelf: Shelf
beforeAll(async () => {
  shelf = await openShelf()
})
afterAll(() => shelf.end())

/** The three packages, of another scope. */
const scoped = (scope: string) =>
  threePackages.map((one) => ({
    ...one,
    name: one.name.replace('@x', scope),
    needs: one.needs.map((name) => name.replace('@x', scope)),
  }))

/** An application that uses the set, with a cache of its own. */
function consumer(folder: string, { world }: Shelved) {
  mkdirSync(folder)
  const { packages } = world.evidence().manifest
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, dependencies }))
  writeFileSync(join(folder, '.npmrc'), `@x:registry=${shelf.verdaccio.url}\n`)
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'packages: ["."]\nfetchRetries: 0\n')
  const fresh = { npm_config_cache: join(folder, 'cache'), XDG_CACHE_HOME: join(folder, 'cache') }
  return {
    npm: (...words: string[]) =>
      ran('npm', [...words, '--no-audit', '--no-fund', '--fetch-retries=0'], { cwd: folder, env: fresh }),
    pnpm: (...words: string[]) =>
      ran(shelf.pnpm, [...words, '--store-dir', join(folder, 'store')], {
        cwd: folder,
        env: fresh,
      }),
    forget() {
      for (const one of ['node_modules', 'cache', 'store']) rmSync(join(folder, one), { recursive: true, force: true })
    },
  }
}

describe('a real registry', { timeout: 60_000 }, () => {
  test('P-65 the first version of a package gets latest beside its tag: found and said', async () => {
    const one = await shelf.release({ version: '2.0.0-rc.1', packages: scoped('@first') })
    expect(await one.publish()).toMatchObject({ exit: 0 })
    expect((await shelf.packument('@first/spec'))?.['dist-tags']).toMatchObject({ latest: '2.0.0-rc.1' })
    const { exit, err } = await one.readback()
    expect({ exit, code: err[0]?.split(':')[0] }).toEqual({ exit: 10, code: 'latest_tag_unintended' })
  })

  test('P-76 a byte of the storage: our read-back, npm ci and pnpm all refuse it', async () => {
    const one = await shelf.release()
    expect(await one.publish()).toMatchObject({ exit: 0 })
    const [byNpm, byPnpm] = [consumer(join(shelf.folder, 'npm'), one), consumer(join(shelf.folder, 'pnpm'), one)]
    expect(await byNpm.npm('install')).toMatchObject({ exit: 0 })
    expect(await byNpm.npm('ci')).toMatchObject({ exit: 0 })
    expect(await byPnpm.pnpm('install')).toMatchObject({ exit: 0 })

    const stored = join(shelf.verdaccio.storage, '@x/sdk', `sdk-${one.world.evidence().manifest.version}.tgz`)
    writeFileSync(stored, flipped(readFileSync(stored), 9))

    const { exit, err } = await one.readback()
    expect(err.join('\n')).toContain('readback_bytes_mismatch')
    expect(exit).toBe(10)
    byNpm.forget()
    byPnpm.forget()
    const npm = await byNpm.npm('ci')
    expect(npm.output).toContain('EINTEGRITY')
    expect(npm.exit).not.toBe(0)
    const pnpm = await byPnpm.pnpm('install', '--frozen-lockfile')
    expect(pnpm.output).toContain('INTEGRITY')
    expect(pnpm.exit).not.toBe(0)
  })
})

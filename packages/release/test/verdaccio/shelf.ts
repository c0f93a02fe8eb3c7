// One Verdaccio for a test file, and releases that go there: each has a version of its own, because a registry keeps versions.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locatePnpm, pnpmUploader, type Uploader } from '../../src/registry/upload.ts'
import { rel } from '../kit/rel.ts'
import { startVerdaccio, type Verdaccio } from '../kit/verdaccio.ts'
import { makeWorld, type World, type WorldOptions } from '../kit/world.ts'

/** A release of the shelf, approved and not published. */
export interface Shelved {
  readonly world: World
  readonly ledger: string
  /** Runs `rel publish` in this process, with more words. */
  publish(...more: readonly string[]): ReturnType<typeof rel>
  readback(...more: readonly string[]): ReturnType<typeof rel>
  /** What stands after `rel publish`, for a process of its own. */
  readonly words: readonly string[]
}

export interface Shelf {
  /** The pinned pnpm, a program. */
  readonly pnpm: string
  readonly verdaccio: Verdaccio
  readonly folder: string
  /** What anybody can do who has the token: nothing is judged. */
  readonly raw: Uploader
  release(options?: WorldOptions): Promise<Shelved>
  /** The packument of a package; null where the registry has none. */
  packument(name: string): Promise<{ versions: Record<string, unknown>; 'dist-tags': Record<string, string> } | null>
  end(): Promise<void>
}

export async function openShelf(): Promise<Shelf> {
  const folder = mkdtempSync(join(tmpdir(), 'shelf-'))
  const verdaccio = await startVerdaccio(join(folder, 'verdaccio'))
  const { url, userconfig } = verdaccio
  const pnpm = locatePnpm('12.4.2')
  let patch = 0
  return {
    pnpm,
    verdaccio,
    folder,
    raw: pnpmUploader({ registry: url, pnpm, userconfig, provenance: false, seconds: 60 }),
    async release(options = {}) {
      patch += 1
      const [release, ledger] = [join(folder, `release-${patch}`), join(folder, `ledger-${patch}`)]
      for (const one of [release, ledger]) mkdirSync(one)
      const world = await makeWorld(release, { version: `1.0.${patch}`, until: 'approval', registry: url, ...options })
      const where = ['--release', release, '--registry', url]
      const what = ['--policy', join(release, 'policy.json'), '--ledger', ledger, '--dist-tag', world.distTag]
      const words = [...where, ...what, '--pnpm', pnpm, '--userconfig', userconfig]
      return {
        world,
        ledger,
        words,
        publish: (...more) => rel(['publish', ...words, ...more], world.context),
        readback: (...more) => rel(['readback', ...where, ...more], world.context),
      }
    },
    async packument(name) {
      const response = await fetch(`${url}${name.replace('/', '%2f')}`)
      return response.status === 404 ? null : JSON.parse(await response.text())
    },
    async end() {
      await verdaccio.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a program; answers with its exit code and all that it wrote. */
export function ran(
  program: string,
  args: readonly string[],
  how: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly exit: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...how.env }
    const child = spawn(program, args, { cwd: how.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece
      })
    }
    child.once('error', reject)
    child.once('close', (exit) => resolve({ exit, output }))
  })
}

/** `rel` as a process of its own. */
export const relProcess = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  ran(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...words], { env: { REL_TEST: '1', ...env } })

// The set as a consumer gets it: npm, an empty folder, the registry for the scopes of the set, usual settings for the rest.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from '../evidence.ts'
import { type Fields, fieldsOf, parsedJson, textOf } from '../fields.ts'
import { refuseUnless } from '../guard.ts'
import { inOwnFolder } from '../own-folder.ts'
import type { Manifest } from '../records/manifest.ts'
import { environmentOf, runTool } from '../tool-run.ts'

/** How an install ended. */
export interface Installed {
  readonly exit: number
  /** npm's own code (`EINTEGRITY`); null where it gave none. */
  readonly code: string | null
  /** The lockfile that it wrote; null where there is none. */
  readonly lockfile: Fields | null
}

/** Installs a set from a registry into an empty folder. */
export type Install = (evidence: Evidence, registry: string) => Promise<Installed>

/**
 * Judges what a consumer got.
 *
 * @returns package → integrity in its lockfile
 * @throws Refused readback_bytes_mismatch, registry_unreachable, readback_metadata_mismatch, readback_tarball_origin_mismatch
 */
export function judgeInstall(
  { packages }: Manifest,
  registry: string,
  { exit, code, lockfile }: Installed,
): Readonly<Record<string, string>> {
  refuseUnless(code !== 'EINTEGRITY', 'readback_bytes_mismatch', { consumer: 'npm install', actual: code })
  refuseUnless(exit === 0, 'registry_unreachable', { consumer: 'npm install', exit, code })
  const entries = fieldsOf(lockfile?.packages)
  return Object.fromEntries(
    packages.map(({ name, file }) => {
      const { integrity, resolved } = fieldsOf(entries[`node_modules/${name}`])
      refuseUnless(integrity === file.sha512, 'readback_metadata_mismatch', {
        package: name,
        field: 'integrity in the lockfile of a fresh install',
        expected: file.sha512,
        actual: textOf(integrity),
      })
      refuseUnless(textOf(resolved)?.startsWith(registry) === true, 'readback_tarball_origin_mismatch', {
        package: name,
        expected: registry,
        actual: textOf(resolved),
      })
      return [name, file.sha512]
    }),
  )
}

const install =
  'npm install --ignore-scripts --no-audit --no-fund --package-lock=true --omit-lockfile-registry-resolved=false'.split(
    ' ',
  )

/** npm's codes for a version that its cache did not know of yet. */
const isStale = (output: string): boolean => /npm error code (ETARGET|E404)\b/.test(output)

/** The install by the npm at hand. Third-party packages come from where they always come from, the cache first. */
export const npmInstall: Install = ({ manifest }, registry) =>
  inOwnFolder('consumer-', async (folder) => {
    const dependencies = Object.fromEntries(manifest.packages.map(({ name, version }) => [name, version]))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, dependencies }))
    const scopes = new Set(manifest.packages.map(({ name }) => name.split('/')[0]))
    writeFileSync(join(folder, '.npmrc'), [...scopes].map((scope) => `${scope}:registry=${registry}\n`).join(''))
    const npm = (...how: readonly string[]) =>
      runTool([...install, ...how], { cwd: folder, env: environmentOf(/^/), umask: 0o022 })
    const cached = await npm('--prefer-offline')
    // The cache may have a packument of ours from before this release. Asked again, npm takes a cached answer only where it
    // gets no other; so a machine without a network still finds the packages of others.
    const { status, output } = isStale(cached.output) ? await npm('--prefer-online', '--fetch-retries=0') : cached
    const lockfile = join(folder, 'package-lock.json')
    return {
      exit: status,
      code: /npm error code (\S+)/.exec(output)?.[1] ?? null,
      lockfile: existsSync(lockfile) ? parsedJson(readFileSync(lockfile, 'utf8')) : null,
    }
  })

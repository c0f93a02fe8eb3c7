// Sending: one file, one tag, by the pinned pnpm as a process of its own.
//
// pnpm and not npm: npm adds the absolute path of the file to the public metadata; pnpm 12 publishes natively, in one PUT and
// without a repetition of its own (measured against the stand-in registry, 2026-11-30).
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute } from 'node:path'
import { refuseUnless } from '../guard.ts'
import { inOwnFolder } from '../own-folder.ts'
import { environmentOf, type Ran, runTool } from '../tool-run.ts'

/** How a request to change the registry ended. */
export interface Sent {
  /**
   * stored: it said so · taken: it has this version already · rejected: it does not want it · limited: too many requests ·
   * unknown: an error of its own, or no answer; it may have been stored.
   */
  readonly outcome: 'stored' | 'taken' | 'rejected' | 'limited' | 'unknown'
  /** null where no answer came. */
  readonly status: number | null
  /** What the client said, for people. */
  readonly says: string
}

/** What has the right to change a registry. */
export interface Uploader {
  /** @throws Refused directory_publish_forbidden */
  upload(file: string, tag: string): Promise<Sent>
  moveTag(name: string, version: string, tag: string): Promise<Sent>
}

/** For the production uploader. */
export interface PnpmOptions {
  /** It ends in a stroke. */
  readonly registry: string
  /** Absolute path of the program. */
  readonly pnpm: string
  /** Private npmrc with the token; null where the surroundings vouch for us (OIDC). */
  readonly userconfig: string | null
  /** Whether to have the upload attested; only some surroundings can. */
  readonly provenance: boolean
  /** How long one upload may take. */
  readonly seconds: number
}

/** What an identity provider of a CI hands on; nothing else of the environment reaches the child. */
const handedOn = /^(PATH|CI|ACTIONS_ID_TOKEN_REQUEST_(URL|TOKEN)|GITHUB_[A-Z_]+|NPM_ID_TOKEN|SIGSTORE_ID_TOKEN)$/

/**
 * Uploads by pnpm: an absolute file, an explicit registry and tag, no scripts, a private userconfig, an empty folder as home
 * and working folder; so neither settings nor environment decide where anything goes.
 */
export function pnpmUploader(options: PnpmOptions): Uploader {
  const { registry, userconfig, provenance } = options
  const always = ['--registry', registry, ...(userconfig === null ? [] : ['--userconfig', userconfig])]
  return {
    async upload(file, tag) {
      refuseUnless(isAbsolute(file), 'directory_publish_forbidden', { file, expected: 'an absolute path' })
      refuseUnless(lstatSync(file).isFile(), 'directory_publish_forbidden', { file, expected: 'a file' })
      const how = ['--ignore-scripts', '--no-git-checks', '--access', 'public', ...(provenance ? ['--provenance'] : [])]
      const sent = await sentBy(options, ['publish', file, '--tag', tag, ...how, ...always])
      return { ...sent, says: sent.says.replaceAll(dirname(file), '…') } // it goes into a record that others read
    },
    moveTag: (name, version, tag) => sentBy(options, ['dist-tag', 'add', `${name}@${version}`, tag, ...always]),
  }
}

const sentBy = ({ pnpm, seconds }: PnpmOptions, args: readonly string[]): Promise<Sent> =>
  inOwnFolder('publish-', async (home) => {
    const env = { ...environmentOf(handedOn), HOME: home }
    return sentOf(await runTool([pnpm, ...args], { cwd: home, env, umask: 0o077, seconds }))
  })

/** What pnpm's words mean. A failure without a status is an answer that never came. */
export function sentOf({ status: exit, output }: Ran): Sent {
  const says = output.trim()
  if (exit === 0) return { outcome: 'stored', status: null, says }
  const status = Number(/\(status\s+(\d{3})\b/.exec(says)?.[1] ?? 0) || null
  return { outcome: outcomeOf(status, says), status, says }
}

/** What a status says about an upload. Some registries refuse a second upload by 403 and words. */
export function outcomeOf(status: number | null, says: string): Sent['outcome'] {
  if (status === null || status >= 500) return 'unknown'
  if (status < 300) return 'stored'
  if (status === 429) return 'limited'
  return status === 409 || /previously published|cannot publish over/i.test(says) ? 'taken' : 'rejected'
}

/**
 * The pinned pnpm: the program that was named, or the one that npm finds, which fetches it when it is not there yet.
 *
 * @throws Refused packer_version_mismatch
 * @throws Error when npm does not find it
 */
export function pinnedPnpm(version: string, named: string | undefined): string {
  const pnpm = named ?? locatePnpm(version)
  const actual = answerOf(pnpm, ['--version'], { cwd: tmpdir(), env: environmentOf(/^PATH$/) })
  refuseUnless(actual === version, 'packer_version_mismatch', { tool: 'pnpm', expected: version, actual })
  return pnpm
}

export const locatePnpm = (version: string): string =>
  answerOf('npm', ['exec', '--yes', '--prefer-offline', `--package=pnpm@${version}`, '--call', 'command -v pnpm'])

const answerOf = (program: string, args: readonly string[], how: ExecFileSyncOptions = {}): string =>
  execFileSync(program, args, { ...how, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

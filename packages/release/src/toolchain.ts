// The tools of a pack: what the commit pins, and what really ran.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuseUnless } from './guard.ts'
import { exactVersion } from './records/digests.ts'
import type { Packing } from './records/manifest.ts'
import { object, type Shaped, shaped, table, text } from './shape.ts'
import type { Ran } from './tool-run.ts'

/** Versions as they were asked from the tools themselves, in the environment of the pack. */
export type Measured = Shaped<typeof measuredShape> & { readonly pnpm: string; readonly typescript: string }

const measuredShape = object({ node: exactVersion, zlib: text(), platform: text() })

/** Runs a program in the clone and in the environment of the pack. */
export type RunInClone = (words: readonly string[]) => Promise<Ran>

const askNode = [
  'node',
  '-p',
  'JSON.stringify({ node: process.versions.node, zlib: process.versions.zlib, platform: process.platform + "-" + process.arch })',
]

/** Asks the tools that a pack in this clone runs. @throws Error when one does not answer */
export async function measureTools(run: RunInClone, packer: readonly string[], clone: string): Promise<Measured> {
  const said: unknown = JSON.parse(await ask(run, askNode))
  const typescript: unknown = JSON.parse(readFileSync(join(clone, 'node_modules/typescript/package.json'), 'utf8'))
  const anything = { holds: (value: unknown): value is unknown => value !== undefined }
  return {
    ...shaped(measuredShape, said, 'node'),
    pnpm: shaped(exactVersion, await ask(run, [...packer, '--version']), 'packer'),
    typescript: shaped(exactVersion, shaped(table(anything), typescript, 'typescript').version, 'typescript.version'),
  }
}

async function ask(run: RunInClone, words: readonly string[]): Promise<string> {
  const { status, output, answer } = await run(words)
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${output}`)
  return answer.trim()
}

/**
 * Whether the tools are those that the commit pins: pnpm by `packageManager`; Node and TypeScript where the root manifest
 * has them, as an exact version, among what it needs for development.
 *
 * @throws Refused packer_version_mismatch
 * @source release design §4.1; P-11
 */
export function judgeTools(rootManifest: Readonly<Record<string, unknown>>, measured: Measured): void {
  const pinned = pinnedTools(rootManifest)
  for (const tool of ['pnpm', 'node', 'typescript'] as const) {
    const expected = pinned[tool] ?? measured[tool]
    refuseUnless(measured[tool] === expected, 'packer_version_mismatch', { tool, expected, actual: measured[tool] })
  }
}

/** The exact versions that a manifest pins; undefined where it leaves a tool open. */
function pinnedTools(manifest: Readonly<Record<string, unknown>>) {
  const packer = shaped(text(/^pnpm@\d+\.\d+\.\d+/, 'pnpm@ and a version'), manifest.packageManager, 'packageManager')
  const development = shaped(table(text()), manifest.devDependencies ?? {}, 'devDependencies')
  const exactly = (range = '') => /^(?:npm:node@)?(\d+\.\d+\.\d+)$/.exec(range)?.[1]
  return {
    pnpm: packer.replace(/^pnpm@|\+.*$/g, ''),
    node: exactly(development.node),
    typescript: exactly(development.typescript),
  }
}

/** The tools as packing writes them down, with the integrity by which the lockfile takes them. */
export function toolchainOf(
  measured: Measured,
  lockfile: string,
  packCommand: readonly string[],
): Packing['toolchain'] {
  const { node, pnpm, typescript, platform, zlib } = measured
  return {
    node,
    pnpm: { version: pnpm, integrity: integrityIn(lockfile, `pnpm@${pnpm}`) },
    typescript: { version: typescript, integrity: integrityIn(lockfile, `typescript@${typescript}`) },
    packCommand,
    platform,
    zlib,
  }
}

/** The integrity of a package in a pnpm lockfile; null where it has none. */
function integrityIn(lockfile: string, id: string): string | null {
  const lines = lockfile.split('\n')
  const found = lines.flatMap((line, at) => (line === `  ${id}:` ? [lines[at + 1] ?? ''] : []))
  const integrities = found.flatMap((line) => /^ {4}resolution: \{integrity: ([^,}]+)/.exec(line)?.[1] ?? [])
  return integrities[0] ?? null
}

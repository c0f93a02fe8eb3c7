// Packs what is published: builds each package into a folder of its own and lets the pinned pnpm pack them all.
//
// Owns:      what a tarball holds, and that two runs give the same bytes.
// Does not:  publish anything, touch `dist/` of the checkout.
//
//   PK1  Two runs from the same sources write the same bytes, wherever the folders lie.
//   PK2  A tarball holds what this build wrote (the licences of what it bundles among it), package.json, README.md, LICENSE and
//        the changelog if there is one; nothing of an earlier build.
//
// pnpm packs, because one version of it is pinned and it leaves nothing to chance: fixed time and owner, modes by kind. npm
// comes with Node, whichever is there, and lets the modes of the disk through.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildPackage } from './build-package.ts'
import { fields, type Published, root } from './published.ts'
import { changelogFile, publishedManifest } from './published-manifest.ts'

/** One package, built and laid out as it is packed. */
export interface Staged {
  readonly one: Published
  readonly folder: string
}

/** One packed package. */
export interface Tarball {
  readonly name: string
  readonly version: string
  /** Absolute path of the `.tgz`. */
  readonly file: string
  /** Paths inside, sorted. */
  readonly files: readonly string[]
  readonly bytes: number
  /** Of the file, in hex. */
  readonly sha256: string
}

/**
 * Builds and packs into a folder, which is empty, or not there.
 *
 * @param gitHead  the commit that the sources are, written into each manifest; none is written without
 * @throws Error when the folder holds something, a package does not build, or pnpm does not pack them all
 */
export async function packPublished(packages: readonly Published[], out: string, gitHead?: string): Promise<Tarball[]> {
  const workshop = mkdtempSync(join(tmpdir(), 'pack-'))
  try {
    return packStaged(await stagePublished(packages, workshop, gitHead), workshop, out)
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

/** Builds each package into a folder below the workshop, and lays its published manifest and its documents beside. */
export async function stagePublished(
  packages: readonly Published[],
  workshop: string,
  gitHead?: string,
): Promise<Staged[]> {
  const versions = new Map(packages.map(({ name, manifest }) => [name, `${manifest.get('version')}`]))
  const staged: Staged[] = []
  for (const one of packages) {
    const folder = join(workshop, one.path.replace('/', '-'))
    await buildPackage(one, join(folder, 'dist'))
    const manifest = publishedManifest(one, versions, gitHead)
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    cpSync(join(one.folder, 'README.md'), join(folder, 'README.md'))
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    const changelog = join(one.folder, changelogFile)
    if (existsSync(changelog)) cpSync(changelog, join(folder, changelogFile))
    staged.push({ one, folder })
  }
  return staged
}

/** Packs what was staged below a workshop. */
export function packStaged(staged: readonly Staged[], workshop: string, out: string): Tarball[] {
  const folder = resolve(out)
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty; name a folder that is, or that is not there`)
  }
  const packed = packAll(workshop, folder)
  const tarballs = staged.map(({ one }) => tarballOf(one, packed))
  // `@x/server` and `x-server` are packed into files of one name, and the later one stays.
  if (new Set(tarballs.map(({ file }) => file)).size < tarballs.length) {
    throw new Error(`two packages are packed into one file: ${tarballs.map(({ file }) => file).join(', ')}`)
  }
  return tarballs
}

/**
 * The environment for a package manager in a folder of its own: where packages come from stays as it is set, all else that a
 * script of npm or pnpm hands on (the folder it ran in, its flags) does not.
 */
export function packageManagerEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => {
      const isSetting =
        /^(npm|pnpm)_/i.test(name) && !/config_(.*registry|.*proxy|noproxy|ca|cafile|cache|userconfig)$/i.test(name)
      return value === undefined || isSetting ? [] : [[name, value]]
    }),
  )
}

/** One call for all: pnpm starts once. It answers with what it wrote. */
function packAll(workshop: string, out: string): readonly unknown[] {
  const manifest = fields(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  writeFileSync(join(workshop, 'pnpm-workspace.yaml'), 'packages: ["*"]\nignoreScripts: true\n')
  writeFileSync(join(workshop, 'package.json'), JSON.stringify({ name: 'workshop', private: true }))
  const args = ['-y', `${manifest.get('packageManager')}`, '--recursive', 'pack', '--json', '--pack-destination', out]
  const answer: unknown = JSON.parse(
    execFileSync('npx', args, {
      cwd: workshop,
      env: packageManagerEnvironment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 1 << 26,
    }),
  )
  return Array.isArray(answer) ? answer : [answer]
}

function tarballOf({ name }: Published, packed: readonly unknown[]): Tarball {
  const said = packed.map(fields).find((one) => one.get('name') === name)
  const files = said?.get('files')
  if (said === undefined || !Array.isArray(files)) throw new Error(`pnpm did not pack ${name}`)
  const file = `${said.get('filename')}`
  const content = readFileSync(file)
  return {
    name,
    version: `${said.get('version')}`,
    file,
    files: files.map((one) => `${fields(one).get('path')}`).toSorted(),
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }
}

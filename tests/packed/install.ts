// The tarballs in an empty folder, as a user has them.
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { packageManagerEnvironment, type Tarball } from '../../scripts/pack-published.ts'
import { fields, root } from '../../scripts/published.ts'

/** A folder with the tarballs installed; or why there is none. */
export type Installed = { readonly folder: string } | { readonly missing: string }

/** npm's words when no registry answers and its cache has not all that is needed; every other failure is one. */
const noRegistry =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

/**
 * Makes the folder and installs every tarball there, with what the quick start uses besides: zod, and types of Node.
 *
 * @throws Error with npm's words when it fails for another reason than that no registry answers
 */
export async function install(tarballs: readonly Tarball[], folder: string): Promise<Installed> {
  await mkdir(folder)
  await symlink(process.execPath, join(folder, 'node'))
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`])),
      zod: await rangeIn('packages/protocol', 'dependencies', 'zod'),
    },
    devDependencies: { '@types/node': await rangeIn('.', 'devDependencies', '@types/node') },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier', '--fetch-retries=1']
  try {
    await promisify(execFile)('npm', args, { cwd: folder, env: { ...packageManagerEnvironment(), ...pathFor(folder) } })
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const missing = noRegistry.exec(said)?.[0]
    if (missing === undefined) throw error
    return { missing: `npm says ${missing}` }
  }
  return { folder }
}

async function rangeIn(path: string, kind: string, name: string): Promise<string> {
  const manifest = fields(JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8')))
  const range = fields(manifest.get(kind)).get(name)
  if (typeof range !== 'string') throw new Error(`${path}/package.json names no ${name} among its ${kind}`)
  return range
}

/** A PATH without the programs of the repository, and with the Node that runs the tests first. */
function pathFor(folder: string): { PATH: string } {
  const others = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !`${path}${sep}`.startsWith(`${root}${sep}`))
  return { PATH: [folder, ...others].join(delimiter) }
}

/**
 * The environment of a program in that folder: no setting of ours, no condition, no cache of compiled sources, no program of
 * the repository.
 */
export function consumerEnvironment(folder: string): Record<string, string> {
  const { HOME = folder, TMPDIR } = process.env
  return { ...pathFor(folder), HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) }
}

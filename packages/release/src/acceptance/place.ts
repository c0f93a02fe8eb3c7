// A folder of its own below the system's temporary one, with a release installed in it and nothing of a checkout.
//
//   consumer/          package.json, node_modules, programs/ of the suite; programs run here
//   tarballs/          copies of what was packed
//   bin/node           the Node that runs this program
//   work/ tmp/ home/   what programs write; tmp and home must be empty in the end
//   loaded/            one list a process of the files that it loaded
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { refuseUnless } from '../guard.ts'
import { preload } from './loaded.ts'
import { redact } from './redact.ts'
import type { Suite } from './suite.ts'

/** Where a release is installed. */
export interface Place {
  readonly folder: string
  readonly consumer: string
  /** Occurs in the environment of every process that was started here, and of those that they started. */
  readonly mark: string
  /** The whole environment of a program, without what the suite adds. */
  readonly env: Readonly<Record<string, string>>
}

/** A tarball and the package in it. */
export interface PackedFile {
  readonly name: string
  readonly file: string
}

/** npm's words when no registry answers and its cache has not all that is needed. */
const noRegistry =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

/** Makes the folders; nothing is installed yet. */
export function makePlace(suite: Suite): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'acceptance-')))
  const consumer = join(folder, 'consumer')
  for (const inner of ['consumer', 'tarballs', 'bin', 'work', 'tmp', 'home', 'loaded', 'npm'])
    mkdirSync(join(folder, inner))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  cpSync(join(suite.folder, 'programs'), join(consumer, 'programs'), { recursive: true })
  const preloaded = join(folder, 'preload.mjs')
  writeFileSync(preloaded, preload(join(folder, 'loaded')))
  const mark = `REL_ACCEPTANCE=${folder}`
  return {
    folder,
    consumer,
    mark,
    env: {
      PATH: [join(folder, 'bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      LANG: 'C.UTF-8',
      NODE_OPTIONS: `--import=${pathToFileURL(preloaded).href}`,
      REL_ACCEPTANCE: folder,
    },
  }
}

/** How npm is called; tests hand in one that fails. */
export interface PackageManager {
  readonly npm: readonly string[]
  /** Lines of its configuration: where packages come from. */
  readonly settings: string
}

/**
 * Installs tarballs and the third-party packages of the suite with npm; scripts do not run.
 *
 * @param manager  default: the npm of the PATH, with its settings but without its credentials
 * @throws Refused acceptance_cell_blocked when a third-party package cannot be fetched, acceptance_failed when npm cannot
 *   install what was packed
 */
export async function install(
  place: Place,
  suite: Suite,
  tarballs: readonly PackedFile[],
  manager?: PackageManager,
): Promise<void> {
  const ours = tarballs.map(({ name, file }) => {
    cpSync(file, join(place.folder, 'tarballs', `${name.replace('/', '-')}.tgz`))
    return [name, `file:../tarballs/${name.replace('/', '-')}.tgz`] as const
  })
  const manifest = {
    name: 'consumer',
    version: '0.0.0',
    private: true,
    type: 'module',
    dependencies: { ...suite.packages, ...Object.fromEntries(ours) },
    // What they need of each other is here, too: no registry is asked for packages of the set.
    overrides: Object.fromEntries(ours.map(([name]) => [name, `$${name}`])),
  }
  writeFileSync(join(place.consumer, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const userconfig = join(place.folder, 'npm/npmrc')
  writeFileSync(userconfig, manager?.settings ?? (await settingsOfNpm()))
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']
  const [command = '', ...args] = [
    ...(manager?.npm ?? ['npm']),
    'install',
    ...flags,
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000', // who is offline asks twice for each package of the set, and waited 10 s each time
    '--userconfig',
    userconfig,
  ]
  const PATH = [join(place.folder, 'bin'), process.env.PATH ?? ''].join(delimiter)
  const env = { ...wayOut(), PATH, HOME: join(place.folder, 'npm'), TMPDIR: join(place.folder, 'npm') }
  const { code, said } = await call(command, args, { cwd: place.consumer, env })
  const trouble = redact(said, process.env).slice(-2_000)
  refuseUnless(noRegistry.exec(said) === null || code === 0, 'acceptance_cell_blocked', { cell: 'install', trouble })
  refuseUnless(code === 0, 'acceptance_failed', { cell: 'install', trouble })
}

/**
 * What npm needs of our environment to reach its registry. Without it every request is repeated until npm takes what it has
 * in its cache: 25 s instead of 3 (2026-11-30).
 */
const wayOut = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i.test(name) ? [[name, value]] : [],
    ),
  )

/** Where packages come from on this machine, without its credentials: the lines of a configuration of its own. */
async function settingsOfNpm(): Promise<string> {
  const names = ['registry', 'cache', 'proxy', 'https-proxy', 'noproxy', 'cafile']
  const { code, said } = await call('npm', ['config', 'get', ...names], { cwd: tmpdir(), env: process.env })
  if (code !== 0) throw new Error(`npm config get: ${said}`)
  return said
    .split('\n')
    .filter((line) => /^[a-z-]+=/.test(line) && !/=(null|undefined)?$/.test(line))
    .map((line) => `${line}\n`)
    .join('')
}

function call(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...args], { ...options, timeout: 300_000 }, (error, stdout, stderr) => {
      process.removeListener('exit', kill)
      if (error === null) resolve({ code: 0, said: stdout })
      else if (typeof error.code === 'number') resolve({ code: error.code, said: `${stdout}${stderr}` })
      else reject(error)
    })
    const kill = () => void child.kill('SIGKILL')
    process.prependOnceListener('exit', kill)
  })
}

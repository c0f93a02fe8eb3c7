// One rehearsal for all files of this suite, with the network cut where the system lets us; its folder goes when the suite ends.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { root } from '../../scripts/published.ts'

/** What the rehearsal left. Paths are absolute. */
export interface Rehearsed {
  readonly evidence: string
  readonly ledger: string
  readonly tarballs: string
  /** Everything it printed. */
  readonly output: string
  /** How the network was kept away: a namespace of its own, or settings that lead nowhere. */
  readonly network: 'cut' | 'led to a closed port'
  /** The server of `DW_TEST_POSTGRES_URL`; the rehearsal itself had one of its own. */
  readonly postgresUrl?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Or why there is none: the packages of others are nowhere on this machine. */
    rehearsed: Rehearsed | { readonly missing: string }
  }
}

const isolation = networkNamespace()
const closed = 'http://127.0.0.1:9/'
/** Words of npm and pnpm when what they need is in no cache of this machine and no registry answers. */
const noCache =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_PNPM_NO_OFFLINE_TARBALL|ERR_PNPM_META_FETCH_FAIL)\b/

/** Vitest calls this before the first file; what it returns, after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workshop = await realpath(await mkdtemp(join(tmpdir(), 'durable-workflow-release-')))
  const remove = () => rm(workshop, { recursive: true, force: true })
  try {
    const out = join(workshop, 'rehearsal')
    if (isolation === null) {
      console.log(
        'unshare gives no network namespace here: the rehearsal runs with registry and proxy at a closed port',
      )
    }
    const { exitCode, output } = await rehearse(out, await offlineSettings(workshop))
    const missing = noCache.exec(output)?.[0]
    if (exitCode !== 0 && missing !== undefined) {
      project.provide('rehearsed', { missing: `npm or pnpm says ${missing}` })
      return remove
    }
    if (exitCode !== 0) throw new Error(`the rehearsal ended with ${exitCode}:\n${output}`)
    const evidence = join(out, 'evidence')
    const url = process.env.DW_TEST_POSTGRES_URL
    project.provide('rehearsed', {
      evidence,
      ledger: join(out, 'ledger'),
      tarballs: join(evidence, 'tarballs'),
      output,
      network: isolation === null ? 'led to a closed port' : 'cut',
      ...(url === undefined ? {} : { postgresUrl: url }),
    })
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}

/** The rehearsal as a process, in the namespace; with the changes of this checkout, which is under test before they are committed. */
function rehearse(out: string, env: Readonly<Record<string, string>>): Promise<{ exitCode: number; output: string }> {
  const program = [
    ...['--conditions=source', '--disable-warning=ExperimentalWarning', join(root, 'scripts/release-rehearse.ts')],
    ...['--out', out, '--with-changes'],
  ]
  const [file = '', ...args] = [...(isolation ?? []), process.execPath, ...program]
  // Not the server of the tests around: there is no way to it from the namespace.
  const { DW_TEST_POSTGRES_URL: _elsewhere, ...others } = process.env
  const child = spawn(file, args, { cwd: root, env: { ...others, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      process.stdout.write(text)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }))
  })
}

/** What goes before a command to run it without any network but loopback; null where the system does not let us. */
function networkNamespace(): readonly string[] | null {
  // Root stays root: PostgreSQL changes to a user of its own, and a user namespace knows none but ours.
  const unshare =
    process.getuid?.() === 0
      ? ['unshare', '--net']
      : ['unshare', '--user', '--map-current-user', '--keep-caps', '--net']
  const command = [...unshare, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const [file = '', ...args] = [...command, 'true']
  return spawnSync(file, args).status === 0 ? command : null
}

/** Settings with which npm and pnpm take what earlier installs have left, and give up at once where they would ask. */
async function offlineSettings(workshop: string): Promise<Readonly<Record<string, string>>> {
  const userconfig = join(workshop, 'npmrc')
  const given = process.env.npm_config_userconfig ?? join(homedir(), '.npmrc')
  if (existsSync(given)) await cp(given, userconfig)
  await writeFile(userconfig, '\nprefer-offline=true\nfetch-retries=0\n', { flag: 'a', mode: 0o600 })
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, closed])
  const settings = { npm_config_userconfig: userconfig, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }
  return { ...settings, ...(isolation === null ? Object.fromEntries(proxies) : {}) }
}

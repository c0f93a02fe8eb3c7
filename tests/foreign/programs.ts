// The acceptance programs made ready to run: a Python environment with the published SDK, the Rust program compiled.
//
// Both are kept in a cache outside the checkout and made again only when the program or the SDK's version changed.
// Installers run as they are set up on this machine.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { cleanEnvironment, startProgram } from '../support/process.ts'
import { type Sdk, sdkVersions } from './matrix.ts'

/** The folder of the acceptance programs; it lies beside the checkout and may be missing. */
export const programsFolder = resolve(import.meta.dirname, '../../../shared/foreign')

export type Readiness =
  | { readonly kind: 'ready'; readonly command: string; readonly args: readonly string[] }
  /** The tool is not on this machine. */
  | { readonly kind: 'missing'; readonly tool: string }
  | { readonly kind: 'broken'; readonly error: string }

/** Where the environment and the compiled program are kept. */
export const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'durable-workflow-tests')
/** Cargo's target folder: what is compiled there is compiled once. */
export const rustTarget = join(cacheFolder, 'rust', 'target')
const minutes = 60_000

/** Makes the program of an SDK ready; `say` hears of what takes long. */
export async function prepare(sdk: Sdk, say: (line: string) => void): Promise<Readiness> {
  try {
    return await (sdk === 'python' ? preparePython(say) : prepareRust(say))
  } catch (error) {
    return { kind: 'broken', error: error instanceof Error ? error.message : String(error) }
  }
}

async function preparePython(say: (line: string) => void): Promise<Readiness> {
  const folder = join(cacheFolder, 'python')
  const python = join(folder, 'bin', 'python')
  const ready: Readiness = { kind: 'ready', command: python, args: [join(programsFolder, 'python', 'app.py')] }
  if (await hasSdk(python)) return ready
  if (!(await exists('python3'))) return { kind: 'missing', tool: 'python3' }
  say(`installing durable-workflow ${sdkVersions.python} for Python into ${folder}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(cacheFolder, { recursive: true })
  await run('python venv', 'python3', ['-m', 'venv', folder], 2 * minutes)
  const wanted = `durable-workflow==${sdkVersions.python}`
  await run('pip', python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted], 5 * minutes)
  return ready
}

async function hasSdk(python: string): Promise<boolean> {
  const script = 'import importlib.metadata as m; print(m.version("durable-workflow"))'
  return (await succeeds(python, ['-c', script])) === sdkVersions.python
}

async function prepareRust(say: (line: string) => void): Promise<Readiness> {
  const folder = join(cacheFolder, 'rust')
  const target = rustTarget
  const binary = join(target, 'debug', 'foreign-rust')
  const stamp = join(folder, 'built.sha256')
  const source = join(programsFolder, 'rust')
  const files = ['Cargo.toml', 'src/main.rs']
  const digest = await digestOf(files.map((file) => join(source, file)))
  const ready: Readiness = { kind: 'ready', command: binary, args: [] }
  if ((await textOf(stamp)) === digest && (await succeeds(binary, [], 2)) !== undefined) return ready
  if (!(await exists('cargo'))) return { kind: 'missing', tool: 'cargo' }
  say(`compiling the Rust acceptance program into ${target} (minutes when the cache is cold)`)
  await mkdir(join(folder, 'src'), { recursive: true })
  for (const file of files) await writeFile(join(folder, file), await readFile(join(source, file)))
  const build = ['build', '--quiet', '--jobs', '1', '--manifest-path', join(folder, 'Cargo.toml')]
  await run('cargo build', 'cargo', build, 20 * minutes, { CARGO_TARGET_DIR: target })
  await writeFile(stamp, digest)
  return ready
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(file)).update('\0')
  return hash.digest('hex')
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    // Not built yet: the caller builds.
    return undefined
  }
}

const exists = async (command: string): Promise<boolean> => (await succeeds(command, ['--version'])) !== undefined

/** The first line that a command prints; `undefined` when it cannot start or ends with another code than `code`. */
async function succeeds(command: string, args: readonly string[], code = 0): Promise<string | undefined> {
  try {
    const program = await startProgram({ name: command, command, args })
    return (await program.waitForExit()).code === code ? (program.stdout[0] ?? '') : undefined
  } catch {
    // It is not there or does not end: for the question asked here that is "no".
    return undefined
  }
}

async function run(
  name: string,
  command: string,
  args: readonly string[],
  timeoutMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const program = await startProgram({ name, command, args, env: cleanEnvironment(env) })
  const exit = await program.waitForExit({ timeoutMs }).catch(async (error: unknown) => {
    await program.kill()
    throw error
  })
  if (exit.code !== 0) throw new Error(`${name} exited with code ${exit.code}:\n${program.tail()}`)
}

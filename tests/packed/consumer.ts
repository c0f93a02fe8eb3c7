// Programs in the folder where the tarballs are installed, and which files they loaded.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, inject } from 'vitest'
import { fields } from '../../scripts/published.ts'
import { type Exit, type Program, startProgram } from '../support/process.ts'
import { consumerEnvironment } from './install.ts'

/** Declares tests that need the installed folder; without a registry they are skipped, and say so. */
export function describeInstalled(what: string, declare: (folder: string) => void): void {
  const installed = inject('installed')
  if ('folder' in installed) describe(what, () => declare(installed.folder))
  else
    describe.skip(`${what} (needs a package registry, or its packages in npm's cache: ${installed.missing})`, () =>
      declare(''))
}

export interface Loaded {
  readonly program: Program
  /** After its end: every file that it loaded, by absolute path. */
  files(): Promise<string[]>
}

/** Starts a program of the installed folder with the Node that runs the tests. V8's coverage tells what it loads. */
export async function startInstalled(
  folder: string,
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<Loaded> {
  const coverage = await mkdtemp(join(folder, 'coverage-'))
  const [first, ...args] = command
  const program = await startProgram({
    name: command.join(' '),
    command: first === 'node' ? process.execPath : join(folder, 'node_modules/.bin', first),
    args,
    cwd: folder,
    env: { ...consumerEnvironment(folder), NODE_V8_COVERAGE: coverage, ...env },
  })
  return { program, files: () => filesIn(coverage) }
}

async function filesIn(coverage: string): Promise<string[]> {
  const files = new Set<string>()
  for (const report of await readdir(coverage)) {
    const { result } = Object.fromEntries(fields(JSON.parse(await readFile(join(coverage, report), 'utf8'))))
    if (!Array.isArray(result)) throw new Error(`${report} is no report of V8`)
    for (const script of result) {
      const url = `${fields(script).get('url')}`
      if (url.startsWith('file:')) files.add(fileURLToPath(url))
    }
  }
  await rm(coverage, { recursive: true })
  return [...files]
}

/** Of loaded files, those that do not lie in the folder. */
export const elsewhere = (folder: string, files: readonly string[]): string[] =>
  files.filter((file) => !file.startsWith(folder + sep))

export interface Finished extends Exit {
  readonly lines: readonly string[]
  readonly errors: readonly string[]
  readonly files: readonly string[]
}

/** Runs a program of the installed folder to its end. */
export async function runInstalled(...start: Parameters<typeof startInstalled>): Promise<Finished> {
  const { program, files } = await startInstalled(...start)
  const exit = await program.waitForExit({ timeoutMs: 60_000 })
  return { ...exit, lines: program.stdout, errors: program.stderr, files: await files() }
}

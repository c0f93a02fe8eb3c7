// Blocks of the published SDKs: a Python environment and a Rust build, made by the foreign suite and kept in its cache.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, prepare, rustTarget } from '../foreign/programs.ts'
import { cleanEnvironment, startProgram } from '../support/process.ts'
import type { Page } from './pages.ts'
import type { Maker } from './run-page.ts'

interface Tool {
  readonly language: 'python' | 'rust'
  readonly name: 'python' | 'cargo'
  readonly isThere: boolean
}

const languages: readonly {
  readonly language: 'python' | 'rust'
  readonly name: Tool['name']
  readonly command: string
}[] = [
  { language: 'python', name: 'python', command: 'python3' },
  { language: 'rust', name: 'cargo', command: 'cargo' },
]

/** The tools that the blocks of a page want. */
export function needs({ blocks }: Page): Tool[] {
  return languages
    .filter(({ language }) => blocks.some((block) => block.language === language && block.sketch === undefined))
    .map(({ language, name, command }) => ({ language, name, isThere: starts(command) }))
}

function starts(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    // Not on this machine: the page's test says so.
    return false
  }
}

/** How the blocks of a page are run, for each language that it has. */
export async function makers(page: Page): Promise<Record<string, Maker>> {
  const made: Record<string, Maker> = {}
  for (const { language } of needs(page)) made[language] = language === 'python' ? await pythonMaker() : cargo
  return made
}

async function pythonMaker(): Promise<Maker> {
  const python = await prepare('python', console.log)
  if (python.kind !== 'ready') throw new Error(python.kind === 'broken' ? python.error : `${python.tool} is missing`)
  return async ({ path }) => ({ command: python.command, args: [path] })
}

/** Compiles the crate of the page, whose manifest and source are blocks of it, where the SDK was compiled before. */
const cargo: Maker = async (_file, folder) => {
  const lock = join(cacheFolder, 'rust', 'Cargo.lock')
  if (existsSync(lock)) await copyFile(lock, join(folder, 'Cargo.lock'))
  const build = await startProgram({
    name: 'cargo build',
    command: 'cargo',
    args: ['build', '--quiet', '--jobs', '1'],
    cwd: folder,
    env: cleanEnvironment({ CARGO_TARGET_DIR: rustTarget }),
  })
  const { code } = await build.waitForExit({ timeoutMs: 1_100_000 })
  if (code !== 0) throw new Error(`cargo build ended with ${code}:\n${build.tail()}`)
  const name = /^name = "(.+)"$/m.exec(await readFile(join(folder, 'Cargo.toml'), 'utf8'))?.[1]
  if (name === undefined) throw new Error('the manifest of the page names no package')
  return { command: join(rustTarget, 'debug', name), args: [] }
}

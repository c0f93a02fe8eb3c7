// What a page needs beside Node: the published SDKs, whose Python environment and Rust build the foreign suite makes and keeps in
// its cache, and curl.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, prepare, rustTarget } from '../foreign/programs.ts'
import { cleanEnvironment, startProgram } from '../support/process.ts'
import type { Page } from './pages.ts'
import type { Maker } from './run-page.ts'

interface Tool {
  readonly language: 'python' | 'rust' | 'sh'
  readonly name: 'python' | 'cargo' | 'curl'
  readonly isThere: boolean
}

const languages: readonly {
  readonly language: Tool['language']
  readonly name: Tool['name']
  readonly command: string
}[] = [
  { language: 'python', name: 'python', command: 'python3' },
  { language: 'rust', name: 'cargo', command: 'cargo' },
  { language: 'sh', name: 'curl', command: 'curl' },
]

/** The tools that the blocks of a page want. */
export function needs({ blocks }: Page): Tool[] {
  return languages
    .filter(({ language, command }) =>
      blocks.some(
        (block) =>
          block.sketch === undefined &&
          block.language === language &&
          (language !== 'sh' || (block.marks.has('run') && block.text.includes(command))),
      ),
    )
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
  for (const { language } of needs(page)) {
    if (language === 'python') made.python = await pythonMaker()
    if (language === 'rust') made.rust = cargo
  }
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

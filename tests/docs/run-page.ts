// Runs the blocks of one page, in their order, against one server.
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'
import { cleanEnvironment, type Program, startProgram } from '../support/process.ts'
import type { Block } from './blocks.ts'
import { sameOutput } from './output.ts'
import type { Page } from './pages.ts'
import { openWorkshop, replaced, type SourceFile } from './workshop.ts'

/** Makes a block of another language ready to run: the command and its arguments. */
export type Maker = (file: SourceFile, folder: string) => Promise<{ command: string; args: readonly string[] }>

export interface PageRun {
  readonly page: Page
  readonly serverUrl: string
  /** How long one block may run, in milliseconds; default 60,000. */
  readonly timeoutMs?: number
  readonly makers?: Readonly<Record<string, Maker>>
}

const address = 'http://127.0.0.1:7400'
const node = ['--conditions=source', '--disable-warning=ExperimentalWarning']

/** @throws the first block that ends badly or prints something else than the page says, with its place and its last output */
export async function runPage({ page, serverUrl, timeoutMs = 60_000, makers = {} }: PageRun): Promise<void> {
  await using workshop = await openWorkshop()
  const files = await workshop.write(page, { [address]: serverUrl })
  const folder = join(workshop.folder, page.path)
  const PATH = [join(workshop.folder, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const env = cleanEnvironment({ DURABLE_WORKFLOW_SERVER_URL: serverUrl, PATH })
  const serving: Program[] = []
  let last: Program | undefined

  const begin = async (block: Block, command: string, args: readonly string[]): Promise<Program> =>
    startProgram({ name: `${block.page}:${block.line - 1}`, command, args, cwd: folder, env })
  const through = async (program: Program): Promise<void> => {
    const { code, signal } = await program.waitForExit({ timeoutMs })
    if (code !== 0) throw new Error(`${program.name} ended with ${code ?? signal}:\n${program.tail()}`)
  }
  const stopped = async (program: Program): Promise<void> => {
    const { code, signal } = await program.stop({ timeoutMs: 40_000 })
    if (code !== 0) throw new Error(`${program.name} ended with ${code ?? signal} after SIGTERM:\n${program.tail()}`)
  }
  const commandOf = async (file: SourceFile): Promise<{ command: string; args: readonly string[] }> => {
    if (file.block.language === 'ts') return { command: process.execPath, args: [...node, file.path] }
    const make = makers[file.block.language]
    if (make === undefined) throw new Error(`${page.path}: nobody runs ${file.block.language}`)
    return make(file, folder)
  }

  try {
    const modules = files.filter(({ block }) => block.language === 'ts' && !isProgram(block))
    for (const { block, path } of modules.slice(0, 1)) {
      const imports = modules.map((file) => `await import(${JSON.stringify(file.path)})`).join('\n')
      await through(await begin(block, process.execPath, [...node, '--input-type=module', '--eval', imports || path]))
    }
    for (const block of page.blocks.filter(({ sketch }) => sketch === undefined)) {
      const file = files.find((candidate) => candidate.block === block)
      if (block.language === 'json') JSON.parse(block.text)
      else if (block.language === 'sh') {
        await through(await begin(block, 'sh', ['-n', '-c', block.text]))
        if (!block.marks.has('run')) continue
        last = await begin(block, 'sh', ['-eu', '-c', replaced(block.text, { [address]: serverUrl })])
        await through(last)
      } else if (block.marks.has('output')) {
        if (last === undefined) throw new Error(`${page.path}:${block.line}: output of what? No block was run before`)
        const printed = last.stdout.join('\n').replaceAll(serverUrl, address)
        expect(sameOutput(printed, block.text), `${page.path}:${block.line}\nprinted:\n${printed}`).toBe(true)
      } else if (file !== undefined && isProgram(block)) {
        const { command, args } = await commandOf(file)
        const program = await begin(block, command, args)
        if (block.marks.has('serve')) serving.push(program)
        else {
          last = program
          await through(program)
        }
      }
    }
    await Promise.all(serving.map(stopped))
  } catch (error) {
    const said = serving.map((program) => `${program.name} said:\n${program.tail()}`).join('\n')
    throw said === '' ? error : new Error(`${error instanceof Error ? error.message : String(error)}\n${said}`)
  } finally {
    for (const program of serving) await program.kill()
  }
}

const isProgram = ({ marks }: Block): boolean => marks.has('run') || marks.has('serve')

/** Whether a page has anything that runs. */
export const hasPrograms = ({ blocks }: Page): boolean =>
  blocks.some(({ language, sketch }) => sketch === undefined && language !== 'text')

// The blocks of pages as files, in a folder outside of the checkout from which the workspace's packages can be imported.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Block } from './blocks.ts'
import { type Page, root } from './pages.ts'

/** A block that was written down. */
export interface SourceFile {
  readonly block: Block
  readonly path: string
  /** Lines in front of the block's own. */
  readonly setupLines: number
}

export interface Workshop extends AsyncDisposable {
  readonly folder: string
  /** Makes the page's folder, and writes the blocks that are files into it; every occurrence of a key of `words` becomes its value. */
  write(page: Page, words?: Readonly<Record<string, string>>): Promise<SourceFile[]>
}

/** Makes the folder; it goes with the scope. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-docs-'))
  await linkPackages(join(folder, 'node_modules'))
  await writePrograms(join(folder, 'node_modules/.bin'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
  return {
    folder,
    async write(page, words = {}) {
      const files: SourceFile[] = []
      await mkdir(join(folder, page.path), { recursive: true })
      for (const block of page.blocks.filter(isFile)) {
        const setup = setupOf(block, page.blocks)
        const path = join(folder, page.path, block.file)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, replaced(`${setup}${block.text}${setup === '' ? '' : '\nexport {}\n'}`, words))
        files.push({ block, path, setupLines: setup.split('\n').length - 1 })
      }
      return files
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const languages: ReadonlySet<string> = new Set(['ts', 'python', 'rust', 'toml'])
const isFile = ({ language, sketch }: Block): boolean => sketch === undefined && languages.has(language)

function setupOf(block: Block, blocks: readonly Block[]): string {
  if (block.language !== 'ts' || block.marks.has('setup') || /^import /m.test(block.text)) return ''
  const before = blocks.slice(0, blocks.indexOf(block))
  return before
    .filter(({ marks }) => marks.has('setup'))
    .map(({ text }) => text)
    .join('')
}

export function replaced(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((changed, [word, value]) => changed.replaceAll(word, value), text)
}

/** What a reader would have installed: the workspace's packages, zod, Node's types. */
async function linkPackages(modules: string): Promise<void> {
  for (const folder of ['packages', 'apps']) {
    for (const name of await readdir(join(root, folder))) {
      const { name: packageName } = JSON.parse(await readFile(join(root, folder, name, 'package.json'), 'utf8'))
      const place = join(modules, String(packageName))
      await mkdir(dirname(place), { recursive: true })
      await symlink(join(root, folder, name), place)
    }
  }
  await symlink(join(root, 'tests/node_modules/zod'), join(modules, 'zod'))
  await symlink(join(root, 'node_modules/vitest'), join(modules, 'vitest'))
}

/** Programs that a reader would have installed, from source. */
async function writePrograms(bin: string): Promise<void> {
  await mkdir(bin)
  const main = join(root, 'packages/release/src/main.ts')
  const node = `exec "${process.execPath}" --conditions=source --disable-warning=ExperimentalWarning`
  await writeFile(join(bin, 'rel'), `#!/bin/sh\n${node} "${main}" "$@"\n`)
  await chmod(join(bin, 'rel'), 0o755)
}

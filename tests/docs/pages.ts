import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksOf } from './blocks.ts'

export const root = join(import.meta.dirname, '../..')

/** A document for people, with its blocks. */
export interface Page {
  /** From the root of the repository. */
  readonly path: string
  readonly markdown: string
  readonly blocks: readonly Block[]
}

const isPage = (path: string): boolean =>
  /^README\.md$|^docs\/[^/]+\.md$|^(packages|apps|examples)\/[^/]+\/README\.md$/.test(path)

/** Every page whose blocks are checked, by path. */
export function readPages(): Page[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\0'))]
    .filter(isPage)
    .sort()
    .map((path) => {
      const markdown = readFileSync(join(root, path), 'utf8')
      return { path, markdown, blocks: blocksOf(path, markdown) }
    })
}

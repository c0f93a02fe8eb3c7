import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** What a rule may see: paths relative to the root, their text, and for TypeScript their syntax tree. */
export interface Repository {
  readonly paths: readonly string[]
  text(path: string): string
  sizeBytes(path: string): number
  syntax(path: string): ts.SourceFile
}

/** One breach of a rule of the house. */
export interface Finding {
  path: string
  /** Counted from 1; absent where the whole file is meant. */
  line?: number
  says: string
}

export type Rule = (repository: Repository) => Finding[]

function withSyntax(
  paths: readonly string[],
  text: (path: string) => string,
  sizeBytes: (path: string) => number,
): Repository {
  const trees = new Map<string, ts.SourceFile>()
  return {
    paths,
    text,
    sizeBytes,
    syntax(path) {
      const tree = trees.get(path) ?? ts.createSourceFile(path, text(path), ts.ScriptTarget.Latest, true)
      trees.set(path, tree)
      return tree
    },
  }
}

/** Every file that is, or would be, committed. */
export function repositoryAt(root: string): Repository {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path))).sort()
  const texts = new Map<string, string>()
  const read = (path: string): string => {
    const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8')
    texts.set(path, text)
    return text
  }
  return withSyntax(paths, read, (path) => statSync(join(root, path)).size)
}

/** A repository in memory, for the tests of the rules themselves. */
export function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  const read = (path: string): string => {
    const text = files[path]
    if (text === undefined) throw new Error(`no file ${path} in this repository`)
    return text
  }
  return withSyntax(Object.keys(files).sort(), read, (path) => Buffer.byteLength(read(path)))
}

export const isTest = (path: string): boolean =>
  /\.test(-d)?\.ts$/.test(path) ||
  /^(tests|bench)\//.test(path) ||
  /^(packages|apps|examples)\/[^/]+\/test\//.test(path)

export const isGenerated = (path: string): boolean => path.includes('/generated/')

export const isTypeScript = (path: string): boolean => /\.m?ts$/.test(path) && !path.endsWith('.d.ts')

export const lineOf = (tree: ts.SourceFile, position: number): number =>
  tree.getLineAndCharacterOfPosition(position).line + 1

/** Visits a node and all below it, parents first. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

/** Every comment of a file, with the line it begins on. */
export function commentsOf(tree: ts.SourceFile): { text: string; line: number }[] {
  const found = new Map<number, string>()
  const take = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? []) found.set(pos, tree.text.slice(pos, end))
  }
  const walk = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return
    take(ts.getLeadingCommentRanges(tree.text, node.getFullStart()))
    take(ts.getTrailingCommentRanges(tree.text, node.getEnd()))
    for (const child of node.getChildren(tree)) walk(child)
  }
  walk(tree)
  return [...found].map(([position, text]) => ({ text, line: lineOf(tree, position) }))
}

/** The comment lines at the top of a file, before its first statement; '' where there are none. */
export function headerOf(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return lines.slice(0, end === -1 ? lines.length : end).join('\n')
}

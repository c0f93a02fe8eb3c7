import { posix } from 'node:path'
import type { Rule } from '../repository.ts'

const isMap = (path: string): boolean =>
  /^(README|ARCHITECTURE|CONTRIBUTING)\.md$|^(packages|apps|examples)\/[^/]+\/README\.md$|^(spec|tests|bench)\/README\.md$/.test(
    path,
  )
const pathlike = /^[\w.@-]+(\/[\w.@*-]+)*\/?$/
const fileEnding = /\.(ts|mjs|js|json|ya?ml|md|sql|toml)$/
const roots = new Set([
  'packages',
  'apps',
  'tests',
  'bench',
  'examples',
  'scripts',
  'spec',
  'docs',
  'deploy',
  '.ci',
  '.changeset',
])

/** Paths as prose shortens them: `engine/unit-of-work.ts` for `packages/engine/src/unit-of-work.ts`. */
const shortened = (path: string): string => path.replace(/^(packages|apps)\//, '').replace(/\/src\//, '/')

interface Mention {
  path: string
  line: number
}

/** What a line of Markdown names as a path of this repository. */
function pathsIn(line: string, at: number, fenced: boolean): Mention[] {
  const links = [...line.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .flatMap((match) => match[1] ?? [])
    .filter((target) => !/^[a-z]+:/.test(target))
  const quoted = fenced ? line.split(/\s+/) : [...line.matchAll(/`([^`]+)`/g)].flatMap((match) => match[1] ?? [])
  const named = quoted.filter((word) => {
    if (!pathlike.test(word) || !word.includes('/')) return false
    return fileEnding.test(word) || (!fenced && roots.has(word.split('/')[0] ?? ''))
  })
  return [...links, ...named].map((path) => ({ path, line: at + 1 }))
}

function mentionsIn(markdown: string): Mention[] {
  let fence: string | undefined // its language; a shell command may make the file that it names
  return markdown.split('\n').flatMap((line, at) => {
    if (line.trimStart().startsWith('```')) {
      fence = fence === undefined ? line.trim().slice(3) : undefined
      return []
    }
    return fence === 'sh' ? [] : pathsIn(line, at, fence !== undefined)
  })
}

function exists(paths: readonly string[], document: string, mentioned: string): boolean {
  const wanted = mentioned.replace(/\/$/, '')
  const beside = posix.join(posix.dirname(document), wanted)
  const pattern = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  const exact = new RegExp(`^(${pattern(wanted)}|${pattern(beside)})(/|$)`)
  const short = new RegExp(`(^|/)${pattern(wanted)}(/|$)`)
  return paths.some((path) => exact.test(path) || short.test(path) || short.test(shortened(path)))
}

/** A document that sends the reader to a file sends them to one that is there. */
export const documentsNameRealPaths: Rule = ({ paths, text }) =>
  paths.filter(isMap).flatMap((document) =>
    mentionsIn(text(document))
      .filter(({ path }) => !exists(paths, document, path))
      .map(({ path, line }) => ({ path: document, line, says: `house §7: names ${path}, which does not exist` })),
  )

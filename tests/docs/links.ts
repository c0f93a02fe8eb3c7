// Links between documents: the file is there, and so is the heading.
import { posix } from 'node:path'
import { slugOf } from './blocks.ts'

export interface Document {
  /** From the root of the repository. */
  readonly path: string
  readonly markdown: string
}

/** Links that lead nowhere, as `page:line: sentence`. Addresses outside of the repository are not looked at. */
export function deadLinks(documents: readonly Document[], exists: (path: string) => boolean): string[] {
  const anchors = new Map(documents.map(({ path, markdown }) => [path, anchorsOf(markdown)]))
  return documents.flatMap(({ path, markdown }) =>
    linksIn(markdown).flatMap(({ target, line }) => {
      const [file = '', anchor] = target.split('#')
      const wanted = file === '' ? path : posix.join(posix.dirname(path), file)
      const where = `${path}:${line}`
      if (!exists(wanted)) return [`${where}: ${target} leads to ${wanted}, which does not exist`]
      if (anchor === undefined || anchors.get(wanted)?.has(anchor) === true) return []
      return [`${where}: ${target} leads to a heading that ${wanted} does not have`]
    }),
  )
}

function linksIn(markdown: string): { readonly target: string; readonly line: number }[] {
  return outsideOfFences(markdown).flatMap(({ text, line }) =>
    [...text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
      .flatMap((match) => match[1] ?? [])
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ target, line })),
  )
}

function anchorsOf(markdown: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { text } of outsideOfFences(markdown)) {
    const heading = /^#+ (.*)$/.exec(text)?.[1]
    if (heading === undefined) continue
    const slug = slugOf(heading)
    let anchor = slug
    for (let count = 1; found.has(anchor); count += 1) anchor = `${slug}-${count}`
    found.add(anchor)
  }
  return found
}

function outsideOfFences(markdown: string): { readonly text: string; readonly line: number }[] {
  let fenced = false
  return markdown.split('\n').flatMap((text, at) => {
    const isFence = text.trimStart().startsWith('```')
    if (isFence) fenced = !fenced
    return isFence || fenced ? [] : [{ text, line: at + 1 }]
  })
}

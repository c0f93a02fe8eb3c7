// The fenced blocks of a page, and what each says about itself: the words after the language in its opening line, which no
// reader of the rendered page sees.
//
//   ts                 a module: checked by the compiler and loaded
//   ts run             a program of its own: it must end with 0
//   ts serve           a program that stays until the page is through; SIGTERM must end it with 0
//   … file=NAME        the file's name, so that later blocks of the page may import it (default: made from its heading)
//   ts setup           stands in front of every later `ts` block of the page that has no import of its own
//   sh                 must parse; `sh run` is run as well
//   text output        what the block before it prints, line by line; `…` stands for any lines, or any text
//   json               must parse
//   LANGUAGE sketch: REASON   neither checked nor run, and why
//
// A block inside an HTML comment is a block like any other: hidden set-up, or the check of what a page says.

/** A fenced block of a page. */
export interface Block {
  /** Path of the page from the root of the repository. */
  readonly page: string
  /** Line of the page on which the text begins, from 1. */
  readonly line: number
  readonly heading: string
  readonly language: string
  /** `run`, `serve`, `setup`, `output`; empty for a block that only has to be right. */
  readonly marks: ReadonlySet<string>
  /** Name of the file that the block is. */
  readonly file: string
  /** Why it is neither checked nor run. */
  readonly sketch: string | undefined
  readonly text: string
}

const fence = /^(\s*)(`{3,})(.*)$/
const marksOf: Readonly<Record<string, readonly string[]>> = {
  ts: ['run', 'serve', 'setup'],
  sh: ['run'],
  python: ['run', 'serve'],
  rust: ['run', 'serve'],
  toml: [],
  json: [],
  text: ['output'],
}
const endings: Readonly<Record<string, string>> = { python: 'py', rust: 'rs' }

/**
 * All fenced blocks of a page, in order.
 *
 * @throws Error that names page and line for a language or a mark that nobody checks, and for a fence that never closes
 */
export function blocksOf(page: string, markdown: string): Block[] {
  const blocks: Block[] = []
  let heading = 'top'
  let open: { readonly ticks: string; readonly indent: number; readonly info: string; readonly at: number } | undefined
  let lines: string[] = []
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, indent = '', ticks = '', info = ''] = fence.exec(line) ?? []
    if (open === undefined) {
      heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
      if (ticks !== '') open = { ticks, indent: indent.length, info: info.trim(), at: index + 2 }
      lines = []
    } else if (ticks === open.ticks && info.trim() === '') {
      blocks.push(blockOf(page, heading, open, lines.join('\n'), blocks))
      open = undefined
    } else lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)))
  }
  if (open !== undefined) throw new Error(`${page}:${open.at - 1}: this block is never closed`)
  return blocks
}

function blockOf(
  page: string,
  heading: string,
  open: { readonly info: string; readonly at: number },
  text: string,
  before: readonly Block[],
): Block {
  const [, language = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(open.info) ?? []
  const where = `${page}:${open.at - 1}`
  const sketch = /^sketch: (.+)$/.exec(rest)?.[1]
  const words = sketch === undefined && rest !== '' ? rest.split(/\s+/) : []
  const named = words.find((word) => word.startsWith('file='))?.slice('file='.length)
  const marks = new Set(words.filter((word) => !word.startsWith('file=')))
  const known = marksOf[language]
  if (sketch === undefined) {
    if (known === undefined)
      throw new Error(`${where}: nobody checks a block of "${language}"; say why: sketch: REASON`)
    const stranger = [...marks].find((mark) => !known.includes(mark))
    if (stranger !== undefined) throw new Error(`${where}: a block of ${language} knows no mark "${stranger}"`)
    if (language === 'text' && marks.size === 0)
      throw new Error(`${where}: whose output is this? Mark it "output", or say why not: sketch: REASON`)
  }
  const file = named ?? fileName(heading, language, before)
  return { page, line: open.at, heading, language, marks, file, sketch, text: `${text}\n` }
}

function fileName(heading: string, language: string, before: readonly Block[]): string {
  const stem = slugOf(heading) || 'block'
  const count = before.filter((block) => block.heading === heading).length
  return `${stem}${count === 0 ? '' : `-${count + 1}`}.${endings[language] ?? language}`
}

/** The anchor that a heading has on the rendered page. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

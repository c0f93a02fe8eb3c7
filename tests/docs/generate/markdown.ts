// Generated parts of hand-written pages: what stands between two comments.

/** A Markdown table whose columns are as wide as what stands in them, as the formatter of the house wants it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [first = [], ...others] = cells
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n')
}

/**
 * The page with another text between `<!-- begin NAME … -->` and `<!-- end NAME -->`.
 *
 * @throws Error for a part that the page has no place for
 */
export function withPart(page: string, name: string, text: string): string {
  const place = new RegExp(`(<!-- begin ${name}\\b[^>]*-->\n)[\\s\\S]*?(\n?<!-- end ${name} -->)`)
  if (!place.test(page)) throw new Error(`the page has no place for "${name}"`)
  return page.replace(place, (_, begin: string) => `${begin}\n${text}\n\n<!-- end ${name} -->`)
}

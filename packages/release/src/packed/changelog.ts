import { sha256 } from '../canonical.ts'
import { refuseUnless } from '../guard.ts'

/** The entry of a version: its digest, and how many lines of it tell something. */
export interface ChangelogEntry {
  readonly entrySha256: string
  readonly contentLines: number
}

/**
 * The one entry of a version, `## 0.2.0` in a changelog as changesets writes it: from its heading to the next of its rank.
 * `text` is null where the package has no changelog.
 *
 * @throws Refused changelog_entry_missing, changelog_entry_ambiguous
 * @source release design §2, release-notes check
 */
export function changelogEntry(name: string, version: string, text: string | null): ChangelogEntry {
  const lines = (text ?? '').split(/\r?\n/)
  const headings = lines.flatMap((line, at) => (line.trimEnd() === `## ${version}` ? [at] : []))
  refuseUnless(headings.length < 2, 'changelog_entry_ambiguous', { package: name, version, entries: headings.length })
  const [start = lines.length] = headings
  const length = lines.slice(start + 1).findIndex((line) => /^##? /.test(line))
  const entry = lines.slice(start, length === -1 ? lines.length : start + 1 + length)
  const contentLines = visible(entry).length
  refuseUnless(contentLines > 0, 'changelog_entry_missing', { package: name, version })
  return { entrySha256: sha256(`${entry.join('\n').trimEnd()}\n`), contentLines }
}

/** Lines that a reader sees words in; headings of the kinds of change say nothing yet. */
function visible(entry: readonly string[]): string[] {
  const shown = entry
    .join('\n')
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .split('\n')
  return shown.filter((line) => !/^#{1,6}\s/.test(line) && /[\p{L}\p{N}]/u.test(line))
}

import { rounded } from '../statistics.ts'

/** What a database driver heard and what the engine committed, since the beginning. */
export interface Counts {
  /** Statements by their kind. */
  readonly statements: Readonly<Record<string, number>>
  /** Groups that were committed: one durable commit each. */
  readonly groups: number
  /** Operations of those groups; claims that were decided along with them are not among them. */
  readonly operations: number
}

/** Counts what it is told. */
export function createCounts(): {
  /** One statement, as its text is sent. */
  statement(text: string): void
  /** A named point of the engine's unit of work. */
  reached(point: string, kinds: readonly string[]): void
  soFar(): Counts
} {
  const statements: Record<string, number> = {}
  const kinds = new Map<string, string>()
  let groups = 0
  let operations = 0
  return {
    statement(text) {
      const kind = kinds.get(text) ?? kindOf(text)
      kinds.set(text, kind)
      statements[kind] = (statements[kind] ?? 0) + 1
    },
    reached(point, group) {
      if (point !== 'committed') return
      groups += 1
      operations += group.length
    },
    soFar: () => ({ statements: { ...statements }, groups, operations }),
  }
}

/** What a statement does and to which table, in as few words: `insert event`, `begin immediate`. */
export function kindOf(text: string): string {
  const all = text
    .toLowerCase()
    .replaceAll('"', '')
    .trim()
    .split(/[\s(]+/)
  // What stands before the last change are the rows that it takes.
  const changes = all.findLastIndex((word) => word === 'insert' || word === 'update' || word === 'delete')
  const words = all[0] === 'with' && changes !== -1 ? all.slice(changes) : all
  const [verb = ''] = words
  const before = { select: 'from', insert: 'into', update: 'update', delete: 'from', with: 'from' }[verb]
  if (before === undefined) return words.slice(0, 2).join(' ')
  const table = words[words.indexOf(before) + 1]?.match(/^[\w.]+/)?.[0]
  return words.includes(before) && table !== undefined ? `${verb} ${table}` : verb
}

/** What one load cost at the database. */
export interface StatementFigures {
  /** Everything that was sent: begin, commit and reads outside of groups included. */
  readonly statements_per_step: number
  /** Durable commits: one a group. */
  readonly commits_per_step: number
  readonly operations_per_step: number
  /** Mean operations of a group. */
  readonly operations_per_group: number
  /** Statements a step by their kind, most frequent first. */
  readonly by_kind: Readonly<Record<string, number>>
}

/** The figures between two counts. @throws Error when no group was committed between them */
export function statementFigures(before: Counts, after: Counts, steps: number): StatementFigures {
  const groups = after.groups - before.groups
  const operations = after.operations - before.operations
  if (groups === 0 || steps === 0) throw new Error('nothing was committed between the two counts')
  const kinds = Object.entries(after.statements)
    .map(([kind, count]) => ({ kind, count: count - (before.statements[kind] ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
  return {
    statements_per_step: rounded(kinds.reduce((sum, { count }) => sum + count, 0) / steps),
    commits_per_step: rounded(groups / steps),
    operations_per_step: rounded(operations / steps),
    operations_per_group: rounded(operations / groups),
    by_kind: Object.fromEntries(kinds.map(({ kind, count }) => [kind, rounded(count / steps)])),
  }
}

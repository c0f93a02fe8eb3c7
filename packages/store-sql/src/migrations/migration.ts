import type { CompiledQuery } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

/** One step forward; once released it never changes. */
export interface Migration {
  readonly name: string
  /** @param appliedAt epoch ms, for rows that a migration inserts */
  statements(dialect: Dialect, appliedAt: number): readonly CompiledQuery[]
}

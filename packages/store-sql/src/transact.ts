// Begin, work, commit; roll back what did not come through. Only taking the locks is tried again: once work has
// begun, whether to repeat it is the caller's to decide.

import type { Database, Session } from './dialects/dialect.ts'
import { whileLocked } from './while-locked.ts'

export interface Wanted {
  readonly locks: readonly string[]
  /** Locks that are taken only where nobody holds them. */
  readonly whereFree: readonly string[]
  readonly lockWaitMs: number
}

/** @param work what is done under the locks; told which of `whereFree` somebody else holds */
export function transact<T>(
  database: Database,
  { locks, whereFree, lockWaitMs }: Wanted,
  work: (session: Session, skipped: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  return database.withWriter(locks, async (session) => {
    const skipped = await whileLocked(lockWaitMs, () => session.begin(locks, whereFree))
    try {
      const result = await work(session, skipped)
      await session.commit()
      return result
    } catch (error) {
      await session.rollback()
      throw error
    }
  })
}

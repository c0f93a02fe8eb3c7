// Begin, work, commit; roll back what did not come through. Only taking the locks is tried again: once work has
// begun, whether to repeat it is the caller's to decide.

import type { Database, Session } from './dialects/dialect.ts'
import { whileLocked } from './while-locked.ts'

export function transact<T>(
  database: Database,
  locks: readonly string[],
  lockWaitMs: number,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return database.withWriter(locks, async (session) => {
    await whileLocked(lockWaitMs, () => session.begin(locks))
    try {
      const result = await work(session)
      await session.commit()
      return result
    } catch (error) {
      await session.rollback()
      throw error
    }
  })
}

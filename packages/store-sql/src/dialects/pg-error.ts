// What PostgreSQL and its driver say when something goes wrong, in the words of the port.

import { type StoreCondition, StoreUnavailableError } from '@durable-workflow/engine/ports'
import { DatabaseError } from 'pg'

/** A value came back that JavaScript cannot hold: a bug of ours, never the database's fault. */
export class UnreadableValueError extends Error {
  override readonly name = 'UnreadableValueError'
}

/**
 * What an error says of the database; undefined when the statement itself is at fault (a constraint, a mistake in SQL).
 *
 * The server's errors carry an SQLSTATE. Everything else comes from the driver or the network, and then nothing is known
 * but that no answer came.
 */
export function conditionOf(error: unknown): StoreCondition | undefined {
  if (error instanceof UnreadableValueError) return undefined
  if (!(error instanceof DatabaseError) || error.code === undefined) return 'unreachable'
  return conditionOfState(error.code)
}

/** https://www.postgresql.org/docs/15/errcodes-appendix.html */
export function conditionOfState(sqlState: string): StoreCondition | undefined {
  switch (sqlState) {
    case '53100': // disk_full
      return 'full'
    case '25006': // read_only_sql_transaction
      return 'read_only'
    case '40001': // serialization_failure
    case '40P01': // deadlock_detected
    case '55P03': // lock_not_available: lock_timeout
    case '57014': // query_canceled: statement_timeout; our statements are short, what takes long is a wait
      return 'locked'
    case '25P03': // idle_in_transaction_session_timeout
    case '3D000': // invalid_catalog_name: the database does not exist
    case '53300': // too_many_connections
    case '57P01': // admin_shutdown
    case '57P02': // crash_shutdown
    case '57P03': // cannot_connect_now
    case '57P04': // database_dropped
    case '57P05': // idle_session_timeout
      return 'unreachable'
    case '42501': // insufficient_privilege
      return 'other'
  }
  switch (sqlState.slice(0, 2)) {
    case '08': // connection exception
    case '28': // invalid authorization
      return 'unreachable'
    case '53': // insufficient resources
    case '58': // system error
    case 'XX': // internal error
      return 'other'
    default:
      return undefined
  }
}

/** The error of the port, or the error itself when the statement is at fault. */
export function translated(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error
  const condition = conditionOf(error)
  return condition === undefined ? error : new StoreUnavailableError(condition, { cause: error })
}

/**
 * Whether only a new connection may do better. A session that began while the database was read-only, or on a standby,
 * stays so.
 */
export function isBreaking(error: unknown): boolean {
  return error instanceof StoreUnavailableError && (isLost(error) || error.condition === 'read_only')
}

/** Whether no answer came, so that nobody knows what became of what was asked. */
export function isLost(error: unknown): boolean {
  return error instanceof StoreUnavailableError && error.condition === 'unreachable'
}

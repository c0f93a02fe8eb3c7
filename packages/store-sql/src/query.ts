// Statements whose text is made for the occasion, with the values that Kysely bound in them. Hot ones keep their text.

import type { CompiledQuery } from 'kysely'
import type { Connection, Parameter } from './dialects/dialect.ts'

export async function allOfQuery(connection: Connection, query: CompiledQuery): Promise<readonly unknown[]> {
  return await connection.once(query.sql, query.parameters.map(parameterOf))
}

export async function runQuery(connection: Connection, query: CompiledQuery): Promise<void> {
  await connection.once(query.sql, query.parameters.map(parameterOf))
}

function parameterOf(value: unknown): Parameter {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new Error(`A statement was built with a ${typeof value}; columns hold texts, numbers and null only.`)
}

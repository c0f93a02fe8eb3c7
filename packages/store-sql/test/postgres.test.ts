import { postgresUrl } from '@durable-workflow/tests/support/postgres'
import { describe } from 'vitest'
import { storeContract } from './contract/store.contract.ts'
import { freshPostgresSchemas } from './support/postgres.ts'

describe.skipIf(postgresUrl() === undefined)('needs PostgreSQL', () => {
  storeContract('postgres', freshPostgresSchemas())
})

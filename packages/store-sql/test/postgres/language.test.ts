import { postgresUrl } from '@durable-workflow/tests/support/postgres'
import { describe } from 'vitest'
import { listContract } from '../contract/list.contract.ts'
import { dictionaryDatabase, freshPostgresSchemas } from '../support/postgres.ts'

describe.skipIf(postgresUrl() === undefined)(
  'PostgreSQL: pages and filters in a database that sorts by a dictionary',
  () => {
    listContract(freshPostgresSchemas(dictionaryDatabase))
  },
)

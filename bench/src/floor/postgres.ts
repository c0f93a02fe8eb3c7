import { freshDatabase } from '@durable-workflow/tests/support/postgres'
import { Client } from 'pg'
import { median, rounded } from '../statistics.ts'
import type { CommitFigures } from './commits.ts'

const rowsInAGroup = 50

/**
 * Commits of one row and of 50 rows into a database of its own, one statement and one round trip each.
 *
 * @throws Error when the server does not wait for the disk: its commits would be no floor of durable ones
 */
export async function measurePostgres(): Promise<CommitFigures> {
  await using database = await freshDatabase()
  const client = new Client({ connectionString: database.url, application_name: 'durable-workflow-bench' })
  await client.connect()
  try {
    await assertDurable(client)
    await client.query('create table event(run text, sequence integer, payload text, primary key(run, sequence))')
    let sequence = 0
    const group = async (rows: number): Promise<void> => {
      const sequences = Array.from({ length: rows }, (_, index) => sequence + index)
      sequence += rows
      await client.query({
        name: 'insert events',
        text: `insert into event select 'r', s, '{"index":1,"value":"hello"}' from unnest($1::integer[]) s`,
        values: [sequences],
      })
    }
    const rowsPerSecond = async (groups: number, rows: number): Promise<number> => {
      const began = performance.now()
      for (let index = 0; index < groups; index += 1) await group(rows)
      return (groups * rows * 1_000) / (performance.now() - began)
    }
    await rowsPerSecond(200, 1)
    const three = async (groups: number, rows: number): Promise<number> => {
      const repetitions: number[] = []
      for (let index = 0; index < 3; index += 1) repetitions.push(await rowsPerSecond(groups, rows))
      return rounded(median(repetitions))
    }
    return {
      single_commits_per_second: await three(1_000, 1),
      grouped_rows_per_second: await three(400, rowsInAGroup),
    }
  } finally {
    await client.end()
  }
}

/** @throws Error that names the setting by which the server would answer before a commit is on the disk */
export async function assertDurable(client: Client): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [setting])
    const value = rows[0]?.value
    if (value !== 'on') {
      throw new Error(`PostgreSQL has ${setting} = ${value}; set it to on, or its commits do not compare.`)
    }
  }
}

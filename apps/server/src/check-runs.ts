// The progress checker as a command: every open run must have a reason to move with rows behind it (design.md §2.6); one
// line of JSON for each that has none, then one with the count.
import process from 'node:process'
import { createEngine } from '@durable-workflow/engine'
import { openStore } from '@durable-workflow/store-sql'

const pageSize = 500

/** What a check came to. */
export interface CheckedRuns {
  readonly openRuns: number
  readonly problems: number
}

/** Checks a database, prints what it finds on standard output, changes nothing; may run beside a server. */
export async function checkRuns(databaseUrl: string): Promise<CheckedRuns> {
  const store = await openStore(databaseUrl)
  try {
    // Not started: it reads and moves nothing.
    const { views } = createEngine({ store })
    let checked = 0
    let broken = 0
    let after: string | undefined
    do {
      const page = await views.checkProgress({ after, limit: pageSize })
      checked += page.checked
      broken += page.problems.length
      for (const problem of page.problems) process.stdout.write(`${JSON.stringify(problem)}\n`)
      after = page.next
    } while (after !== undefined)
    const found = { openRuns: checked, problems: broken }
    process.stdout.write(`${JSON.stringify(found)}\n`)
    return found
  } finally {
    await store.close()
  }
}

#!/usr/bin/env node
// The progress checker as a program: `pnpm check:runs`, with the server's settings. Every open run must have a reason to
// move with rows behind it (design.md §2.6); one line of JSON for each that has none, then one with the count.
import process from 'node:process'
import { createEngine } from '@durable-workflow/engine'
import { openStore } from '@durable-workflow/store-sql'
import { ConfigError, readConfig } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { informationFor } from './information.ts'

const exitCodes = { fine: 0, misconfigured: 2, broken: 10, failed: 30 } as const
const pageSize = 500

const args = process.argv.slice(2)
const information = informationFor('durable-workflow-check-runs', args)
if (information === undefined) process.exitCode = await run()
else process.stdout.write(`${information}\n`)

async function run(): Promise<number> {
  try {
    const config = readConfig({ args, env: process.env, file: await readConfigFile(process.cwd()) })
    return await checkRuns(config.databaseUrl)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return error instanceof ConfigError ? exitCodes.misconfigured : exitCodes.failed
  }
}

async function checkRuns(databaseUrl: string): Promise<number> {
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
    process.stdout.write(`${JSON.stringify({ openRuns: checked, problems: broken })}\n`)
    return broken === 0 ? exitCodes.fine : exitCodes.broken
  } finally {
    await store.close()
  }
}

#!/usr/bin/env node
// The server as a program: one line of JSON on standard output when it takes polls, everything else on standard error. With
// the word `check-runs` before its settings it looks through the database instead.
import process from 'node:process'
import { checkRuns } from './check-runs.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { informationFor } from './information.ts'
import { DatabaseError, StopTimeoutError, serve } from './serve.ts'

const exitCodes = { done: 0, failed: 1, misconfigured: 2, problemsFound: 10, checkFailed: 30 } as const

const [word, ...words] = process.argv.slice(2)
const isCheck = word === 'check-runs'
const args = isCheck ? words : process.argv.slice(2)
const information = informationFor(args)

try {
  if (information !== undefined) process.stdout.write(`${information}\n`)
  else await run(readConfig({ args, env: process.env, file: await readConfigFile(process.cwd()) }))
} catch (error) {
  fail(error)
}

async function run(config: Config): Promise<void> {
  if (!isCheck) return await serveUntilSignal(config)
  const { problems } = await checkRuns(config.databaseUrl)
  process.exitCode = problems === 0 ? exitCodes.done : exitCodes.problemsFound
}

async function serveUntilSignal(config: Config): Promise<void> {
  const serving = await serve(config)
  const stop = (signal: NodeJS.Signals) => {
    // A second signal, whichever, finds no listener and ends the process at once; that is no worse than a crash.
    process.removeListener('SIGTERM', stop)
    process.removeListener('SIGINT', stop)
    serving.log.info({ signal }, 'stopping')
    serving.close().then(
      () => process.exit(exitCodes.done),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const ready = {
    ready: true,
    url: serving.url,
    database: serving.database,
    worker_protocol: config.workerProtocolVersion,
  }
  process.stdout.write(`${JSON.stringify(ready)}\n`)
}

function fail(error: unknown): void {
  const misconfigured = error instanceof ConfigError
  const isForOperators = misconfigured || error instanceof StopTimeoutError || error instanceof DatabaseError
  const failed = isCheck ? exitCodes.checkFailed : exitCodes.failed
  process.stderr.write(`${isForOperators ? error.message : describe(error)}\n`)
  process.exit(misconfigured ? exitCodes.misconfigured : failed)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

#!/usr/bin/env node
// The server as a program: one line of JSON on standard output when it takes polls, everything else on standard error.
import process from 'node:process'
import { ConfigError, readConfig } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { informationFor } from './information.ts'
import { DatabaseError, StopTimeoutError, serve } from './serve.ts'

const exitCodes = { stopped: 0, failed: 1, misconfigured: 2 } as const

const args = process.argv.slice(2)
const information = informationFor('durable-workflow-server', args)
if (information === undefined) await run()
else process.stdout.write(`${information}\n`)

async function run(): Promise<void> {
  try {
    const config = readConfig({ args, env: process.env, file: await readConfigFile(process.cwd()) })
    const serving = await serve(config)
    const stop = (signal: NodeJS.Signals) => {
      // A second signal, whichever, finds no listener and ends the process at once; that is no worse than a crash.
      process.removeListener('SIGTERM', stop)
      process.removeListener('SIGINT', stop)
      serving.log.info({ signal }, 'stopping')
      serving.close().then(
        () => process.exit(exitCodes.stopped),
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
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): void {
  const misconfigured = error instanceof ConfigError
  const isForOperators = misconfigured || error instanceof StopTimeoutError || error instanceof DatabaseError
  process.stderr.write(`${isForOperators ? error.message : describe(error)}\n`)
  process.exit(misconfigured ? exitCodes.misconfigured : exitCodes.failed)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

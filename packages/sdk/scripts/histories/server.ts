// A real server in a process of its own, for as long as a recording takes.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface RecordingServer extends AsyncDisposable {
  readonly url: string
}

// A lease of one second, so that what a dead worker held is soon another's.
const leases = { DW_WORKFLOW_TASK_TIMEOUT: '1', DW_ACTIVITY_TASK_TIMEOUT: '1' }

/** @throws Error with the exit code when it ends before it is ready */
export async function startServer(): Promise<RecordingServer> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-histories-'))
  const program = new URL('../../../../apps/server/src/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--conditions=source', '--disable-warning=ExperimentalWarning', program], {
    env: { ...process.env, ...leases, DW_PORT: '0', DW_DATABASE_URL: `sqlite:${join(folder, 'histories.db')}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await Promise.race([
    readyUrl(child.stdout),
    ended.then((code) => {
      throw new Error(`the server ended with code ${code} before it was ready`)
    }),
  ])
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readyUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const said: unknown = JSON.parse(line)
    if (typeof said === 'object' && said !== null && 'ready' in said && 'url' in said) return String(said.url)
  }
  throw new Error('the server closed its output before it was ready')
}

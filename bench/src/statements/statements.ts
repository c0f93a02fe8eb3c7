import { cleanEnvironment, isJsonObject, type Program, startProgram } from '@durable-workflow/tests/support/process'
import type { DatabaseName } from '../databases.ts'
import { openStage } from '../stage.ts'
import { workloads } from '../workloads.ts'
import { type Counts, type StatementFigures, statementFigures } from './counts.ts'

/** Runs W1 once against a server that counts its statements at the driver. */
export async function countStatements(database: DatabaseName, parentFolder: string): Promise<StatementFigures> {
  let server: Program | undefined
  const startServer = async (databaseUrl: string, token: string) => {
    server = await startProgram({
      name: 'statement server',
      command: process.execPath,
      args: [
        '--conditions=source',
        '--disable-warning=ExperimentalWarning',
        `${import.meta.dirname}/statement-server.ts`,
        databaseUrl,
        token,
      ],
      env: cleanEnvironment(),
    })
    const url = await server.waitForJson('its ready line', (line) =>
      typeof line.url === 'string' ? line.url : undefined,
    )
    return { url, pid: server.pid, stop: server.stop, kill: server.kill }
  }
  await using stage = await openStage({ database, parentFolder, startServer })
  if (server === undefined) throw new Error('the stage has started no statement server')
  await workloads.W1.warmUp(stage)
  const before = await nextCounts(server)
  await workloads.W1.measure(stage)
  const after = await nextCounts(server)
  return statementFigures(before, after, workloads.W1.steps)
}

/** Asks for a new line of counts. */
async function nextCounts(server: Program): Promise<Counts> {
  const countLines = () => server.stdout.filter((line) => line.startsWith('{"counts":'))
  const seen = countLines().length
  server.signal('SIGUSR2')
  const line = await server.waitForLine('its counts', () => countLines()[seen])
  const parsed: unknown = JSON.parse(line)
  const counts = isJsonObject(parsed) ? parsed.counts : undefined
  if (!isJsonObject(counts)) throw new Error(`these are no counts: ${line}`)
  const { statements, groups, operations } = counts
  if (!isJsonObject(statements)) throw new Error(`these are no counts: ${line}`)
  const byKind = Object.entries(statements).map(([kind, count]) => [kind, Number(count)] as const)
  return { statements: Object.fromEntries(byKind), groups: Number(groups), operations: Number(operations) }
}

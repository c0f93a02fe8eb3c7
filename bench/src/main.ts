// Measures the product beside the floor of the same machine in the same run; README.md has the options.
//
// Exit code 0 when everything was measured, also where a target is missed (the line says so); 2 for wrong usage.
import { mkdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { type Command, readCommandLine } from './command-line.ts'
import { measureCurves } from './curves/curves.ts'
import { type DatabaseName, databasesToMeasure } from './databases.ts'
import { floorOf, measureFloor } from './floor/floor.ts'
import { measure } from './measure.ts'
import { jsonLine, textLines } from './report.ts'
import { countStatements } from './statements/statements.ts'
import { UsageError } from './usage-error.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  try {
    const command = readCommandLine(process.argv.slice(2))
    // In --json mode standard output belongs to the figures.
    const say = (line: string): void => (command.json ? console.error(line) : console.log(line))
    const databases = databasesToMeasure(command.databases, say)
    const parentFolder = folderOnDisk()
    if (command.kind === 'curves') await measureCurves({ databases, parentFolder, say })
    else await measureWorkloads(command, databases, parentFolder, say)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    return 2
  }
}

async function measureWorkloads(
  command: Command,
  databases: readonly DatabaseName[],
  parentFolder: string,
  say: (line: string) => void,
): Promise<void> {
  const floor = command.skipFloor ? null : await measureFloor(databases, parentFolder, say)
  if (floor === null) say('floor not measured: --skip-floor')
  if (command.profile) say('profiled: server and worker are slower than they are without')
  const { repetitions, profile } = command
  for (const asked of command.asked) {
    for (const database of databases) {
      const of = floor === null ? null : floorOf(floor, asked.workload, database)
      const measured = await measure(asked, { database, parentFolder, repetitions, floor: of, profile })
      // Counting would cost the measured server time: it is done in a run of its own.
      const extras =
        measured.workload === 'W1' && !profile ? { statements: await countStatements(database, parentFolder) } : {}
      if (command.json) console.log(jsonLine(measured, extras))
      else for (const line of textLines(measured, extras)) console.log(line)
    }
  }
}

/** The system's folder for temporary files, unless that is memory: commits would cost nothing there. */
function folderOnDisk(): string {
  const tmpfs = 0x01021994
  if (statfsSync(tmpdir()).type !== tmpfs) return tmpdir()
  const folder = resolve(import.meta.dirname, '../../.data')
  mkdirSync(folder, { recursive: true })
  return folder
}

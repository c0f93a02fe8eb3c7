// Measures the product beside the floor of the same machine in the same run.
//
//   node main.ts [--json] [--repetitions N] [--skip-floor] [W1 W3 W4 W5]
//
// Exit code 0 when everything was measured, also where a target is missed (the line says so); 2 for wrong usage.
import { mkdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { floorOf, measureFloor } from './floor/floor.ts'
import { measure } from './measure.ts'
import { jsonLine, textLines } from './report.ts'
import { isWorkloadName, type WorkloadName, workloads } from './workloads.ts'

process.exitCode = await main()

async function main(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      'skip-floor': { type: 'boolean', default: false },
      repetitions: { type: 'string', default: '3' },
    },
  })
  const unknown = positionals.filter((name) => !isWorkloadName(name))
  const repetitions = Number(values.repetitions)
  if (unknown.length > 0 || !Number.isInteger(repetitions) || repetitions < 1) {
    console.error(
      unknown.length > 0
        ? `no such workload: ${unknown.join(', ')}; there are ${Object.keys(workloads).join(', ')}`
        : `--repetitions ${values.repetitions} is not a whole number from 1`,
    )
    return 2
  }
  // In --json mode standard output belongs to the figures.
  const say = (line: string): void => (values.json ? console.error(line) : console.log(line))
  const parentFolder = folderOnDisk()
  const floor = values['skip-floor'] ? null : await measureFloor(parentFolder, say)
  if (floor === null) say('floor not measured: --skip-floor')
  const names: readonly WorkloadName[] =
    positionals.length > 0 ? positionals.filter(isWorkloadName) : ['W1', 'W3', 'W4', 'W5']
  for (const name of names) {
    const of = floor === null ? null : floorOf(floor, name)
    const measured = await measure(name, { parentFolder, repetitions, floor: of })
    if (values.json) console.log(jsonLine(measured))
    else for (const line of textLines(measured)) console.log(line)
  }
  return 0
}

/** The system's folder for temporary files, unless that is memory: commits would cost nothing there. */
function folderOnDisk(): string {
  const tmpfs = 0x01021994
  if (statfsSync(tmpdir()).type !== tmpfs) return tmpdir()
  const folder = resolve(import.meta.dirname, '../../.data')
  mkdirSync(folder, { recursive: true })
  return folder
}

// The pipeline with no engine in it: bare requests and commits of the same workloads, as three processes.
//
// Its programs lie beside the checkout; they are run from a temporary folder in which they find the same fastify and
// undici as the product.
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isJsonObject, type Program, startProgram } from '@durable-workflow/tests/support/process'
import { cpuMs } from '../cpu.ts'
import { median, rounded } from '../statistics.ts'
import type { WorkloadName } from '../workloads.ts'

export interface PipelineFigures {
  readonly steps_per_second: number
  /** From start to result of a run. */
  readonly run_p50_ms: number
  /** CPU of its server process; `null` where the system does not tell. */
  readonly server_cpu_ms_per_step: number | null
}
export type Pipeline = Readonly<Partial<Record<WorkloadName, PipelineFigures>>>

const benchFolder = resolve(import.meta.dirname, '../..')
const floorFolder = resolve(benchFolder, '../../shared/floor')
const programs = ['server.mjs', 'worker.mjs', 'client.mjs'] as const

export async function measurePipeline(parentFolder: string, say: (line: string) => void): Promise<Pipeline | null> {
  if (!existsSync(floorFolder)) {
    say('floor pipeline not measured: ../shared/floor is missing')
    return null
  }
  const folder = await mkdtemp(join(parentFolder, 'durable-workflow-floor-'))
  try {
    for (const program of programs) await copyFile(join(floorFolder, program), join(folder, program))
    await symlink(join(benchFolder, 'node_modules'), join(folder, 'node_modules'))
    return await playPipeline(folder)
  } catch (error) {
    say(`floor pipeline not measured: ${error instanceof Error ? error.message : String(error)}`)
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function playPipeline(folder: string): Promise<Pipeline> {
  const started: Program[] = []
  const start = async (file: (typeof programs)[number], args: readonly string[] = []): Promise<Program> => {
    const program = await startProgram({
      name: `floor ${file}`,
      command: process.execPath,
      args: [join(folder, file), ...args],
      cwd: folder,
    })
    started.push(program)
    return program
  }
  const says = (word: string) => (line: string) => (line === word ? line : undefined)
  try {
    const server = await start('server.mjs', [join(folder, 'floor.db')])
    await server.waitForLine('the word "up"', says('up'))
    const worker = await start('worker.mjs')
    await worker.waitForLine('the words "worker up"', says('worker up'))
    const client = await start('client.mjs')
    const cpuAfter = await cpuAtEachLine(client, server.pid)
    const exit = await client.waitForExit({ timeoutMs: 120_000 })
    if (exit.code !== 0) throw new Error(`its client exited with code ${exit.code}`)
    return figuresIn(client.stdout, cpuAfter)
  } finally {
    for (const program of started.toReversed()) await program.kill()
  }
}

/** What its client measures, line by line, and the steps of each. */
const measured = [
  { name: 'W1', steps: 5_000 },
  { name: 'W1', steps: 5_000 },
  { name: 'W1', steps: 5_000 },
  { name: 'W3', steps: 200 },
  { name: 'W5', steps: 1_000 },
] as const satisfies readonly { readonly name: WorkloadName; readonly steps: number }[]

const linesOf = (lines: readonly string[], name: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${name} {`))

/** CPU milliseconds of the server when each line came. */
async function cpuAtEachLine(client: Program, serverPid: number): Promise<readonly (number | undefined)[]> {
  const seen: (number | undefined)[] = []
  for (const [index, { name }] of measured.entries()) {
    const nth = measured.slice(0, index + 1).filter((line) => line.name === name).length
    await client.waitForLine(`line ${nth} of ${name}`, () => linesOf(client.stdout, name)[nth - 1], {
      timeoutMs: 120_000,
    })
    seen.push(cpuMs(serverPid))
  }
  return seen
}

/**
 * Its lines are `W1 {"ms":…,"steps_s":…,"p50":…}`, one a repetition.
 *
 * @param cpuAfter CPU milliseconds of its server when each line came; the first has the warm-up in it and only begins
 */
export function figuresIn(lines: readonly string[], cpuAfter: readonly (number | undefined)[]): Pipeline {
  const figures: Partial<Record<WorkloadName, PipelineFigures>> = {}
  for (const name of new Set(measured.map((line) => line.name))) {
    const repetitions = linesOf(lines, name)
      .map((line): unknown => JSON.parse(line.slice(name.length)))
      .filter(isJsonObject)
    if (repetitions.length === 0) continue
    const middle = (field: string): number =>
      rounded(median(repetitions.map((repetition) => Number(repetition[field]))))
    const costs = measured.flatMap((line, index) => {
      const before = cpuAfter[index - 1]
      const after = cpuAfter[index]
      return line.name !== name || before === undefined || after === undefined ? [] : [(after - before) / line.steps]
    })
    figures[name] = {
      steps_per_second: middle('steps_s'),
      run_p50_ms: middle('p50'),
      server_cpu_ms_per_step: costs.length === 0 ? null : rounded(median(costs)),
    }
  }
  return figures
}

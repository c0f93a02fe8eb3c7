// The doors of the repository, opened with the very commands that package.json has for them.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cleanEnvironment, type Program, startProgram } from '../support/process.ts'

const root = resolve(import.meta.dirname, '../..')
const patient = { timeoutMs: 60_000 }
let folder = ''
let scripts: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-workflow-quickstart-'))
  const text = await readFile(join(root, 'package.json'), 'utf8')
  scripts = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(text)).scripts
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function startScript(name: string, env: Readonly<Record<string, string>>): Promise<Program & AsyncDisposable> {
  const [command, ...args] = (scripts[name] ?? '').split(' ')
  if (command !== 'node') throw new Error(`the script ${name} does not start with node: ${scripts[name]}`)
  const program = await startProgram({ name, command: process.execPath, args, cwd: root, env: cleanEnvironment(env) })
  return Object.assign(program, {
    async [Symbol.asyncDispose]() {
      await program.kill()
    },
  })
}

const lineOf = (program: Program, pattern: RegExp): Promise<string> =>
  program.waitForLine(`a line like ${pattern}`, (line) => (pattern.test(line) ? line : undefined), patient)

test('start:here finishes a first run; its worker is killed: exit code 1; the second start resumes what was open: exit code 0', async () => {
  const env = { QUICKSTART_DATABASE: join(folder, 'quickstart.db'), DW_PORT: '0' }
  {
    await using first = await startScript('start:here', env)
    const worker = await lineOf(first, /worker .* is ready \(process \d+\)/)
    expect(await lineOf(first, /first finished run after/)).toMatch(/after \d+\.\d s$/)
    await lineOf(first, /order-2 is open/)
    process.kill(Number(/process (\d+)/.exec(worker)?.[1]), 'SIGKILL')
    await lineOf(first, /a process ended by itself/)
    expect(await first.waitForExit(patient)).toEqual({ code: 1, signal: null })
  }
  await using second = await startScript('start:here', env)
  await lineOf(second, /resuming order-2, open since/)
  await lineOf(second, /order-2: \{.*"approvedBy":"the second start"/)
  await lineOf(second, /order-4 is open/)
  expect(await second.stop(patient)).toEqual({ code: 0, signal: null })
})

test('demo:crash kills a worker in the middle of a run and says that every step was recorded once: exit code 0', async () => {
  await using demo = await startScript('demo:crash', {})
  await lineOf(demo, /is killed with SIGKILL/)
  await lineOf(demo, /every step ended and was recorded once/)
  expect(await demo.waitForExit(patient)).toEqual({ code: 0, signal: null })
})

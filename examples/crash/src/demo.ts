// `pnpm demo:crash`: a worker is killed in the middle of a run; another one finishes it. Every step is recorded once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type RecordedEvent, type WorkflowHandle } from '@durable-workflow/sdk/client'
import { sentenceOf } from '../../quickstart/src/narrate.ts'
import { type Program, startProgram, startServer } from '../../quickstart/src/programs.ts'
import { stepNames, transfer } from './contracts.ts'
import { type Effect, readEffects } from './effects.ts'

const leaseSeconds = 5
const patienceMs = 60_000
const startedAt = Date.now()
const say = (line: string) => console.log(`[${((Date.now() - startedAt) / 1_000).toFixed(1)} s] ${line}`)

const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-crash-'))
const effectsFile = join(folder, 'effects.jsonl')
const programs: Program[] = []
try {
  process.exitCode = (await demonstrate()) ? 0 : 1
} catch (error) {
  // The demonstration itself failed; whatever runs is stopped below.
  console.error(error)
  process.exitCode = 1
} finally {
  for (const program of programs.reverse()) await program.stop()
  await rm(folder, { recursive: true, force: true })
}

async function demonstrate(): Promise<boolean> {
  say(`server on SQLite with leases of ${leaseSeconds} s`)
  const server = await startServer({ databaseFile: join(folder, 'crash.db'), port: 0, leaseSeconds })
  programs.push(server)
  const env = { DURABLE_WORKFLOW_SERVER_URL: server.url, CRASH_EFFECTS: effectsFile }
  const first = await startWorker(env)
  say(`worker ${first.pid} is ready`)

  const client = createClient({ server: server.url })
  try {
    const run = await client.start(transfer, { id: 'transfer-1', taskQueue: 'transfers' })
    say(`started ${run.workflowId}: ${stepNames.join(' → ')}`)
    await until('the third step has begun', async () => {
      const events = await historyOf(run)
      return count(events, 'ActivityCompleted') === 2 && begun('credit').length === 1
    })
    await first.kill()
    say(`two steps are recorded, the third has begun: worker ${first.pid} is killed with SIGKILL`)

    const second = await startWorker(env)
    say(`worker ${second.pid} is ready; the lease of the dead one must end first`)
    const result = await run.result({ signal: AbortSignal.timeout(patienceMs) })
    say(`the run completed: ${JSON.stringify(result)}`)
    return verdict(await historyOf(run), { first: first.pid, second: second.pid })
  } finally {
    await client.close()
  }
}

async function startWorker(env: Record<string, string>): Promise<Program> {
  const program = await startProgram(join(import.meta.dirname, 'worker.ts'), { env })
  programs.push(program)
  return program
}

async function historyOf(run: WorkflowHandle): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const event of run.history()) events.push(event)
  return events
}

async function until(state: string, isReached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await isReached())) {
    if (Date.now() > deadline)
      throw new Error(`Waited ${patienceMs} ms until ${state}; effects: ${JSON.stringify(readEffects(effectsFile))}`)
    await pause(50)
  }
}

function begun(step: string): Effect[] {
  return readEffects(effectsFile).filter((effect) => effect.step === step && effect.what === 'begins')
}

function count(events: readonly RecordedEvent[], type: string): number {
  return events.filter((event) => event.type === type).length
}

/** Prints history and effects, and says what is wrong, if anything is. */
function verdict(events: readonly RecordedEvent[], pids: { readonly first: number; readonly second: number }): boolean {
  console.log('\nhistory')
  for (const event of events) console.log(`  ${String(event.sequence).padStart(3)}  ${sentenceOf(event) ?? event.type}`)
  const effects = readEffects(effectsFile)
  console.log('\nexecutions, as the activities wrote them down outside the database')
  for (const { step, attempt, pid, what } of effects)
    console.log(`  ${step} attempt ${attempt} in process ${pid} ${what}`)
  const problems = [
    ...expectEqual('completions of the run', count(events, 'WorkflowCompleted'), 1),
    ...expectEqual('recorded steps', count(events, 'ActivityCompleted'), stepNames.length),
    ...stepNames.flatMap((step) => problemsOf(step, effects, pids)),
  ]
  for (const problem of problems) console.error(`WRONG: ${problem}`)
  const killed =
    'Only the step that was killed in its middle ran again, as its next attempt; every step ended and was recorded once.'
  if (problems.length === 0) console.log(`\n${killed}`)
  return problems.length === 0
}

function problemsOf(
  step: string,
  effects: readonly Effect[],
  pids: { readonly first: number; readonly second: number },
): string[] {
  const of = (what: Effect['what']) => effects.filter((effect) => effect.step === step && effect.what === what)
  const wasKilled = step === 'credit'
  const before = step === 'debit' || step === 'convert'
  return [
    ...expectEqual(`beginnings of ${step}`, of('begins').length, wasKilled ? 2 : 1),
    ...expectEqual(`ends of ${step}`, of('ends').length, 1),
    ...expectEqual(`process that ended ${step}`, of('ends')[0]?.pid, before ? pids.first : pids.second),
  ]
}

function expectEqual(what: string, actual: unknown, expected: unknown): string[] {
  return actual === expected ? [] : [`${what}: ${String(actual)} instead of ${String(expected)}`]
}

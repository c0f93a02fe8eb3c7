// Workers are killed in the middle of runs; others finish them.
import { expect, test } from 'vitest'
import { gated, steps } from '../drills/contracts.ts'
import { openClient } from '../drills/open-client.ts'
import { createWorkFolder, startSdkWorker } from '../drills/sdk-worker.ts'
import { countOf, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'

const leases = { workflowTaskTimeoutSeconds: 2, activityTaskTimeoutSeconds: 2 }

eachDatabase((on) => {
  test('L-15 a worker killed inside an activity: the replacement runs the next attempt, the step is recorded once', async () => {
    await using server = await startServer({ on, ...leases })
    await using folder = await createWorkFolder()
    await using client = openClient(server.url)
    await using database = openReader(server.databaseUrl)
    const place = { url: server.url, taskQueue: 'killed', folder: folder.path }
    await using first = await startSdkWorker(place)
    const run = await client.start(gated, { taskQueue: 'killed', input: { run: 'killed', gate: 'opened' } })
    await waitFor('the activity has begun', () => folder.effects().length === 1)
    await first.program.kill()
    await using second = await startSdkWorker(place)
    await waitFor('the next attempt has begun', () => folder.effects().length === 2, { timeoutMs: 30_000 })
    await folder.openGate('opened')
    expect(await run.result({ signal: AbortSignal.timeout(30_000) })).toBe('opened')
    expect(folder.effects()).toMatchObject([
      { attempt: 1, pid: first.pid },
      { attempt: 2, pid: second.pid },
    ])
    const types = await database.eventTypes(run.runId)
    expect(countOf(types, 'ActivityStarted')).toBe(2)
    expect(countOf(types, 'ActivityCompleted')).toBe(1)
    expect(countOf(types, 'WorkflowCompleted')).toBe(1)
  })

  test('three workers in a row are killed while 12 runs go on: every run completes once, every step is recorded once', async () => {
    await using server = await startServer({ on, ...leases })
    await using folder = await createWorkFolder()
    await using client = openClient(server.url)
    await using database = openReader(server.databaseUrl)
    const place = { url: server.url, taskQueue: 'chain', folder: folder.path }
    const stepNames = Array.from({ length: 20 }, (_, at) => `step-${at}`)
    const runs = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        client.start(steps, { taskQueue: 'chain', id: `chain-${at}`, input: { run: `chain-${at}`, steps: stepNames } }),
      ),
    )
    for (let kills = 0; kills < 3; kills += 1) {
      const before = folder.effects().length
      await using doomed = await startSdkWorker(place)
      await waitFor('it is in the middle of its work', () => folder.effects().length >= before + 25, {
        timeoutMs: 30_000,
      })
      await doomed.program.kill()
      const open = await database.rows("select run_id from runs where status not in ('completed')")
      expect(open.length, 'runs are still open').toBeGreaterThan(0)
    }
    await using last = await startSdkWorker(place)
    for (const run of runs) expect(await run.result({ signal: AbortSignal.timeout(60_000) })).toEqual(stepNames)
    expect(last.program.exit).toBeUndefined()

    const effects = folder.effects()
    for (const run of runs) {
      const types = await database.eventTypes(run.runId)
      expect(countOf(types, 'ActivityScheduled')).toBe(stepNames.length)
      expect(countOf(types, 'ActivityCompleted')).toBe(stepNames.length)
      expect(countOf(types, 'WorkflowCompleted')).toBe(1)
      // Every execution was a recorded attempt; an attempt whose worker died before the work left no effect.
      const executions = effects.filter((effect) => effect.run === run.workflowId)
      const attempts = executions.map(({ step, attempt }) => `${step} ${attempt}`)
      expect(new Set(attempts).size, 'no attempt was executed twice').toBe(attempts.length)
      expect(executions.length).toBeLessThanOrEqual(countOf(types, 'ActivityStarted'))
      expect(new Set(executions.map(({ step }) => step)).size).toBe(stepNames.length)
    }
    console.log(`12 runs of 20 steps, 3 kills: ${effects.length} executions for 240 recorded steps`)
  })
})

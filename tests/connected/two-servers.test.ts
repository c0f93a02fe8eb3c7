// Two servers on one database, a worker at each: every run once, every step once.
import type { Client, RecordedEvent } from '@durable-workflow/sdk/client'
import { expect, test } from 'vitest'
import { steps } from '../drills/contracts.ts'
import { openClient } from '../drills/open-client.ts'
import { createWorkFolder, startSdkWorker } from '../drills/sdk-worker.ts'
import { openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { startServer } from '../support/server-process.ts'

const runCount = 60
const stepNames = ['one', 'two', 'three']

eachDatabase((on) => {
  test('R-14 60 runs on two servers and two workers: each completes once, each step is executed and recorded once', async () => {
    await using one = await startServer({ on })
    await using two = await startServer({ databaseUrl: one.databaseUrl })
    await using folder = await createWorkFolder()
    await using database = openReader(one.databaseUrl)
    const place = { taskQueue: 'both', folder: folder.path }
    await using first = await startSdkWorker({ ...place, url: one.url })
    await using second = await startSdkWorker({ ...place, url: two.url })
    await using clientOne = openClient(one.url)
    await using clientTwo = openClient(two.url)
    const began = performance.now()
    const runs = await Promise.all(
      Array.from({ length: runCount }, (_, at) => {
        const client = at % 2 === 0 ? clientOne : clientTwo
        return client.start(steps, {
          taskQueue: 'both',
          id: `both-${at}`,
          input: { run: `both-${at}`, steps: stepNames },
        })
      }),
    )
    const outputs = await Promise.all(runs.map((run) => run.result({ signal: AbortSignal.timeout(120_000) })))
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    expect(outputs).toEqual(runs.map(() => stepNames))

    const completions = (type: string) =>
      database.rows('select run_id, count(*) as times from history_events where type = ? group by run_id', type)
    expect(await completions('WorkflowCompleted')).toHaveLength(runCount)
    for (const { times } of await completions('WorkflowCompleted')) expect(times).toBe(1)
    for (const type of ['ActivityScheduled', 'ActivityStarted', 'ActivityCompleted']) {
      expect(await completions(type)).toHaveLength(runCount)
      for (const { times } of await completions(type)) expect(times).toBe(stepNames.length)
    }
    const effects = folder.effects()
    expect(effects).toHaveLength(runCount * stepNames.length)
    expect(new Set(effects.map(({ run, step }) => `${run} ${step}`)).size).toBe(runCount * stepNames.length)
    // A start finds its own server's poller waiting: both workers took part, however the machine shared its time.
    const owners = await database.rows('select distinct lease_owner from workflow_tasks order by lease_owner')
    expect(owners.map(({ lease_owner }) => lease_owner)).toEqual([first.workerId, second.workerId].sort())
    expect(await database.rows('select * from workflow_tasks where repair_count > 0')).toEqual([])
    // what one server tells of a run, the other tells as well, to readers that share no process with the workers.
    for (const { workflowId, runId } of runs.slice(0, 5)) {
      const told = await Promise.all([clientOne, clientTwo].map((client) => historyOf(client, workflowId)))
      expect(told[0]).toEqual(told[1])
      expect(told[0]?.map(({ type }) => type)).toEqual(await database.eventTypes(runId))
    }
    const by = (pid: number) => effects.filter((effect) => effect.pid === pid).length
    console.log(`60 runs, 180 steps in ${seconds} s; steps by worker: ${by(first.pid)} and ${by(second.pid)}`)
  })
})

async function historyOf(client: Client, workflowId: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const event of client.get(steps, workflowId).history()) events.push(event)
  return events
}

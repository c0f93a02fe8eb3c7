// A reply is lost after the server has done its work. Whoever asked asks again; what happened, happened once.
import { TransportError } from '@durable-workflow/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gated, go, pair, signalled, steps } from '../drills/contracts.ts'
import { openClient } from '../drills/open-client.ts'
import { createWorkFolder, type SdkWorker, startSdkWorker, type WorkFolder } from '../drills/sdk-worker.ts'
import { countOf, type DatabaseReader, openReader } from '../support/database-reader.ts'
import { eachDatabase } from '../support/databases.ts'
import { type Exchange, type FaultProxy, type RequestMatch, startFaultProxy } from '../support/fault-proxy.ts'
import { parseJsonObject } from '../support/process.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'

eachDatabase((on) => {
  let server: ServerProcess
  let database: DatabaseReader
  let folder: WorkFolder
  // A proxy of its own for every test: its exchanges are this test's.
  let proxy: FaultProxy
  let taskQueue = ''
  let tests = 0

  beforeAll(async () => {
    server = await startServer({ on })
    database = openReader(server.databaseUrl)
    folder = await createWorkFolder()
  })
  afterAll(async () => {
    await database?.close()
    await server?.remove()
    await folder?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    tests += 1
    taskQueue = `lost-${tests}`
    proxy = await startFaultProxy(server.url)
    return () => proxy.close()
  })

  const worker = (serves?: 'workflows' | 'activities', pollers = 1): Promise<SdkWorker> =>
    startSdkWorker({
      url: proxy.url,
      taskQueue,
      folder: folder.path,
      pollers,
      ...(serves === undefined ? {} : { serves }),
    })

  const soon = () => ({ signal: AbortSignal.timeout(30_000) })
  const memberOf = (exchange: Exchange, name: string): unknown => parseJsonObject(exchange.requestText)?.[name]
  const effectsOf = (run: string) => folder.effects().filter((effect) => effect.run === run)

  function losing(path: RequestMatch['path']) {
    return proxy.inject({ method: 'POST', path, fault: { kind: 'drop-reply' } })
  }

  /** The exchanges that carry exactly this request. */
  function repeatsOf(lost: Exchange): Exchange[] {
    return proxy.exchanges.filter(({ path, requestText }) => path === lost.path && requestText === lost.requestText)
  }

  /** The lost exchange was recorded, was sent again unchanged, and the repeat was answered like the first. */
  async function expectRepeated(lost: Exchange): Promise<void> {
    expect(lost.status).toBe(200)
    const [, again] = await waitFor('the repeat is answered', () => repeatsOf(lost), {
      until: (repeats) => repeats[1]?.status !== undefined,
    })
    expect(again).toMatchObject({ status: 200, fault: undefined })
    const [first, second] = [lost, again].map((exchange) => parseJsonObject(exchange?.replyText ?? ''))
    expect(second).toMatchObject({ recorded: true, task_id: first?.task_id, outcome: first?.outcome })
  }

  describe('the reply is lost', () => {
    test('DI5 of a start, before any worker registered: one run, which waits and then completes once', async () => {
      await using client = openClient(proxy.url)
      const lost = losing('/api/workflows')
      const workflowId = `lost-start-${taskQueue}`
      const run = await client.start(steps, { id: workflowId, taskQueue, input: { run: workflowId, steps: ['one'] } })
      const exchange = await lost.met
      expect(exchange.status).toBe(201)
      const repeats = repeatsOf(exchange)
      expect(repeats).toHaveLength(2)
      expect(memberOf(exchange, 'start_id')).toEqual(expect.any(String))
      expect(await database.rows('select run_id from runs where workflow_id = ?', workflowId)).toEqual([
        { run_id: run.runId },
      ])
      expect((await run.describe()).status).toBe('pending')
      await using _worker = await worker()
      expect(await run.result(soon())).toEqual(['one'])
      expect(countOf(await database.eventTypes(run.runId), 'WorkflowStarted')).toBe(1)
      expect(countOf(await database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
      expect(effectsOf(workflowId)).toHaveLength(1)
    })

    // The gate keeps the run open until the repeat is answered: a closed run would answer its receipt.
    test('of a completion: repeated, recorded once', async () => {
      await using client = openClient(server.url)
      const lost = losing(/\/workflow-tasks\/[^/]+\/complete$/)
      await using _worker = await worker()
      const run = await client.start(gated, { taskQueue, input: { run: taskQueue, gate: taskQueue } })
      await expectRepeated(await lost.met)
      await folder.openGate(taskQueue)
      expect(await run.result(soon())).toBe(taskQueue)
      const types = await database.eventTypes(run.runId)
      expect(countOf(types, 'ActivityScheduled')).toBe(1)
      expect(countOf(types, 'ActivityCompleted')).toBe(1)
      expect(effectsOf(taskQueue)).toHaveLength(1)
    })

    test('R-01 of the completion that ends the run: the repeat meets the receipt and the worker goes on', async () => {
      await using client = openClient(server.url)
      await using mine = await worker()
      const lost = proxy.inject({
        method: 'POST',
        path: /\/workflow-tasks\/[^/]+\/complete$/,
        nth: 2,
        fault: { kind: 'drop-reply' },
      })
      const run = await client.start(steps, { taskQueue, input: { run: taskQueue, steps: ['only'] } })
      expect(await run.result(soon())).toEqual(['only'])
      const exchange = await lost.met
      const [, again] = await waitFor('the repeat is answered', () => repeatsOf(exchange), {
        until: (repeats) => repeats[1]?.status !== undefined,
      })
      expect(again?.status).toBe(409)
      expect(parseJsonObject(again?.replyText ?? '')).toMatchObject({
        recorded: false,
        reason: 'run_closed',
        stop_reason: 'run_completed',
      })
      expect(countOf(await database.eventTypes(run.runId), 'WorkflowCompleted')).toBe(1)
      expect(
        await client.execute(steps, { taskQueue, input: { run: `${taskQueue}-next`, steps: ['next'] }, ...soon() }),
      ).toEqual(['next'])
      expect(mine.program.exit).toBeUndefined()
    })

    test('of the acknowledgement that a run only waits: repeated, recorded once', async () => {
      await using client = openClient(server.url)
      await using _worker = await worker(undefined, 2)
      const lost = losing(/\/workflow-tasks\/[^/]+\/fail$/)
      const run = await client.start(pair, { taskQueue, input: { run: taskQueue, gate: taskQueue } })
      const exchange = await lost.met
      expect(parseJsonObject(exchange.replyText ?? '')).toMatchObject({
        outcome: 'waiting_for_history',
        recorded: true,
      })
      await expectRepeated(exchange)
      const tasks = await database.rows(
        "select * from workflow_tasks where run_id = ? and status in ('ready', 'leased')",
        run.runId,
      )
      expect(tasks, 'a run that waits has no task').toEqual([])
      await folder.openGate(taskQueue)
      expect(await run.result(soon())).toEqual(['first', taskQueue])
      expect(countOf(await database.eventTypes(run.runId), 'ActivityCompleted')).toBe(2)
    })

    test('of an activity completion: repeated, recorded once, executed once', async () => {
      await using client = openClient(server.url)
      await using _worker = await worker(undefined, 2)
      const lost = losing(/\/activity-tasks\/[^/]+\/complete$/)
      const run = await client.start(pair, { taskQueue, input: { run: taskQueue, gate: taskQueue } })
      await expectRepeated(await lost.met)
      await folder.openGate(taskQueue)
      expect(await run.result(soon())).toEqual(['first', taskQueue])
      expect(countOf(await database.eventTypes(run.runId), 'ActivityCompleted')).toBe(2)
      expect(effectsOf(taskQueue).map(({ attempt }) => attempt)).toEqual([1, 1])
    })

    test('of an activity failure: repeated, one retry, executed twice', async () => {
      await using client = openClient(server.url)
      await using _worker = await worker()
      const lost = losing(/\/activity-tasks\/[^/]+\/fail$/)
      const run = await client.start(steps, { taskQueue, input: { run: taskQueue, steps: ['one'], failures: 1 } })
      expect(await run.result(soon())).toEqual(['one'])
      await expectRepeated(await lost.met)
      const types = await database.eventTypes(run.runId)
      expect(countOf(types, 'ActivityRetryScheduled')).toBe(1)
      expect(countOf(types, 'ActivityStarted')).toBe(2)
      expect(countOf(types, 'ActivityCompleted')).toBe(1)
      expect(effectsOf(taskQueue)).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
    })

    test('of a signal: sent once, the caller learns that it may have arrived, and it did, once', async () => {
      await using client = openClient(proxy.url)
      await using _worker = await worker()
      const run = await client.start(signalled, { taskQueue })
      await waitFor(
        'the run waits',
        async () => countOf(await database.eventTypes(run.runId), 'SignalWaitOpened') === 1,
      )
      const lost = losing(/\/signal\/go$/)
      const sent = run.signal(go, 'once')
      await expect(sent).rejects.toBeInstanceOf(TransportError)
      await expect(sent).rejects.toMatchObject({ reason: 'answer_lost' })
      const exchange = await lost.met
      expect(repeatsOf(exchange)).toHaveLength(1)
      expect(await run.result(soon())).toBe('once')
      expect(countOf(await database.eventTypes(run.runId), 'SignalReceived')).toBe(1)
      expect(await database.rows('select * from signals where run_id = ?', run.runId)).toHaveLength(1)
    })

    test('L-18 DI5 of a poll that claimed a workflow task: the same poll_request_id collects the claim', async () => {
      await using client = openClient(server.url)
      const lost = losing('/api/worker/workflow-tasks/poll')
      const run = await client.start(steps, { taskQueue, input: { run: taskQueue, steps: [] } })
      await using _worker = await worker()
      expect(await run.result(soon())).toEqual([])
      await expectCollected(await lost.met)
      expect(
        await database.row('select attempt, repair_count from workflow_tasks where run_id = ?', run.runId),
      ).toEqual({
        attempt: 1,
        repair_count: 0,
      })
    })

    test('L-18 DI5 of a poll that claimed an activity task: the same poll_request_id collects the attempt', async () => {
      await using client = openClient(server.url)
      await using _workflows = await worker('workflows')
      const run = await client.start(gated, { taskQueue, input: { run: taskQueue, gate: taskQueue } })
      await waitFor(
        'the activity is ready',
        async () => (await database.rows('select * from activities where run_id = ?', run.runId)).length === 1,
      )
      const lost = losing('/api/worker/activity-tasks/poll')
      await using _activities = await worker('activities')
      await folder.openGate(taskQueue)
      expect(await run.result(soon())).toBe(taskQueue)
      await expectCollected(await lost.met)
      expect(countOf(await database.eventTypes(run.runId), 'ActivityStarted')).toBe(1)
      expect(effectsOf(taskQueue)).toHaveLength(1)
    })

    async function expectCollected(lost: Exchange): Promise<void> {
      const claimed = parseJsonObject(lost.replyText ?? '')
      expect(claimed?.poll_status).toBe('leased')
      const again = proxy.exchanges.filter(
        (exchange) =>
          exchange.path === lost.path && memberOf(exchange, 'poll_request_id') === memberOf(lost, 'poll_request_id'),
      )
      expect(again).toHaveLength(2)
      expect(parseJsonObject(again[1]?.replyText ?? '')?.task).toEqual(claimed?.task)
    }
  })
})

// The end of a worker: what runs is finished and reported, what does not end in time is given up, nothing is reported twice.
import { describe, expect, test } from 'vitest'
import { activity, type, workflow } from '../../src/index.ts'
import { createManualClock } from '../transport/manual-clock.ts'
import { startStub } from '../transport/stub-server.ts'
import { activityTask, completed, greet, silent, startWorker, workflowTask } from './harness.ts'

describe('WK3 drain', () => {
  test('polling ends, what runs is finished and reported, then the worker is deregistered', async () => {
    await using stub = await startStub()
    stub.on('completeActivityTask', () => completed)
    const release = Promise.withResolvers<string>()
    const started = Promise.withResolvers<void>()
    const slow = activity('charge', { input: type<string>() }, async () => {
      started.resolve()
      return release.promise
    })
    stub.offer('activity', activityTask('a1'))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [slow] })
    await started.promise
    const stopped = worker.stop()
    release.resolve('paid')
    await stopped
    await run
    expect(stub.requests.map(({ operation }) => operation).slice(-2)).toEqual([
      'completeActivityTask',
      'deregisterWorker',
    ])
  })

  test('AT3 what does not end within the timeout is aborted and reports nothing', async () => {
    await using stub = await startStub()
    const started = Promise.withResolvers<void>()
    const stubborn = activity('charge', { input: type<string>() }, async (_order, ctx) => {
      started.resolve()
      await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve(), { once: true }))
      return 'too late'
    })
    stub.offer('activity', activityTask('a1'))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [stubborn], shutdownTimeout: 20 })
    await started.promise
    await worker.stop()
    await run
    expect(stub.of('completeActivityTask')).toEqual([])
    expect(stub.of('failActivityTask')).toEqual([])
    expect(stub.of('deregisterWorker')).toHaveLength(1)
  })

  test('AT3 an activity that ignores its signal renews nothing once it was given up', async () => {
    await using stub = await startStub()
    const clock = createManualClock(Date.now())
    const started = Promise.withResolvers<void>()
    const deaf = activity('charge', { input: type<string>() }, () => {
      started.resolve()
      return new Promise<string>(() => {})
    })
    stub.offer('activity', activityTask('a1', { lease_expires_at: new Date(clock.now() + 60_000).toISOString() }))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [deaf], shutdownTimeout: 20, clock })
    await started.promise
    let isOver = false
    const stopped = worker.stop().then(() => {
      isOver = true
    })
    const rings = async (goesOn: () => boolean) => {
      let count = 0
      for (; goesOn(); count += 1) {
        if (clock.alarms > 0) await clock.next()
        await new Promise((resolve) => setImmediate(resolve))
      }
      return count
    }
    await rings(() => !isOver)
    await Promise.all([stopped, run])
    const sent = stub.of('heartbeatActivityTask').length
    let left = 5
    await rings(() => clock.alarms > 0 && left-- > 0)
    expect(clock.alarms).toBe(0)
    expect(stub.of('heartbeatActivityTask')).toHaveLength(sent)
  })

  test('SIGTERM drains, and its handler is gone afterwards', async () => {
    await using stub = await startStub()
    const before = process.listenerCount('SIGTERM')
    const { worker, run } = await startWorker(stub, { workflows: [greet] })
    await worker.ready
    expect(process.listenerCount('SIGTERM')).toBe(before + 1)
    process.emit('SIGTERM')
    await run
    expect(process.listenerCount('SIGTERM')).toBe(before)
    expect(stub.of('deregisterWorker')).toHaveLength(1)
  })

  test('a worker that is told so leaves the signals of the process alone, and tells what it works on', async () => {
    await using stub = await startStub()
    stub.on('completeActivityTask', () => completed)
    const before = process.listenerCount('SIGTERM')
    const release = Promise.withResolvers<string>()
    const started = Promise.withResolvers<void>()
    const slow = activity('charge', { input: type<string>() }, async () => {
      started.resolve()
      return release.promise
    })
    stub.offer('activity', activityTask('a1'))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [slow], handleSignals: false })
    await started.promise
    expect(process.listenerCount('SIGTERM')).toBe(before)
    expect(worker.tasks).toEqual({ workflow: 0, activity: 1, query: 0 })
    release.resolve('paid')
    await worker.stop()
    await run
    expect(worker.tasks).toEqual({ workflow: 0, activity: 0, query: 0 })
  })

  test('a server that does not know the worker any more is no error', async () => {
    await using stub = await startStub()
    stub.on('deregisterWorker', () => ({ status: 404, body: { reason: 'worker_not_found' } }))
    const { worker, run } = await startWorker(stub, { workflows: [greet] })
    await worker.ready
    await worker.stop()
    await run
  })
})

describe('WK3 drain under load', () => {
  /** A server that has a task for every poll and counts what becomes of them. */
  async function busyServer() {
    const stub = await startStub()
    let handed = 0
    const hand =
      (make: (id: string) => unknown) =>
      ({ body }: { body: Readonly<Record<string, unknown>> }) => {
        handed += 1
        const task = body.timeout_seconds === 0 ? null : make(`t${handed}`)
        return { status: 200, body: { task, poll_status: task === null ? 'empty' : 'leased' } }
      }
    stub.on(
      'pollWorkflowTask',
      hand((id) => workflowTask(id)),
    )
    stub.on(
      'pollActivityTask',
      hand((id) => activityTask(id)),
    )
    const accepted: string[] = []
    const accept = ({ path }: { path: string }) => {
      accepted.push(path.split('/').at(-2) ?? '')
      return completed
    }
    stub.on('completeWorkflowTask', accept)
    stub.on('completeActivityTask', accept)
    stub.on('failActivityTask', accept)
    return { stub, accepted }
  }

  test.each(['stop()', 'SIGTERM'])(
    '%s: all that was begun is reported once, and nothing comes after the end',
    async (how) => {
      const { stub, accepted } = await busyServer()
      await using _server = stub
      const begun: string[] = []
      const charge = activity('charge', { input: type<string>(), output: type<string>() }, async (_order, ctx) => {
        begun.push(ctx.info.activityExecutionId)
        // Some ends come before the drain, some within it.
        for (let turn = begun.length % 7; turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve))
        if (begun.length % 5 === 0) throw new Error('declined')
        return 'paid'
      })
      const greeting = workflow('greet', { input: type<string>(), output: type<string>() }, async (ctx, name) => {
        begun.push(ctx.info.runId.replace('run-', ''))
        return `hello ${name}`
      })
      const { worker, run } = await startWorker(stub, {
        workflows: [greeting],
        activities: [charge],
        maxConcurrentActivityTasks: 20,
        maxConcurrentWorkflowTasks: 20,
        pollers: { workflow: 6, activity: 6 },
      })
      while (accepted.length < 300) await new Promise((resolve) => setImmediate(resolve))
      if (how === 'SIGTERM') process.emit('SIGTERM')
      else void worker.stop()
      await run
      expect([...accepted].sort()).toEqual([...begun].sort())
      expect(new Set(accepted).size).toBe(accepted.length)
      expect(stub.requests.at(-1)?.operation).toBe('deregisterWorker')
      const seen = stub.requests.length
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      expect(stub.requests).toHaveLength(seen)
    },
  )

  test('a report whose answer is lost is repeated within the drain until it is recorded', async () => {
    await using stub = await startStub()
    const recorded = new Map<string, number>()
    stub.on('completeActivityTask', ({ path }, index) => {
      recorded.set(path, (recorded.get(path) ?? 0) + 1)
      return index < 8 ? 'cut' : completed
    })
    const release = Promise.withResolvers<void>()
    let begun = 0
    const charge = activity('charge', { input: type<string>() }, async () => {
      begun += 1
      await release.promise
    })
    for (let index = 0; index < 4; index += 1) stub.offer('activity', activityTask(`a${index}`))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge], pollers: { activity: 4 } })
    while (begun < 4) await new Promise((resolve) => setImmediate(resolve))
    const stopped = worker.stop()
    release.resolve()
    await stopped
    await run
    expect(recorded.size).toBe(4)
    expect([...recorded.values()].reduce((sum, sends) => sum + sends)).toBe(12)
  })

  test('a server that stays away: the report is given up at the timeout, the log says so, and the worker ends in peace', async () => {
    await using stub = await startStub()
    stub.on('completeActivityTask', () => 'cut')
    stub.on('deregisterWorker', () => 'cut')
    const warnings: { readonly message: string; readonly facts: unknown }[] = []
    const log = { ...silent, warn: (message: string, facts?: unknown) => void warnings.push({ message, facts }) }
    stub.offer('activity', activityTask('a1'))
    const charge = activity('charge', { input: type<string>() }, async () => undefined)
    const { worker, run } = await startWorker(stub, {
      workflows: [],
      activities: [charge],
      shutdownTimeout: 50,
      reportRetry: { attemptsMax: 1_000, firstMs: 5, longestMs: 5 },
      log,
    })
    await stub.arrived('completeActivityTask', 3)
    await worker.stop()
    await run
    expect(warnings.map(({ message }) => message)).toEqual([
      'Tasks still run at the end of the shutdown timeout; they are given up.',
      'What a task had to report was given up; its lease ends by deregistration or by expiry.',
      'The worker could not be deregistered.',
    ])
  })
})

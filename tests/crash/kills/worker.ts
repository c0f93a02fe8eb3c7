// A worker of the kill test, killed at any instant. Each execution of an activity leaves one line in this process's own
// file, on the disk before the activity returns. A fatal error is one line of JSON on standard error, exit code 1.
// Settings: WORKER_QUEUE, WORKER_FOLDER.
import { fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DurableWorkflowError } from '@durable-workflow/sdk'
import { createWorker } from '@durable-workflow/sdk/worker'
import { chained, effect, go, parallel, signalled, timed } from './contracts.ts'

const { WORKER_QUEUE: taskQueue = 'kills', WORKER_FOLDER: folder = '.' } = process.env
const file = openSync(join(folder, `effects-${process.pid}-${Math.round(performance.timeOrigin)}.jsonl`), 'a')

/** An activity takes a moment before and after its effect, so that a kill can meet it on either side. */
const moment = () => pause(Math.random() * 60)

const activities = [
  effect.implement(async ({ run, step, failures }, { idempotencyKey, info }) => {
    await moment()
    const line = { key: idempotencyKey, attempt: info.attempt, activityId: info.activityExecutionId, run, step }
    writeSync(file, `${JSON.stringify(line)}\n`)
    fsyncSync(file)
    await moment()
    if (info.attempt <= failures) throw new Error(`attempt ${info.attempt} of ${step} fails`)
    return `${run} ${step}`
  }),
]

const workflows = [
  chained.implement(async (ctx, { run }) => [
    await ctx.run(effect, { run, step: 'a' }),
    await ctx.run(effect, { run, step: 'b', failures: 1 }),
    await ctx.run(effect, { run, step: 'c' }),
    await ctx.run(effect, { run, step: 'd' }),
  ]),
  timed.implement(async (ctx, { run }) => {
    const first = await ctx.run(effect, { run, step: 'a' })
    await ctx.sleep('1s')
    return [first, await ctx.run(effect, { run, step: 'b' })]
  }),
  signalled.implement(async (ctx, { run }) => [
    await ctx.run(effect, { run, step: 'a' }),
    await ctx.waitFor(go),
    await ctx.run(effect, { run, step: 'b' }),
  ]),
  parallel.implement(async (ctx, { run }) => [
    ...(await Promise.all([
      ctx.run(effect, { run, step: 'a' }),
      ctx.run(effect, { run, step: 'b', failures: 1 }),
      ctx.run(effect, { run, step: 'c' }),
      ctx.run(effect, { run, step: 'd' }),
    ])),
    await ctx.run(effect, { run, step: 'e' }),
  ]),
]

try {
  const worker = await createWorker({
    taskQueue,
    workflows,
    activities,
    pollers: { workflow: 2, activity: 2, query: 1 },
    maxConcurrentActivityTasks: 20,
    shutdownTimeout: '5s',
  })
  const running = worker.run()
  await Promise.race([worker.ready, running])
  process.stdout.write(`${JSON.stringify({ ready: true, workerId: worker.workerId })}\n`)
  await running
} catch (error) {
  const reason = error instanceof DurableWorkflowError ? error.reason : undefined
  process.stderr.write(`${JSON.stringify({ level: 'fatal', reason, message: String(error) })}\n`)
  process.exit(1)
}

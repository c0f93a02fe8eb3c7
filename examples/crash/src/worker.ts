// A worker that writes down every execution of an activity, so that the demonstration can count them.
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorker } from '@durable-workflow/sdk/worker'
import { perform } from './contracts.ts'
import { transferImpl } from './workflows.ts'

const effectsFile = process.env.CRASH_EFFECTS ?? ''
const slowStepMs = 1_500

const write = (line: Record<string, unknown>) => appendFileSync(effectsFile, `${JSON.stringify(line)}\n`)

const performImpl = perform.implement(async ({ name }, ctx) => {
  const facts = { step: name, attempt: ctx.info.attempt, pid: process.pid }
  write({ ...facts, what: 'begins' })
  // Long enough to be killed in the middle of it.
  if (name === 'credit') await pause(slowStepMs)
  write({ ...facts, what: 'ends' })
  return `${name} by ${process.pid}`
})

const worker = await createWorker({
  taskQueue: 'transfers',
  workflows: [transferImpl],
  activities: [performImpl],
  shutdownTimeout: '5s',
})
const running = worker.run()
await Promise.race([worker.ready, running])
console.log(JSON.stringify({ ready: true, workerId: worker.workerId }))
await running

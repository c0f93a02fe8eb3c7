// A worker of our SDK in a process of its own. Settings: WORKER_QUEUE, WORKER_FOLDER (effects and gates), and which of
// workflows and activities it serves in WORKER_SERVES, with how many polls of each in WORKER_POLLERS.
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorker } from '@durable-workflow/sdk/worker'
import {
  blocked,
  eventful,
  forbidden,
  gate,
  gated,
  go,
  identity,
  immediate,
  note,
  pair,
  signalled,
  steps,
  throwing,
  whoAmI,
} from '../contracts.ts'

const folder = process.env.WORKER_FOLDER ?? ''
const serves = process.env.WORKER_SERVES ?? 'workflows,activities'
const pollers = Number(process.env.WORKER_POLLERS ?? 4)
const startedAt = performance.timeOrigin

// Appending one short line is one write: lines of several processes do not mix.
const effect = (line: Record<string, unknown>) =>
  appendFileSync(join(folder, 'effects.jsonl'), `${JSON.stringify({ ...line, pid: process.pid })}\n`)

const activities = [
  note.implement(async ({ run, step, failures }, ctx) => {
    effect({ run, step, attempt: ctx.info.attempt })
    if (ctx.info.attempt <= failures) throw new Error(`attempt ${ctx.info.attempt} of ${step} fails`)
    return step
  }),
  gate.implement(async ({ run, gate: name }, ctx) => {
    effect({ run, step: name, attempt: ctx.info.attempt })
    while (!existsSync(join(folder, name))) await pause(10)
    return name
  }),
  whoAmI.implement(async () => ({ pid: process.pid, startedAt })),
]

const workflows = [
  steps.implement(async (ctx, { run, steps: names, failures }) => {
    const done: string[] = []
    for (const step of names) done.push(await ctx.run(note, { run, step, failures }))
    return done
  }),
  eventful.implement(async (ctx, { run }) => {
    const first = await ctx.run(note, { run, step: 'one', failures: 1 })
    await ctx.sleep('1s')
    return [first, await ctx.run(note, { run, step: 'two' })]
  }),
  blocked.implement(async (ctx, input) => Promise.all([ctx.waitFor(go), ctx.run(gate, input)])),
  pair.implement(async (ctx, input) =>
    Promise.all([ctx.run(note, { run: input.run, step: 'first' }), ctx.run(gate, input)]),
  ),
  gated.implement(async (ctx, input) => ctx.run(gate, input)),
  signalled.implement(async (ctx) => ctx.waitFor(go)),
  immediate.implement(async () => 'done'),
  throwing.implement(async () => {
    throw new Error('the authored code failed')
  }),
  forbidden.implement(async () => {
    setTimeout(() => {}, 1)
    return 'unreachable'
  }),
  identity.implement(async (ctx) => ctx.run(whoAmI)),
]

const worker = await createWorker({
  taskQueue: process.env.WORKER_QUEUE ?? 'default',
  ...(process.env.WORKER_ID === undefined ? {} : { workerId: process.env.WORKER_ID }),
  workflows: serves.includes('workflows') ? workflows : [],
  activities: serves.includes('activities') ? activities : [],
  pollers: { workflow: pollers, activity: pollers, query: 1 },
  shutdownTimeout: '5s',
})
const running = worker.run()
await Promise.race([worker.ready, running])
console.log(JSON.stringify({ ready: true, workerId: worker.workerId, pid: process.pid, startedAt }))
await running

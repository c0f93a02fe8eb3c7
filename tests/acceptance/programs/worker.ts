// A worker: one line when it polls, nothing else.
import { setTimeout as pause } from 'node:timers/promises'
import { createWorker } from '@durable-workflow/sdk/worker'
import { contracts, gate, go, note, progress, whoAmI } from './contracts.ts'
import { isOpen, leave } from './effects.ts'

const startedAt = new Date(performance.timeOrigin).toISOString()

const activities = [
  note.implement(async (step, { info }) => {
    leave(info.workflowId, step)
    return step
  }),
  gate.implement(async (name, { info, signal }) => {
    leave(info.workflowId, name)
    while (!signal.aborted && !isOpen(info.workflowId, name)) await pause(5)
    return name
  }),
  whoAmI.implement(async () => [String(process.pid), startedAt]),
]

const workflows = [
  contracts.immediate.implement(async (ctx) => {
    ctx.handle(progress, () => 'runs')
    return ['done']
  }),
  contracts.identity.implement(async (ctx) => {
    ctx.handle(progress, () => 'runs')
    return await ctx.run(whoAmI)
  }),
  contracts.steps.implement(async (ctx, { steps }) => {
    const done: string[] = []
    ctx.handle(progress, () => `did ${done.length}`)
    for (const step of steps) done.push(await ctx.run(note, step))
    return done
  }),
  contracts.gated.implement(async (ctx, { steps, gate: name }) => {
    const done: string[] = []
    ctx.handle(progress, () => `did ${done.length}`)
    for (const step of steps) done.push(await ctx.run(note, step))
    return [...done, await ctx.run(gate, name)]
  }),
  contracts.signalled.implement(async (ctx) => {
    let stands = 'waits'
    ctx.handle(progress, () => stands)
    const word = await ctx.waitFor(go)
    stands = 'went on'
    return [word]
  }),
  contracts.timed.implement(async (ctx, { seconds, steps }) => {
    ctx.handle(progress, () => 'sleeps, or did')
    await ctx.sleep(`${seconds}s`)
    const done = ['slept']
    for (const step of steps) done.push(await ctx.run(note, step))
    return done
  }),
]

const worker = await createWorker({
  taskQueue: process.env.WORKER_QUEUE ?? 'default',
  workflows,
  activities,
  shutdownTimeout: '5s',
})
const running = worker.run()
await Promise.race([worker.ready, running])
console.log(JSON.stringify({ ready: true, pid: process.pid }))
await running

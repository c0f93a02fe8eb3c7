import { activity, signal, type, workflow } from '@durable-workflow/sdk'

/** The one activity of all workloads. */
export const step = activity('bench.step', {
  input: type<{ index: number }>(),
  output: type<{ index: number; at: number }>(),
})

/** Answers at once, with the instant (epoch milliseconds, with fractions) at which it ran. */
export const stepImplementation = step.implement(({ index }) => ({
  index,
  at: performance.timeOrigin + performance.now(),
}))

/** `steps` activities, one after the other; the result is their number. */
export const chain = workflow('bench.chain', { input: type<{ steps: number }>(), output: type<number>() })

export const chainImplementation = chain.implement(async (ctx, { steps }) => {
  let done = 0
  for (let index = 0; index < steps; index += 1) {
    const { index: ran } = await ctx.run(step, { index })
    if (ran === index) done += 1
  }
  return done
})

/** The same, with the instant of every step as its result. */
export const timedChain = workflow('bench.timed-chain', { input: type<{ steps: number }>(), output: type<number[]>() })

export const timedChainImplementation = timedChain.implement(async (ctx, { steps }) => {
  const instants: number[] = []
  for (let index = 0; index < steps; index += 1) instants.push((await ctx.run(step, { index })).at)
  return instants
})

export const go = signal('bench.go', type<{ index: number }>())

/** Waits for one signal and answers with what it carried. */
export const echo = workflow('bench.echo', { output: type<number>(), handles: [go] })

export const echoImplementation = echo.implement(async (ctx) => (await ctx.waitFor(go)).index)

import { perform, stepNames, transfer } from './contracts.ts'

/** One step after the other; a step that is done is never done again, whatever happens to the worker. */
export const transferImpl = transfer.implement(async (ctx) => {
  const done: string[] = []
  for (const name of stepNames) done.push(await ctx.run(perform, { name }))
  return done
})

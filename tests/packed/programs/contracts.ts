// What the worker runs and the client starts, in the folder where the packages are installed.
import { appendFileSync } from 'node:fs'
import { activity, signal, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

/** Leaves one line for each time that it is executed. */
export const mark = activity('mark', { input: z.string(), output: z.string() }, async (word) => {
  appendFileSync('effects.txt', `${word}\n`)
  console.log(JSON.stringify({ marked: word }))
  return word.toUpperCase()
})

export const go = signal('go', z.string())

export const kept = workflow('kept', { output: z.array(z.string()), handles: [go] }, async (ctx) => {
  const first = await ctx.run(mark, 'first')
  const second = await ctx.run(mark, 'second')
  const said = await ctx.waitFor(go)
  return [first, second, said]
})

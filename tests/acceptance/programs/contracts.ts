// What the cells run. All workflows have one shape, so that a cell is data: a name and an input.
import { activity, query, signal, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

const Input = z.object({
  steps: z.array(z.string()).default([]),
  gate: z.string().default('open'),
  seconds: z.int().default(0),
})

export const go = signal('go', z.string())
export const progress = query('progress', { output: z.string() })

const sample = <const N extends string>(name: N) =>
  workflow(name, { input: Input, output: z.array(z.string()), handles: [go, progress] })

export const contracts = {
  /** Returns at once. */
  immediate: sample('immediate'),
  /** Which process does the work: its id, and when it began. */
  identity: sample('identity'),
  /** One activity after the other. */
  steps: sample('steps'),
  /** The steps, then an activity that blocks until somebody opens the gate. */
  gated: sample('gated'),
  /** Waits for `go`; answers `progress`. */
  signalled: sample('signalled'),
  /** Sleeps, then does the steps. */
  timed: sample('timed'),
}

const startToCloseTimeout = '60s'

/** Leaves a line outside of the database and returns. */
export const note = activity('note', { input: z.string(), output: z.string(), startToCloseTimeout })
/** Leaves a line outside of the database, then blocks until the gate is open. */
export const gate = activity('gate', { input: z.string(), output: z.string(), startToCloseTimeout })
export const whoAmI = activity('who-am-i', { output: z.array(z.string()), startToCloseTimeout })

// Sample workflows of the tests that run real workers: each names what a test needs to see.
import { activity, signal, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

/** Which process answered. */
export const Identity = z.object({ pid: z.int(), startedAt: z.number() })
export type Identity = z.infer<typeof Identity>

const Step = z.object({ run: z.string(), step: z.string(), failures: z.int().default(0) })
const Gate = z.object({ run: z.string(), gate: z.string() })

/** Leaves a line outside the database and returns; fails so many attempts first. */
export const note = activity('note', {
  input: Step,
  output: z.string(),
  startToCloseTimeout: '60s',
  retry: { initialInterval: 50, backoffCoefficient: 1 },
})
/** Leaves a line outside the database, then blocks until the test opens the gate. No heartbeats. */
export const gate = activity('gate', { input: Gate, output: z.string() })
export const whoAmI = activity('who-am-i', { output: Identity, startToCloseTimeout: '60s' })

export const go = signal('go', z.string())

/** One activity after the other. */
export const steps = workflow('steps', {
  input: z.object({ run: z.string(), steps: z.array(z.string()), failures: z.int().default(0) }),
  output: z.array(z.string()),
})
/** An activity that fails first, a timer of one second, an activity. */
export const eventful = workflow('eventful', {
  input: z.object({ run: z.string() }),
  output: z.array(z.string()),
})
/** A blocked activity and a signal at the same time (the shape of L-01). */
export const blocked = workflow('blocked', { input: Gate, output: z.array(z.string()), handles: [go] })
/** Two activities at once: the first result brings a task with nothing to say. */
export const pair = workflow('pair', { input: Gate, output: z.array(z.string()) })
export const gated = workflow('gated', { input: Gate, output: z.string() })
export const signalled = workflow('signalled', { output: z.string(), handles: [go] })
export const immediate = workflow('immediate', { output: z.string() })
export const throwing = workflow('throwing', { output: z.string() })
/** Calls what the guard forbids: its task fails, not its run. */
export const forbidden = workflow('forbidden', { output: z.string() })
export const identity = workflow('identity', { output: Identity })

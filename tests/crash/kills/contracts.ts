// What the runs of the kill test do: every shape of a step that can be lost or doubled.
import { activity, signal, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

/** Leaves a line outside the database before it returns; fails so many attempts first. */
export const effect = activity('effect', {
  input: z.object({ run: z.string(), step: z.string(), failures: z.int().default(0) }),
  output: z.string(),
  startToCloseTimeout: '60s',
  retry: { initialInterval: 50, backoffCoefficient: 1 },
})

export const go = signal('go', z.string())

const input = z.object({ run: z.string() })
const output = z.array(z.string())

/** Four activities in a row; the second fails once. */
export const chained = workflow('chained', { input, output })
/** An activity, a timer, an activity. */
export const timed = workflow('timed', { input, output })
/** An activity, a signal that the test sends, an activity. */
export const signalled = workflow('signalled', { input, output, handles: [go] })
/** Four activities at once, one of which fails once, then one more. */
export const parallel = workflow('parallel', { input, output })

export const contracts = { chained, timed, signalled, parallel } as const
export type Shape = keyof typeof contracts

/** What must be recorded of a run of each shape, and what it answers. */
export interface Expected {
  readonly activities: number
  readonly timers: number
  /** Attempts that fail unless they are lost first. */
  readonly failures: number
  readonly output: readonly string[]
}

export function expectedOf(shape: Shape, run: string): Expected {
  const answers = (...steps: string[]): string[] => steps.map((step) => `${run} ${step}`)
  switch (shape) {
    case 'chained':
      return { activities: 4, timers: 0, failures: 1, output: answers('a', 'b', 'c', 'd') }
    case 'timed':
      return { activities: 2, timers: 1, failures: 0, output: answers('a', 'b') }
    case 'signalled': {
      const [first = '', last = ''] = answers('a', 'b')
      return { activities: 2, timers: 0, failures: 0, output: [first, 'go', last] }
    }
    case 'parallel':
      return { activities: 5, timers: 0, failures: 1, output: answers('a', 'b', 'c', 'd', 'e') }
  }
}

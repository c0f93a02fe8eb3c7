// Names and shapes of a migration that copies rows in batches.
import { activity, query, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

/** Rows `from` up to but not including `to`. */
export const Batch = z.object({ from: z.int(), to: z.int() })
export type Batch = z.infer<typeof Batch>

export const countRows = activity('countRows', { output: z.int(), startToCloseTimeout: '1 minute' })

// A batch may take an hour; a worker that says nothing for five seconds is taken for dead, and the batch goes on elsewhere.
export const copyBatch = activity('copyBatch', {
  input: Batch,
  output: z.object({ rows: z.int(), attempts: z.int() }),
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '1s', maximumInterval: '1 minute' },
})

export const compare = activity('compare', {
  output: z.object({ missing: z.int(), different: z.int() }),
  startToCloseTimeout: '10 minutes',
})

export const Report = z.object({
  rows: z.int(),
  batches: z.int(),
  /** Batches that a worker did not live to finish, and another one did. */
  resumed: z.int(),
  missing: z.int(),
  different: z.int(),
})

export const Plan = z.object({
  batchSize: z.int().positive(),
  /** Batches at a time. */
  width: z.int().positive(),
  /** Pause between two waves, milliseconds: the source has other users. */
  pauseMs: z.int().nonnegative(),
})
export type Plan = z.infer<typeof Plan>

export const copied = query('copied', { output: z.object({ rows: z.int(), of: z.int() }) })
export const migration = workflow('migration', { input: Plan, output: Report, handles: [copied] })

export const startMigration = activity('startMigration', {
  input: z.object({ id: z.string(), plan: Plan }),
  startToCloseTimeout: '30s',
})

export const Nights = z.object({ plan: Plan, hour: z.int().min(0).max(23), nights: z.int().positive() })
export const nightly = workflow('nightly', { input: Nights, output: z.array(z.string()) })

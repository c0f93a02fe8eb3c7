import { activity, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

const Step = z.object({ name: z.string() })
const options = { startToCloseTimeout: '60s', retry: { initialInterval: '1s' } } as const

/** An activity that leaves a line in a file outside the database, before and after its work. */
export const perform = activity('perform', { input: Step, output: z.string(), ...options })

export const transfer = workflow('transfer', { output: z.array(z.string()) })

export const stepNames = ['debit', 'convert', 'credit', 'notify'] as const

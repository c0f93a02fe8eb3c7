// Names and shapes of an agent: what it is asked, what the model may answer, what the tools take.
import { activity, query, signal, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

/** What a model may want next. */
export const Turn = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('search'), words: z.string() }),
  z.object({ kind: z.literal('calculate'), numbers: z.array(z.number()) }),
  z.object({ kind: z.literal('book'), what: z.string(), euros: z.number() }),
  z.object({ kind: z.literal('ask'), question: z.string() }),
  z.object({ kind: z.literal('done'), answer: z.string() }),
])
export type Turn = z.infer<typeof Turn>

/** What happened in one step, as short as the model can do with: it travels with every call, and history keeps it. */
export const Note = z.object({ step: z.int(), did: z.string(), saw: z.string() })
export type Note = z.infer<typeof Note>

export const Conversation = z.object({ goal: z.string(), prompt: z.int(), notes: z.array(Note) })
export type Conversation = z.infer<typeof Conversation>

// A model answers within two minutes or is asked again; after an hour of that a human should look.
export const think = activity('think', {
  input: Conversation,
  output: Turn,
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '2s', maximumInterval: '1 minute' },
})

const tool = { startToCloseTimeout: '30s', retry: { maximumAttempts: 5 } } as const

/** The full text stays in a store of its own; what comes back is its first line and its key. */
export const search = activity('search', {
  input: z.object({ words: z.string() }),
  output: z.object({ summary: z.string(), key: z.string() }),
  ...tool,
})
export const calculate = activity('calculate', {
  input: z.object({ numbers: z.array(z.number()) }),
  output: z.object({ sum: z.number() }),
  ...tool,
})
export const book = activity('book', {
  input: z.object({ what: z.string(), euros: z.number() }),
  output: z.object({ bookingId: z.string() }),
  ...tool,
})

/** A human's answer to the question that the agent asked. */
export const answered = signal('answered', z.object({ text: z.string() }))
export const progress = query('progress', {
  output: z.object({ notes: z.array(Note), question: z.string().nullable() }),
})

export const Task = z.object({ goal: z.string(), stepsMax: z.int().positive().default(12) })
export const Result = z.object({
  outcome: z.enum(['done', 'nobody answered', 'out of steps']),
  answer: z.string(),
  steps: z.int(),
})

export const agent = workflow('agent', { input: Task, output: Result, handles: [answered, progress] })

import { ActivityFailure, TimeoutFailure, type WorkflowContext } from '@durable-workflow/sdk'
import { agent, answered, book, calculate, type Note, progress, search, type Turn, think } from './contracts.ts'

/** The newest notes that the model is told: enough to go on, and a call that does not grow with the run. */
const notesMax = 8

/**
 * Thinks, acts, notes down what it saw, until the model is done or the budget of steps is used up.
 *
 * Every call of the model and of a tool is an activity: it is recorded once, and a crash never pays for it twice.
 */
export const agentImpl = agent.implement(async (ctx, { goal, stepsMax }) => {
  const notes: Note[] = []
  let question: string | null = null
  ctx.handle(progress, () => ({ notes, question }))

  // A run keeps the prompt that it began with, whatever is deployed meanwhile. -1: runs from before there were two.
  const prompt = Math.max(ctx.version('prompt', { max: 2 }), 1)

  for (let step = 1; step <= stepsMax; step += 1) {
    const turn = await ctx.run(think, { goal, prompt, notes: notes.slice(-notesMax) })
    if (turn.kind === 'done') return { outcome: 'done', answer: turn.answer, steps: step }
    if (turn.kind === 'ask') {
      question = turn.question
      const reply = await ctx.waitFor(answered, { timeout: '7 days' })
      question = null
      if (reply === undefined) return { outcome: 'nobody answered', answer: turn.question, steps: step }
      notes.push({ step, did: `asked: ${turn.question}`, saw: reply.text })
    } else notes.push({ step, ...(await use(ctx, turn)) })
  }
  return { outcome: 'out of steps', answer: notes.at(-1)?.saw ?? '', steps: stepsMax }
})

type ToolTurn = Exclude<Turn, { kind: 'ask' | 'done' }>

/** A tool that fails for good is something that the model sees and may work around; the run goes on. */
async function use(ctx: WorkflowContext<typeof answered>, turn: ToolTurn): Promise<Omit<Note, 'step'>> {
  try {
    switch (turn.kind) {
      case 'search': {
        const { summary, key } = await ctx.run(search, { words: turn.words })
        return { did: `searched: ${turn.words}`, saw: `${summary} (all of it: ${key})` }
      }
      case 'calculate': {
        const { sum } = await ctx.run(calculate, { numbers: turn.numbers })
        return { did: `added: ${turn.numbers.join(' + ')}`, saw: String(sum) }
      }
      case 'book': {
        const { bookingId } = await ctx.run(book, { what: turn.what, euros: turn.euros })
        return { did: `booked: ${turn.what}`, saw: bookingId }
      }
    }
  } catch (error) {
    if (!ActivityFailure.is(error) && !TimeoutFailure.is(error)) throw error
    return { did: turn.kind, saw: `failed: ${error.message}` }
  }
}

// How the workflow function ended, and the command that says so.
import { failsTheTask } from '../authoring/failure.ts'
import type { TerminalCommand } from './commands.ts'
import { completeWorkflow, type EmitSettings, failWorkflow } from './emit.ts'

export type Ending =
  | { readonly kind: 'completed'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }

/** An output that is not data fails the run as its own error would; the runtime's errors fail the task. */
export function terminalOf(settings: EmitSettings, ending: Ending): [Ending, TerminalCommand] {
  if (ending.kind === 'failed') return failureOf(settings, ending.error)
  try {
    return [ending, completeWorkflow(settings, ending.output)]
  } catch (error) {
    return failureOf(settings, error)
  }
}

function failureOf(settings: EmitSettings, error: unknown): [Ending, TerminalCommand] {
  if (failsTheTask(error)) throw error
  return [{ kind: 'failed', error }, failWorkflow(settings, error)]
}

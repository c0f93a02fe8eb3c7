// The contracts that replay tests share, and how they look at what left.
import { decodeEnvelope } from '@durable-workflow/codec'
import type { Command } from '@durable-workflow/protocol'
import { z } from 'zod'
import { activity, query, signal, type } from '../../src/index.ts'

export const charge = activity('charge', {
  input: type<{ cents: number }>(),
  output: type<string>(),
  startToCloseTimeout: '30s',
})

export const email = activity('email', { input: type<string>() })

export const approved = signal('approved', z.object({ by: z.string() }))

export const nudged = signal('nudged')

export const status = query('status', { output: z.string() })

export function resultOf(command: Command | undefined): unknown {
  return command?.type === 'complete_workflow' ? decodeEnvelope(command.result) : command
}

export const outcomes = async (steps: Promise<{ commands: readonly Command[]; outcome: { kind: string } }>) => {
  const { commands, outcome } = await steps
  return { kind: outcome.kind, types: commands.map((command) => command.type), result: resultOf(commands.at(-1)) }
}

// The end of a closed run against the end that code comes to now. A worker does not ask: nothing can be done for a closed run.
import type { TerminalCommand } from './commands.ts'
import type { Difference } from './compare.ts'
import { type Entry, type Fields, fieldsOf, text } from './history.ts'

/** Compares the ends; absent in history means not compared. */
export function compareEnding({ fields }: Entry, terminal: TerminalCommand): Difference | undefined {
  switch (terminal.type) {
    case 'complete_workflow':
      return compareResult(blobOf(fields.output), terminal.result.blob)
    case 'fail_workflow':
      return (
        compareText('exception_type', text(fields, 'exception_type'), terminal.exception_type) ??
        compareText('message', text(fields, 'message'), terminal.message)
      )
    default:
      return terminal satisfies never
  }
}

/** Whether a server has failed the run by itself, wherever the code was. */
export function isFailedByServer(fields: Fields): boolean {
  if (fields.structural_limit_kind !== undefined) return true
  return failuresOfServers.has(text(fields, 'failure_category') ?? '')
}

const failuresOfServers: ReadonlySet<string> = new Set(['structural_limit', 'task_failure', 'internal'])

function blobOf(output: unknown): string | undefined {
  return typeof output === 'string' ? output : text(fieldsOf(output), 'blob')
}

// Payloads stay out of messages.
function compareResult(recorded: string | undefined, authored: string): Difference | undefined {
  if (recorded === undefined || recorded === authored) return undefined
  return {
    reason: 'recorded_result_mismatch',
    detail: `the recorded result, ${bytesOf(recorded)} bytes, is not the one that the code returns, ${bytesOf(authored)} bytes`,
  }
}

function bytesOf(blob: string): number {
  return Math.floor((blob.replace(/=+$/, '').length * 3) / 4)
}

function compareText(key: string, recorded: string | undefined, authored: string): Difference | undefined {
  if (recorded === undefined || recorded === authored) return undefined
  return {
    reason: 'recorded_failure_mismatch',
    detail: `${key} ${JSON.stringify(recorded)} is recorded, the code's is ${JSON.stringify(authored)}`,
  }
}

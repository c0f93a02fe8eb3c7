// What a server refuses for its size is seen before it is sent: a refused completion would stop the worker, a failed task
// leaves the run open for corrected code, and the worker goes on with its other runs.
import { PayloadTooLargeError, StructuralLimitError } from '../authoring/failure.ts'
import type { ReplayStep } from '../replay/replay.ts'
import type { StructuralLimits } from '../transport/discovery.ts'

// What a body needs beside commands, result or failure.
const bodySlackBytes = 65_536

/** Bytes that one report may have for its content. */
export function contentBytesMax(limits: StructuralLimits): number {
  return limits.bodyBytes - bodySlackBytes
}

/**
 * @param what  who would send it, for the message: `A workflow task of "checkout"`
 * @throws StructuralLimitError for a number that the server states, PayloadTooLargeError for a body that it does not take
 * @source worker plane §6.5, §11.4: structural_limit_exceeded
 */
export function assertCommandsFit(what: string, step: ReplayStep, limits: StructuralLimits): void {
  const count = step.commands.length
  if (count === 0) return
  check(what, 'command_batch_size', `send ${count} commands`, count, limits.commandsPerCompletion, fewer)
  const events = count + step.resolvedWaits.length
  check(what, 'history_transaction_size', `record ${events} events`, events, limits.historyTransactionEvents, fewer)
  assertPending(what, step, limits)
  assertBodyFits(what, Buffer.byteLength(JSON.stringify(step.commands)), limits)
}

// Counted only where there are so many calls that one of the numbers can be reached at all.
function assertPending(what: string, step: ReplayStep, { pendingActivities, pendingTimers }: StructuralLimits): void {
  if (step.openCalls <= Math.min(pendingActivities, pendingTimers)) return
  const { activities, timers } = step.pending()
  check(what, 'pending_activity_count', `leave ${activities} activities open`, activities, pendingActivities, waves)
  check(what, 'pending_timer_count', `leave ${timers} timers open`, timers, pendingTimers, waves)
}

const fewer = 'Await some of the calls before the next are made.'
const waves = 'Start them in waves: await some before the next are started.'

function check(what: string, limitKind: string, how: string, value: number, max: number, next: string): void {
  if (value <= max) return
  const remedy = `${next} The run stays open for corrected code.`
  throw new StructuralLimitError(`${what} would ${how}; the limit of the server is ${max} (${limitKind}). ${remedy}`, {
    reason: 'structural_limit_exceeded',
    facts: { what, limitKind, currentValue: value, configuredLimit: max },
    remedy,
  })
}

/** @throws PayloadTooLargeError when content of this size makes a body that no server takes; nothing was sent */
export function assertBodyFits(what: string, bytes: number, limits: StructuralLimits): void {
  const bytesMax = contentBytesMax(limits)
  if (bytes <= bytesMax) return
  const remedy = 'Keep the data in a store of your own and pass its key.'
  throw new PayloadTooLargeError(`${what} would send ${bytes} bytes; the limit is ${bytesMax}. ${remedy}`, {
    reason: 'payload_too_large',
    facts: { what, bytes, bytesMax },
    remedy,
  })
}

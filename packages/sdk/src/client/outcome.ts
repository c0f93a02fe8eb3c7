// How a closed run reads for whoever waits for it.
import { decodeEnvelope } from '@durable-workflow/codec'
import { type Contract, validateOutput } from '../authoring/contract.ts'
import {
  CancellationFailure,
  type DurableWorkflowError,
  TimeoutFailure,
  WorkflowFailure,
} from '../authoring/failure.ts'
import { failureFromWire } from '../authoring/failure-wire.ts'
import { isTrue, listOf, memberOf, textOf } from '../transport/json.ts'

/**
 * The output of a completed run, validated by its contract.
 *
 * @throws WorkflowFailure, TimeoutFailure or CancellationFailure for a run that ended otherwise
 */
export async function outcomeOf(contract: Contract, description: unknown): Promise<unknown> {
  if (textOf(description, 'status') === 'completed') {
    return received(contract, decodedOutput(description))
  }
  throw failureOfRun(description)
}

/** Output as history has it; a run without one reads as null. */
export function decodedOutput(description: unknown): unknown {
  const envelope = memberOf(description, 'output_envelope')
  if (envelope !== undefined && envelope !== null) return decodeEnvelope(envelope)
  return memberOf(description, 'output') ?? null
}

/**
 * An output as its contract wants it. Payloads have no word for undefined: null stands for it where the schema refuses null.
 *
 * @throws ContractError `invalid_output`
 */
export async function received(contract: Contract, value: unknown): Promise<unknown> {
  if (value !== null) return validateOutput(contract, value)
  if (contract.output === undefined) return undefined
  try {
    return await validateOutput(contract, null)
  } catch (refused) {
    // The schema may stand for "nothing"; when it does not, what it said about null is the better message.
    return validateOutput(contract, undefined).catch(() => {
      throw refused
    })
  }
}

export function decodedInput(description: unknown): unknown {
  const envelope = memberOf(description, 'input_envelope')
  return envelope === undefined || envelope === null ? memberOf(description, 'input') : decodeEnvelope(envelope)
}

function failureOfRun(description: unknown): DurableWorkflowError {
  const closedReason = textOf(description, 'closed_reason') ?? textOf(description, 'status') ?? 'closed'
  const failure = memberOf(description, 'failure') ?? listOf(description, 'failures').at(-1)
  const exception = memberOf(failure, 'exception') ?? memberOf(description, 'exception')
  const said = textOf(failure, 'message') ?? textOf(description, 'error') ?? textOf(description, 'reason')
  const facts = {
    workflowId: textOf(description, 'workflow_id'),
    runId: textOf(description, 'run_id'),
    workflowType: textOf(description, 'workflow_type'),
    status: textOf(description, 'status'),
    closedReason,
    failure,
  }
  const type =
    textOf(failure, 'exception_type') ??
    textOf(exception, 'type') ??
    textOf(failure, 'exception_class') ??
    textOf(exception, 'class')
  switch (closedReason) {
    case 'cancelled':
    case 'canceled':
      return new CancellationFailure(said ?? 'The run was cancelled.', { type: 'WorkflowCancelled', facts })
    case 'terminated':
      return new CancellationFailure(said ?? 'The run was terminated.', { type: 'WorkflowTerminated', facts })
    case 'timed_out':
      return new TimeoutFailure(said ?? 'The run reached its time limit.', { kind: timeoutKind(failure), type, facts })
    default:
      return new WorkflowFailure(said ?? 'The run failed without a message.', {
        type,
        details: detailsOf(exception),
        nonRetryable: isTrue(failure, 'non_retryable'),
        cause: causeOf(exception),
        facts,
      })
  }
}

function timeoutKind(failure: unknown): string {
  const kind = textOf(failure, 'timeout_kind') ?? textOf(memberOf(failure, 'exception'), 'timeout_kind')
  return kind ?? 'run_timeout'
}

/** What the failure came from, as errors down to the root. */
function causeOf(exception: unknown): DurableWorkflowError | undefined {
  const cause = memberOf(exception, 'cause')
  return cause === undefined || cause === null ? undefined : failureFromWire(cause)
}

function detailsOf(exception: unknown): unknown {
  const details = memberOf(exception, 'details')
  return textOf(exception, 'details_payload_codec') === 'avro' ? decodeEnvelope(details) : details
}

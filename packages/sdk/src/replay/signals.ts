// Signals as authored code reads them: waited for one by one, or handed to a handler.

import type { WaitOptions } from '../authoring/context.ts'
import { inputFromArguments, validateInput } from '../authoring/contract.ts'
import { ContractError, GuardError } from '../authoring/failure.ts'
import type { Message, Signal } from '../authoring/message.ts'
import type { Place } from '../authoring/place.ts'
import type { Emission } from './emission.ts'
import { openSignalWait } from './emit.ts'
import type { Host } from './host.ts'
import type { Arrival } from './waits.ts'

export function signalWait(host: Host, signal: Signal, options: WaitOptions | undefined, place: Place): Emission {
  assertDeclared(host, signal)
  if (host.inbox.readerOf(signal.name) === 'handler') throw bothReaders(signal.name)
  host.inbox.waitFor(signal.name)
  return {
    what: `ctx.waitFor(${signal.name})`,
    shape: 'signal wait',
    place,
    command: () => openSignalWait(host.settings, signal.name, options?.timeout),
    receive: (outcome) =>
      outcome.kind === 'signal' ? validateInput(signal, inputFromArguments(signal, outcome.arguments)) : undefined,
  }
}

export async function* messagesOf(next: () => Promise<unknown>): AsyncGenerator<unknown, undefined> {
  while (true) yield await next()
}

export function handleSignal(host: Host, signal: Signal, handler: (input: unknown) => unknown): void {
  if (host.inbox.readerOf(signal.name) === 'wait') throw bothReaders(signal.name)
  const read = (arrival: Arrival) => host.branch(() => deliver(host, signal, handler, arrival))
  for (const arrival of host.inbox.handle(signal.name, read)) read(arrival)
}

// A message from outside that does not fit its contract must not end the run: it is reported and left out.
async function deliver(
  host: Host,
  signal: Signal,
  handler: (input: unknown) => unknown,
  arrival: Arrival,
): Promise<void> {
  const input = inputFromArguments(signal, arrival.arguments)
  const payload = await validateInput(signal, input).catch((error: unknown) => {
    if (!ContractError.is(error)) throw error
    host.log.error(`Signal "${signal.name}" was left out: ${error.message}`, {
      signalId: arrival.signalId,
      reason: error.reason,
    })
    return refused
  })
  if (payload !== refused) await handler(payload)
}

const refused = Symbol('refused')

export function assertDeclared(host: Host, message: Message): void {
  if (host.handles.some((declared) => declared.kind === message.kind && declared.name === message.name)) return
  throw new ContractError(
    `The ${message.kind} "${message.name}" is not in \`handles\` of workflow "${host.info.workflowType}"; add it to the contract.`,
    { reason: 'message_not_declared', facts: { kind: message.kind, name: message.name } },
  )
}

function bothReaders(name: string): GuardError {
  return new GuardError(
    `Signal "${name}" has a handler and is waited for; a signal is read in one way. Use ctx.handle or ctx.waitFor, not both.`,
    { reason: 'signal_handled_and_awaited', facts: { signal: name } },
  )
}

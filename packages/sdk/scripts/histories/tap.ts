// The wire of one worker, listened to and disturbed: what each turn knew and sent, replies that are lost, a worker that dies.
import { TransportError } from '../../src/authoring/failure.ts'
import { memberOf } from '../../src/transport/json.ts'
import type { Answer, Exchange, Transport } from '../../src/transport/transport.ts'
import { RecordedHistory, type RecordedTurn } from '../../test/corpus/recorded-history.ts'

/** What the workers of one run did, in the order in which the server recorded it. */
export interface Tape {
  readonly turns: RecordedTurn[]
  /** The arguments of the run, once a task has named them. */
  arguments: RecordedHistory['arguments'] | undefined
  /** A task failed for another reason than waiting: the code of the scenario is wrong. */
  failure: unknown
}

export function createTape(): Tape {
  return { turns: [], arguments: undefined, failure: undefined }
}

export interface Disturbance {
  /** Whether this reply gets lost, although the server has recorded the request. */
  losesReply(): boolean
  /** Called when a turn was recorded. */
  onTurn(count: number): void
}

export interface TappedTransport extends Transport {
  /** Nothing reaches the server any more, and no reply arrives: what a killed process looks like from outside. */
  die(): void
}

/** @param isBefore  the worker runs the code from before the change */
export function tap(inner: Transport, tape: Tape, isBefore: boolean, disturbance: Disturbance): TappedTransport {
  const known = new Map<string, number>()
  const recorded = new Set<string>()
  let isDead = false
  const dead = (reason: string) => new TransportError('The worker is dead.', { reason })

  const noteTasks = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const id = memberOf(value, 'task_id')
    const total = memberOf(value, 'total_history_events')
    if (typeof id === 'string' && typeof total === 'number' && memberOf(value, 'history_events') !== undefined) {
      known.set(id, total)
      tape.arguments ??= RecordedHistory.shape.arguments.parse(memberOf(value, 'arguments'))
      return
    }
    for (const member of Object.values(value)) noteTasks(member)
  }

  const noteReport = ({ path, body }: Exchange, { status }: Answer): void => {
    const [, id, kind] = /\/workflow-tasks\/([^/]+)\/(complete|fail)$/.exec(path) ?? []
    const events = known.get(id ?? '')
    if (id === undefined || events === undefined || status !== 200 || recorded.has(id)) return
    recorded.add(id)
    const sent: unknown = JSON.parse(body ?? '{}')
    const failure = memberOf(sent, 'failure')
    if (kind === 'fail' && memberOf(failure, 'type') !== 'WorkflowTaskWaitingForHistory') tape.failure ??= failure
    const commands = RecordedHistory.shape.turns.element.shape.commands.parse(memberOf(sent, 'commands') ?? [])
    tape.turns.push({ events, commands, ...(isBefore ? { before_change: true } : {}) })
    disturbance.onTurn(tape.turns.length)
  }

  return {
    async send(exchange) {
      if (isDead) throw dead('not_sent')
      const answer = await inner.send(exchange)
      const reply: unknown = JSON.parse(answer.text === '' ? '{}' : answer.text)
      noteReport(exchange, answer)
      if (isDead) throw dead('answer_lost')
      if (/\/(complete|fail)$/.test(exchange.path) && disturbance.losesReply()) {
        throw new TransportError('The reply was lost.', { reason: 'answer_lost' })
      }
      noteTasks(reply)
      return answer
    },
    close: () => inner.close(),
    die() {
      isDead = true
    },
  }
}

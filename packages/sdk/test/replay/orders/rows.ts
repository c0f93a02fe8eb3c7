// Rows of one run as a server writes them that only numbers: steps dense, by command, outcomes in whatever order it is told.
import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import type { Command, HistoryEvent } from '@durable-workflow/protocol'
import { event, numbered, type TestEvent } from '../history.ts'

interface Open {
  readonly step: number
  readonly command: Command
}

export class Rows {
  readonly events: TestEvent[] = [event('WorkflowStarted', { workflow_type: 'program' })]
  /** The end that the code has sent. */
  terminal: Command | undefined
  lastStep = 0
  readonly #open: Open[] = []
  readonly #unread: string[] = []
  #signals = 0

  get hasEnded(): boolean {
    return this.terminal !== undefined
  }

  record(commands: readonly Command[], resolvedWaits: readonly number[]): void {
    for (const step of resolvedWaits) this.#satisfy(step)
    for (const command of commands) this.#record(command)
  }

  /** A wait that the code has moved past: from now on its timeout does not fire. */
  #satisfy(step: number): void {
    const index = this.#open.findIndex((each) => each.step === step)
    if (index >= 0) this.#open.splice(index, 1)
    this.events.push(event('ConditionWaitSatisfied', { sequence: step, condition_wait_id: `wait-${step}` }))
  }

  #record(command: Command): void {
    if (command.type === 'complete_workflow' || command.type === 'fail_workflow') {
      this.terminal = command
      return
    }
    this.lastStep += 1
    const step = this.lastStep
    this.events.push(grouped(command, opening(step, command)))
    if (command.type === 'record_side_effect' || command.type === 'record_version_marker') return
    if (command.type === 'open_signal_wait' && this.#apply(step)) return
    this.#open.push({ step, command })
  }

  #apply(sequence: number): boolean {
    const id = this.#unread.shift()
    if (id === undefined) return false
    const value = encodeEnvelope(id)
    this.events.push(event('SignalApplied', { sequence, signal_id: id, signal_name: 'tell', value }))
    return true
  }

  signal(name: 'poke' | 'tell'): void {
    this.#signals += 1
    const id = `signal-${this.#signals}`
    this.events.push(event('SignalReceived', { signal_id: id, signal_name: name, arguments: encodeArguments([id]) }))
    if (name !== 'tell') return
    this.#unread.push(id)
    const waiting = this.#open.findIndex(({ command }) => command.type === 'open_signal_wait')
    const [taken] = waiting < 0 ? [] : this.#open.splice(waiting, 1)
    if (taken !== undefined) this.#apply(taken.step)
  }

  /** Ends an open step. What only a message can end gets one. */
  end(choice: number, succeeds: boolean): void {
    const index = choice % Math.max(1, this.#open.length)
    const found = this.#open[index]
    if (found === undefined) return
    if (found.command.type === 'open_signal_wait' && found.command.timeout_seconds === undefined) {
      this.signal('tell')
      return
    }
    this.#open.splice(index, 1)
    this.events.push(grouped(found.command, ending(found, succeeds)))
  }

  /** A row that means nothing to code: the start of an attempt, or a type of a later version. */
  noise(): void {
    const activity = this.#open.find(({ command }) => command.type === 'schedule_activity')
    this.events.push(
      activity === undefined
        ? event('SomethingOfALaterVersion', { sequence: 1 })
        : grouped(activity.command, event('ActivityStarted', { sequence: activity.step, attempt_number: 1 })),
    )
  }

  page(): HistoryEvent[] {
    return numbered(this.events, 1)
  }

  /** The history with its end. */
  closed(): HistoryEvent[] {
    const { terminal } = this
    if (terminal?.type === 'complete_workflow') {
      return numbered(
        [...this.events, event('WorkflowCompleted', { output: terminal.result, payload_codec: 'avro' })],
        1,
      )
    }
    if (terminal?.type !== 'fail_workflow') throw new Error('the run has not ended')
    const { message, exception_type } = terminal
    return numbered([...this.events, event('WorkflowFailed', { message, exception_type })], 1)
  }
}

/** Every event of a member repeats its groups. */
function grouped(command: Command, row: TestEvent): TestEvent {
  const fields = Object.entries(command).filter(([key]) => key.startsWith('parallel_group_'))
  return { ...row, payload: { ...row.payload, ...Object.fromEntries(fields) } }
}

function opening(sequence: number, command: Command): TestEvent {
  switch (command.type) {
    case 'schedule_activity':
      return event('ActivityScheduled', { sequence, activity_type: command.activity_type })
    case 'start_timer':
      return event('TimerScheduled', { sequence, timer_id: `timer-${sequence}`, delay_seconds: command.delay_seconds })
    case 'open_signal_wait':
      return event('SignalWaitOpened', {
        sequence,
        signal_name: command.signal_name,
        signal_wait_id: `wait-${sequence}`,
      })
    case 'open_condition_wait':
      return event('ConditionWaitOpened', {
        sequence,
        condition_wait_id: `wait-${sequence}`,
        condition_key: command.condition_key,
        timeout_seconds: command.timeout_seconds,
      })
    case 'record_side_effect':
      return event('SideEffectRecorded', { sequence, result: command.result })
    case 'record_version_marker': {
      const { change_id, version, min_supported, max_supported } = command
      return event('VersionMarkerRecorded', { sequence, change_id, version, min_supported, max_supported })
    }
    default:
      throw new Error(`no opening for ${command.type}`)
  }
}

function ending({ step: sequence, command }: Open, succeeds: boolean): TestEvent {
  switch (command.type) {
    case 'schedule_activity': {
      const { activity_type } = command
      if (!succeeds) return event('ActivityFailed', { sequence, activity_type, message: `failed ${sequence}` })
      const result = encodeEnvelope(`done ${sequence}`)
      return event('ActivityCompleted', { sequence, activity_type, result, payload_codec: 'avro' })
    }
    case 'start_timer':
      return event('TimerFired', { sequence, timer_id: `timer-${sequence}`, delay_seconds: command.delay_seconds })
    case 'open_signal_wait':
      return event('TimerFired', { sequence, timer_kind: 'signal_timeout', signal_wait_id: `wait-${sequence}` })
    default:
      return event('TimerFired', { sequence, timer_kind: 'condition_timeout', condition_wait_id: `wait-${sequence}` })
  }
}

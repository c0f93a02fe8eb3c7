// One deterministic thing of one recorded opening, changed: its type, its step, or its name.
import type { HistoryEvent } from '@durable-workflow/protocol'

export interface Mutated {
  readonly events: readonly HistoryEvent[]
  readonly what: 'type' | 'step' | 'name'
  readonly row: number
}

const openings: ReadonlySet<string> = new Set([
  'ActivityScheduled',
  'TimerScheduled',
  'SignalWaitOpened',
  'ConditionWaitOpened',
  'SideEffectRecorded',
  'VersionMarkerRecorded',
])

/** Every mutation of an opening of the history. */
export function mutationsOf(events: readonly HistoryEvent[]): readonly Mutated[] {
  return events.flatMap((event, row) => {
    if (!openings.has(event.event_type)) return []
    const changed = (what: Mutated['what'], next: Partial<HistoryEvent>): Mutated => ({
      events: events.map((each, index) => (index === row ? { ...each, ...next } : each)),
      what,
      row,
    })
    const payload = (more: Record<string, unknown>) => ({ payload: { ...event.payload, ...more } })
    const name = nameOf(event)
    return [
      changed('type', {
        event_type: event.event_type === 'TimerScheduled' ? 'ActivityScheduled' : 'TimerScheduled',
        payload: { sequence: event.payload.sequence },
      }),
      changed('step', payload({ sequence: Number(event.payload.sequence) + 1 })),
      changed('step', payload({ sequence: Math.max(1, Number(event.payload.sequence) - 1) })),
      ...(name === undefined ? [] : [changed('name', payload(name))]),
    ]
  })
}

function nameOf({ event_type: type, payload }: HistoryEvent): Record<string, unknown> | undefined {
  switch (type) {
    case 'ActivityScheduled':
      return { activity_type: `${String(payload.activity_type)} of old` }
    case 'TimerScheduled':
      return { delay_seconds: Number(payload.delay_seconds) + 1 }
    case 'SignalWaitOpened':
      return { signal_name: `${String(payload.signal_name)} of old` }
    case 'ConditionWaitOpened':
      return { timeout_seconds: Number(payload.timeout_seconds) + 1 }
    case 'VersionMarkerRecorded':
      return { change_id: `${String(payload.change_id)} of old` }
    default:
      return undefined
  }
}

import type { Clock } from '../../src/transport/clock.ts'

export interface ManualClock extends Clock {
  /** Jumps to the next alarm that is set, waiting for one if there is none yet, and rings it. Returns how far it jumped, in ms. */
  next(): Promise<number>
  readonly alarms: number
}

/** A clock that stands until a test moves it. */
export function createManualClock(start = 1_000_000): ManualClock {
  let time = start
  const alarms: { at: number; wake: () => void }[] = []
  let changed = Promise.withResolvers<void>()
  return {
    now: () => time,
    at(instant, wake) {
      const alarm = { at: instant, wake }
      alarms.push(alarm)
      changed.resolve()
      changed = Promise.withResolvers<void>()
      return () => {
        const index = alarms.indexOf(alarm)
        if (index >= 0) alarms.splice(index, 1)
      }
    },
    async next() {
      while (alarms.length === 0) await changed.promise
      alarms.sort((a, b) => a.at - b.at)
      const alarm = alarms.shift()
      if (alarm === undefined) return 0
      const jump = Math.max(0, alarm.at - time)
      time += jump
      alarm.wake()
      return jump
    },
    get alarms() {
      return alarms.length
    },
  }
}

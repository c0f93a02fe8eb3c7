import type { Chance, Clock } from './ports.ts'

// setTimeout counts in a signed 32-bit integer; a longer wait is cut into pieces.
const timeoutMaxMs = 2 ** 31 - 1

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  at(instant, wake) {
    let timer: NodeJS.Timeout
    const arm = () => {
      const left = instant - Date.now()
      timer = left > timeoutMaxMs ? setTimeout(arm, timeoutMaxMs) : setTimeout(wake, Math.max(left, 0))
    }
    arm()
    return () => clearTimeout(timer)
  },
  soon: (wake) => void setImmediate(wake),
}

/** The machine's own chance. */
export const systemChance: Chance = {
  hex: (digits) =>
    Array.from(crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2))), (byte) =>
      byte.toString(16).padStart(2, '0'),
    )
      .join('')
      .slice(0, digits),
}

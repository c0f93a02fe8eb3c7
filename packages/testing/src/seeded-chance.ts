import type { Chance as EngineChance } from '@durable-workflow/engine/ports'
import type { Chance as ClientChance } from '@durable-workflow/sdk/client'

/** All chance of an environment: the same seed draws the same. */
export interface SeededChance extends EngineChance, ClientChance {
  /** A whole number from 0 up to but not including `count`. */
  below(count: number): number
}

/** Draws from a seed of any size: the 32-bit generator `sfc32` (Doty-Humphrey, PractRand), its state spread by a multiplicative hash. */
export function seededChance(seed: number): SeededChance {
  let [a, b, c, counter] = [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0, 0x9e3779b9, 1]
  const next = (): number => {
    const drawn = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + drawn) | 0
    return drawn >>> 0
  }
  // Small seeds differ in few bits; these rounds spread them.
  for (let round = 0; round < 15; round += 1) next()
  const hex = (digits: number): string => {
    let text = ''
    while (text.length < digits) text += next().toString(16).padStart(8, '0')
    return text.slice(0, digits)
  }
  return {
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    below: (count) => Math.floor((next() / 2 ** 32) * count),
  }
}

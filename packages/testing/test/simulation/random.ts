// All chance of a world comes from here: the same number gives the same sequence.

export interface Random {
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number
  /** True with this probability. */
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Lowercase hex digits. */
  hex(digits: number): string
}

/** A generator of 32 bits of state: a counter, finished by multiply and xor. */
export function randomFrom(seed: number): Random {
  let state = finish(seed >>> 0)
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    return finish(state)
  }
  const below = (bound: number) => Math.floor((next() / 2 ** 32) * bound)
  return {
    below,
    happens: (probability) => next() / 2 ** 32 < probability,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('There is nothing to pick from.')
      return item
    },
    hex(digits) {
      let text = ''
      while (text.length < digits) text += next().toString(16).padStart(8, '0')
      return text.slice(0, digits)
    },
  }
}

/** One number from several, for chance that belongs to one place of a world. */
export function mixed(...parts: readonly (number | string)[]): number {
  let mix = 0x811c9dc5
  for (const unit of parts.join('|')) mix = Math.imul(mix ^ (unit.codePointAt(0) ?? 0), 0x01000193)
  return finish(mix >>> 0)
}

function finish(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

// Deterministic chance: xoshiro128** seeded by a hash of the run id. The sequence is part of replay behaviour: see versions.ts.

export interface Random {
  /** From 0 up to but not including 1, with 53 bits. */
  next(): number
  /** A version 4 UUID. */
  uuid(): string
}

/** A generator whose numbers depend on `seed` alone. */
export function createRandom(seed: string): Random {
  const state: [number, number, number, number] = [
    hash(seed, 0x9e3779b9),
    hash(seed, 0x85ebca6b),
    hash(seed, 0xc2b2ae35),
    hash(seed, 0x27d4eb2f) | 1,
  ]
  const word = () => advance(state)
  return {
    next: () => ((word() >>> 5) * 67_108_864 + (word() >>> 6)) / 9_007_199_254_740_992,
    uuid: () => formatUuid([word(), word(), word(), word()]),
  }
}

function advance(state: [number, number, number, number]): number {
  const [a, b, c, d] = state
  const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
  const crossed = c ^ a
  const mixed = d ^ b
  state[0] = a ^ mixed
  state[1] = b ^ crossed
  state[2] = crossed ^ (b << 9)
  state[3] = rotate(mixed, 11)
  return result
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

// FNV-1a over the characters, then an avalanche, so that seeds that differ in one letter share nothing.
function hash(text: string, start: number): number {
  let value = start | 0
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return value ^ (value >>> 16)
}

function formatUuid([a, b, c, d]: [number, number, number, number]): string {
  const versioned = (b & 0xffff0fff) | 0x00004000
  const varianted = (c & 0x3fffffff) | 0x80000000
  const digits = [a, versioned, varianted, d].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  return [0, 8, 12, 16, 20].map((at, index, cuts) => digits.slice(at, cuts[index + 1] ?? 32)).join('-')
}

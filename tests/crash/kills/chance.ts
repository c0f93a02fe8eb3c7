/** Numbers from 0 to below 1 that follow from the seed alone (xorshift of 32 bits). */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

/** `DW_TEST_SEED` repeats the instants of an earlier run; otherwise the clock's. */
export const seedOf = (): number => Number(process.env.DW_TEST_SEED ?? Date.now() % 2 ** 31)

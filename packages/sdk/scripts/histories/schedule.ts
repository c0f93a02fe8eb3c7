// What happens around a run while it is recorded, drawn from a seed.

export interface Schedule {
  /** Bytes of the worker's cache; 0: every turn is a replay from the start. */
  readonly stickyCacheBytes: number
  /** `early`: all messages before the first task; `late`: one by one, when the run waits; `mixed`: whenever. */
  readonly messages: 'early' | 'late' | 'mixed'
  /** The worker dies when its turn of this number was recorded, and another takes over; undefined: it lives. */
  readonly diesAtTurn: number | undefined
  readonly replyLoss: number
  /** Milliseconds that an activity takes besides, at most. */
  readonly delayMsMax: number
  /** Asks the queries of the workflow between messages. */
  readonly asksQueries: boolean
  /** From 0 up to but not including 1. */
  next(): number
}

/** mulberry32: the same seed, the same schedule. What the machine's own speed adds is what the recording is for. */
function generator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const orders = ['late', 'early', 'mixed'] as const

/** The schedule of a round; the first rounds are plain, later ones mix everything. */
export function scheduleOf(seed: number, round: number): Schedule {
  const next = generator(seed * 1_000 + round)
  const dies = round === 2 || (round > 3 && next() < 0.4)
  return {
    stickyCacheBytes: round % 2 === 0 ? 1_000_000 : 0,
    messages: orders[round % orders.length] ?? 'mixed',
    diesAtTurn: dies ? 1 + Math.floor(next() * 4) : undefined,
    replyLoss: round >= 2 ? 0.2 : 0,
    delayMsMax: round === 0 ? 0 : 12,
    asksQueries: round % 2 === 1,
    next,
  }
}

/** A number from 0 up to 1. */
export type Chance = () => number

/** A seeded source of chance: the same seed gives the same cases. */
export function chanceOf(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<Item>(chance: Chance, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(chance() * items.length)] ?? items[0]
}

/** What a client may send by mistake or malice where something else belongs. */
const strange: readonly [unknown, ...unknown[]] = [
  null,
  true,
  '',
  'x',
  0,
  1,
  -1,
  1.5,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  1e300,
  'x'.repeat(300),
  '\u0000',
  '😀\ud800',
  '2026-01-01T00:00:00Z',
  [],
  {},
  [null],
  [[[]]],
  { codec: 'avro', blob: '' },
  { codec: 'json', blob: 'x' },
  { deep: { a: [1, { b: 2 }] } },
]

/** A copy with a few members changed, deep inside or not, or left out. */
export function mutated(chance: Chance, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return pick(chance, strange)
  const entries = Object.entries(value)
  const chosen = Math.floor(chance() * entries.length)
  const changed = entries.flatMap(([name, member], index) => {
    if (index !== chosen) return [[name, member]]
    const fate = chance()
    if (fate < 0.15) return []
    return [[name, fate < 0.5 && isContainer(member) ? mutated(chance, member) : pick(chance, strange)]]
  })
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed)
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

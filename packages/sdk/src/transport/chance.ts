import { randomUUID } from 'node:crypto'

/** Where ids come from; tests hand in one that repeats itself. */
export interface Chance {
  uuid(): string
}

export const systemChance: Chance = { uuid: randomUUID }

// What chance does to a simulated world: which request of a worker meets which fault.
//
// Owns:      the draw, the order of requests by which a fault is named, the trace.
// Does not:  carry out a fault: the world does.
import type { SeededChance } from './seeded-chance.ts'

/** What may befall a request of a worker. */
export const faultKinds = [
  'lost request',
  'lost reply',
  'repeated request',
  'worker crash before',
  'worker crash after',
  'server restart before',
  'server restart after',
  'clock jump',
] as const

/** A fault as data: it names its request by the operation and its number, so that it means the same in every run of its seed. */
export interface Fault {
  readonly kind: (typeof faultKinds)[number]
  /** The operation, like `activity-tasks/complete`. */
  readonly at: string
  /** Counted from 1 over all workers. */
  readonly nth: number
  /** How far a `clock jump` goes. */
  readonly ms?: number | undefined
}

/** Requests that a fault is drawn for: one in this many. */
const oneIn = 6
const faultsMax = 4
const jumpMsMax = 10 * 60_000

/** The faults of one run of a scenario. */
export class Faults {
  readonly #chance: SeededChance
  readonly #given: readonly Fault[] | undefined
  readonly #counts = new Map<string, number>()
  readonly #left: number
  readonly #done: Fault[] = []
  readonly #trace: string[] = []
  #isOver = false

  /** @param given exactly these faults; undefined: drawn */
  constructor(chance: SeededChance, given: readonly Fault[] | undefined) {
    this.#chance = chance
    this.#given = given
    this.#left = chance.below(faultsMax + 1)
  }

  /** The faults that were met, in order. */
  get done(): readonly Fault[] {
    return this.#done
  }

  /** Every request of the run, one a line: when, whose, which, and what befell it. */
  get trace(): readonly string[] {
    return this.#trace
  }

  /** From now on every request is carried straight. */
  end(): void {
    this.#isOver = true
  }

  /** Notes a request. @returns what befalls it */
  meet(request: {
    readonly party: string
    readonly at: string
    readonly now: Date
    readonly mayFail: boolean
  }): Fault | undefined {
    const { party, at, now, mayFail } = request
    const nth = (this.#counts.get(at) ?? 0) + 1
    this.#counts.set(at, nth)
    const fault = mayFail && !this.#isOver ? this.#faultOf(at, nth) : undefined
    if (fault !== undefined) this.#done.push(fault)
    this.#trace.push(`${now.toISOString()} ${party} ${at} #${nth}${fault === undefined ? '' : ` ← ${wordsOf(fault)}`}`)
    return fault
  }

  /** Notes what happened besides requests. */
  note(now: Date, what: string): void {
    this.#trace.push(`${now.toISOString()} ${what}`)
  }

  #faultOf(at: string, nth: number): Fault | undefined {
    if (this.#given !== undefined) return this.#given.find((fault) => fault.at === at && fault.nth === nth)
    if (this.#done.length >= this.#left || this.#chance.below(oneIn) > 0) return undefined
    const kind = faultKinds[this.#chance.below(faultKinds.length)]
    if (kind === undefined) return undefined
    return { kind, at, nth, ...(kind === 'clock jump' ? { ms: 1 + this.#chance.below(jumpMsMax) } : {}) }
  }
}

/** A fault as people read it. */
export function wordsOf({ kind, ms }: Fault): string {
  return ms === undefined ? kind : `${kind} of ${ms} ms`
}

/** The operation of a worker's request: its path without ids; of any other request method and path. */
export function operationOf({ method, path }: { readonly method: string; readonly path: string }): string {
  const plain = path.split('?')[0] ?? path
  const [, kind, rest = ''] = /^\/api\/worker\/([^/]+)(.*)$/.exec(plain) ?? []
  if (kind === undefined) return `${method} ${plain}`
  return rest === '' ? kind : `${kind}/${rest.slice(rest.lastIndexOf('/') + 1)}`
}

// A world and what happens in it, as data: a scenario that is stored replays exactly, whatever the generator becomes.

import type { NamedPoint } from '@durable-workflow/engine/ports'
import { type Random, randomFrom } from './random.ts'

export interface Scenario {
  /** Part of all ids of this world: several may share a store. */
  readonly name: string
  /** Seed of everything that is not in the steps: ids and authored programs. */
  readonly chance: number
  readonly servers: number
  readonly workers: number
  readonly workflows: number
  readonly steps: readonly Step[]
}

export type Step =
  | Action
  /** Time goes on, every alarm at its own instant. */
  | { readonly do: 'pass'; readonly ms: number }
  /** All machines slept: what was due meanwhile is due at once. */
  | { readonly do: 'jump'; readonly ms: number }
  /** One server's clock is set, forward or back. */
  | { readonly do: 'skew'; readonly server: number; readonly ms: number }
  /** The server dies where it next comes to this point; `now`: between two groups. */
  | { readonly do: 'crash'; readonly server: number; readonly at: NamedPoint | 'now' }
  /** What the next transaction, or the next read, of a server meets. */
  | { readonly do: 'trouble'; readonly server: number; readonly how: Trouble }
  /** A worker process dies and forgets what it held. */
  | { readonly do: 'vanish'; readonly worker: number }

export type Trouble = 'commit fails' | 'unknown, committed' | 'unknown, not committed' | 'read fails'

/** `lost`: the operation runs and nobody hears of it; `twice`: sent two times at once. */
export type Fate = 'heard' | 'lost' | 'twice'

/** Something that a client or a worker does; its numbers choose among what is there at that moment. */
export interface Action {
  readonly do: ActionKind
  readonly who: number
  readonly which: number
  readonly how: number
  readonly fate: Fate
  /** The next action comes before this one is answered: they may meet in one group. */
  readonly joined: boolean
}

/** How often each kind is drawn, in proportion. */
const weights = {
  start: 4,
  signal: 7,
  query: 3,
  cancel: 1,
  terminate: 1,
  requestCancellation: 0.4,
  repair: 1.5,
  repairPass: 0.5,
  pollWorkflow: 16,
  pollActivity: 12,
  pollQuery: 3,
  workflowTask: 20,
  activityTask: 12,
  queryTask: 2,
  register: 1,
  deregister: 0.6,
  heartbeatWorker: 0.6,
  createNamespace: 0.3,
  read: 3,
  repeat: 6,
} as const

export type ActionKind = keyof typeof weights

const kinds: readonly ActionKind[] = Object.keys(weights).filter((kind) => isKind(kind))
const total = kinds.reduce((sum, kind) => sum + weights[kind], 0)
const points = ['gathered', 'locked', 'decided', 'written', 'committed', 'now'] as const
const troubles = ['commit fails', 'unknown, committed', 'unknown, not committed', 'read fails'] as const
const daysMs = 86_400_000

function isKind(kind: string): kind is ActionKind {
  return kind in weights
}

/** The scenario that a seed stands for. */
export function scenarioOf(seed: number): Scenario {
  const random = randomFrom(seed)
  const workflows = random.happens(0.75) ? 2 + random.below(2) : 4 + random.below(5)
  const count = 16 + random.below(24) + workflows * 4
  return {
    name: String(seed),
    chance: random.below(2 ** 31),
    servers: random.happens(0.3) ? 2 : 1,
    workers: 1 + random.below(4),
    workflows,
    steps: [startStep(random), ...Array.from({ length: count }, () => stepOf(random))],
  }
}

function startStep(random: Random): Step {
  return { ...action(random, 'start'), which: 0, fate: 'heard' }
}

function stepOf(random: Random): Step {
  const draw = random.below(100)
  if (draw < 13) return { do: 'pass', ms: random.pick([0, 1, 1, 250, 999, 1_000, 1_500, 2_500, 4_000]) }
  if (draw < 15) return { do: 'jump', ms: random.pick([1, 2_000, 7_000, 30_000, 3_600_000, 3 * daysMs]) }
  if (draw < 16) return { do: 'skew', server: random.below(2), ms: random.pick([-5_000, -1_500, -1, 800, 3_000]) }
  if (draw < 19) return { do: 'crash', server: random.below(2), at: random.pick(points) }
  if (draw < 21) return { do: 'trouble', server: random.below(2), how: random.pick(troubles) }
  if (draw < 22) return { do: 'vanish', worker: random.below(4) }
  return action(random, kindOf(random))
}

function action(random: Random, kind: ActionKind): Action {
  const fate = random.below(20)
  return {
    do: kind,
    who: random.below(64),
    which: random.below(64),
    how: random.below(1_024),
    fate: fate === 0 ? 'twice' : fate < 3 ? 'lost' : 'heard',
    joined: random.happens(0.3),
  }
}

function kindOf(random: Random): ActionKind {
  let left = (random.below(2 ** 20) / 2 ** 20) * total
  for (const kind of kinds) {
    left -= weights[kind]
    if (left < 0) return kind
  }
  return 'read'
}

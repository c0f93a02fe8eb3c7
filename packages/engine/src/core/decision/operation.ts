import type { Draft } from './draft.ts'
import type { Decision } from './outcome.ts'
import type { SliceKey } from './slice.ts'

/** One input of the door: what it locks, what it may see, how it decides. Data and a pure function. */
export interface Operation<Reply = unknown, Reason extends string = string> {
  readonly kind: string
  /** Lock keys; the workflow's lock where a workflow is touched, else the resource's own. */
  readonly locks: readonly string[]
  readonly slice: readonly SliceKey[]
  /** More keys that follow from the rows loaded so far; asked until it names none that is new, before any decision of the group (UW2). */
  follow(draft: Draft): readonly SliceKey[]
  /** Synchronous and total; `now` is the instant of the group (epoch ms). */
  decide(draft: Draft, now: number): Decision<Reply, Reason>
}

interface Definition<Input, Reply, Reason extends string> {
  readonly kind: string
  locks(input: Input): readonly string[]
  slice(input: Input): readonly SliceKey[]
  follow?(draft: Draft, input: Input): readonly SliceKey[]
  decide(draft: Draft, input: Input, now: number): Decision<Reply, Reason>
}

/** Defines a kind of operation; the result makes one from its input, ready for `engine.execute`. */
export function defineOperation<Input, Reply, Reason extends string>(
  definition: Definition<Input, Reply, Reason>,
): (input: Input) => Operation<Reply, Reason> {
  return (input) => ({
    kind: definition.kind,
    locks: definition.locks(input),
    slice: definition.slice(input),
    follow: (draft) => definition.follow?.(draft, input) ?? [],
    decide: (draft, now) => definition.decide(draft, input, now),
  })
}

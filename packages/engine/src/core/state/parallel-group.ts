import type { EventPayloads } from '@durable-workflow/protocol'

/** The six members that every event of a group's member repeats, exactly as its command carried them. */
export type GroupFacts = Pick<
  EventPayloads['TimerFired'],
  | 'parallel_group_id'
  | 'parallel_group_kind'
  | 'parallel_group_base_sequence'
  | 'parallel_group_size'
  | 'parallel_group_index'
  | 'parallel_group_path'
>

/** What an activity or a timer knows of the group that it is a member of. */
export interface GroupMember {
  /** Step of the first member of the outermost group around it: under it the run counts. */
  readonly base: number
  readonly facts: GroupFacts
}

/**
 * One outermost group of a run: the run hears of its members when all have ended, or when one fails. Groups within it
 * are not counted: each is complete before the outermost one is.
 */
export interface ParallelGroup {
  readonly groupId: string
  /** Step of the first member. */
  readonly base: number
  /** Members on all levels. */
  readonly size: number
  /** Digest of the paths of all members: the same group, sent again, is known by it. */
  readonly shape: string
  /** Members that have not ended. */
  readonly open: number
  /** History position of the event that ended the last member; kept until a completion has seen it. */
  readonly closedSequence: number | undefined
}

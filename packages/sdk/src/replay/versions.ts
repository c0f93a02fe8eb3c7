/** One change of what replay does with the same history; old runs depend on it for ever. */
export interface ReplayVersion {
  readonly number: number
  readonly since: string
  readonly story: string
}

/** The ledger of replay behaviour, newest last. Whoever changes emission order, step numbers or chance adds an entry. */
export const replayVersions: readonly ReplayVersion[] = [
  {
    number: 1,
    since: '0.1.0',
    story:
      'One event, then a drain. Steps are numbered in authored order. A condition that already holds takes no step. ' +
      'Chance is xoshiro128** seeded by the run id. Time is the newest recorded_at applied so far. ' +
      'Side effects and versions are known at the call, from the row that history has for their step. ' +
      'A change has one version a run; without a marker, and with a later row, it is -1 and takes no step.',
  },
]

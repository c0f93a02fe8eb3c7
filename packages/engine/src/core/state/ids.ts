// Ids say where they belong: a run id holds the short key of its workflow id, every other id of a run begins with the run
// id. The lock of any report therefore follows from its id, before anything is loaded (design.md §2.3).
//
// Before the short key stands the time of the start: runs that are busy at the same time lie side by side in every index, so
// a group commit writes a few pages and not one for each run (bench W1 on SQLite, 50 runs at once).

/** What a run id's time of start is counted in: fine enough that of a thousand starts a second few stand between two. */
const stampMs = 4
/** Hex digits of the time of the start that a run id begins with; they last until 2109, then the order begins anew. */
export const stampLength = 10
/** Characters of a short key, the lock key of a workflow. */
export const shortKeyLength = 16
/** Hex digits of chance that a run id ends with. */
export const chanceLength = 6
/** Characters of a run id: the time of its start, its short key, and chance. */
export const runIdLength = stampLength + shortKeyLength + chanceLength

/** What an id inside a run names; the letter stands between the run id and the counter. */
export const idKinds = {
  workflowTask: 't',
  activity: 'a',
  timer: 'm',
  wait: 'w',
  signal: 's',
  command: 'c',
  failure: 'f',
  queryTask: 'q',
  event: 'e',
} as const

export type IdKind = keyof typeof idKinds

/**
 * The lock key of a workflow id: 64 bits of a hash as 16 hex digits.
 *
 * Two workflows with the same short key merely share a lock, so the hash needs spread, not secrecy
 * (two 32-bit multiply-xor lanes, each finished as in MurmurHash3).
 */
export function shortKey(workflowId: string): string {
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  for (let i = 0; i < workflowId.length; i++) {
    const unit = workflowId.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x85ebca77)
    b = Math.imul(b ^ unit, 0xc2b2ae3d)
    a ^= b >>> 13
  }
  return hex32(finish(a ^ (b >>> 16))) + hex32(finish(b ^ (a >>> 16) ^ workflowId.length))
}

/**
 * The run id of a new run.
 *
 * @param startedAt epoch ms; only for the order of ids
 * @param chance    `chanceLength` lowercase hex digits, made outside the core
 */
export function newRunId(workflowId: string, startedAt: number, chance: string): string {
  const stamp = Math.floor(startedAt / stampMs).toString(16)
  return stamp.slice(-stampLength).padStart(stampLength, '0') + shortKey(workflowId) + chance
}

/** The run that an id belongs to; a malformed id yields a run that does not exist. */
export function runIdOf(id: string): string {
  return id.slice(0, runIdLength)
}

/** The lock that an id of a run, or the run id itself, follows from. */
export function lockOf(id: string): string {
  return id.slice(stampLength, stampLength + shortKeyLength)
}

/** The n-th id of its kind in a run. */
export function idIn(runId: string, kind: IdKind, n: number): string {
  return `${runId}${idKinds[kind]}${n}`
}

/** The attempt id of the n-th attempt of an activity execution. */
export function attemptIdOf(activityId: string, attempt: number): string {
  return `${activityId}x${attempt}`
}

/** Takes an attempt id apart; undefined when it is not one. */
export function parseAttemptId(attemptId: string): { activityId: string; attempt: number } | undefined {
  const match = /^([0-9a-f]{32}a\d+)x(\d+)$/.exec(attemptId)
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  return { activityId: match[1], attempt: Number(match[2]) }
}

function finish(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function hex32(value: number): string {
  return value.toString(16).padStart(8, '0')
}

// Says what is wrong with a world. It knows what was sent, what was decided, what was committed and what was answered; it
// shares no code with the engine's decisions.

import type { Changes, Registration, RowChanges, Store } from '@durable-workflow/engine/ports'
import type { Request } from '../request.ts'
import type { Group, Sending } from '../sending.ts'
import { settings } from '../server.ts'
import { count, type Tally } from '../tally.ts'
import { Answers } from './answers.ts'
import { Commit, type Invariant, isRepeated } from './commit.ts'
import { judgeHistory } from './history.ts'
import { judgeLeases, judgeReports } from './leases.ts'
import { judgeMessages } from './messages.ts'
import { progressProblems } from './progress.ts'
import { isEmpty, Rows, workerKey } from './rows.ts'
import { storedProblems } from './stored.ts'

export interface Violation {
  readonly invariant: Invariant
  readonly problem: string
}

/** A server that works, as the judge sees it. */
export interface Working {
  /** By its own clock. */
  readonly now: number
  /** How long nothing has kept it from its work, in ms. */
  readonly undisturbedMs: number
}

/** A server finds what is due within one interval of its scans, and the next one makes up for one that failed. */
const overdueMs = 3_000

export class Judge {
  readonly rows = new Rows()
  readonly violations: Violation[] = []
  readonly #tally: Tally
  readonly #answers: Answers
  readonly #received = new Set<string>()
  readonly #registrations = new Map<string, Registration[]>()
  /** Runs that were written since they were last looked at. */
  readonly #touched = new Set<string>()
  readonly #inFlight: (life: number) => readonly Sending[]
  readonly #trueNow: () => number
  /** By id of a row: when it was last written, in true time. */
  readonly #writtenAt = new Map<string, number>()

  /** @param inFlight what a life of a server has got and not answered */
  constructor(tally: Tally, inFlight: (life: number) => readonly Sending[], trueNow: () => number) {
    this.#trueNow = trueNow
    this.#tally = tally
    this.#inFlight = inFlight
    this.#answers = new Answers(this.rows, this.say)
  }

  readonly say = (invariant: Invariant, problem: string): void => {
    this.violations.push({ invariant, problem })
  }

  /** A group has been committed; nobody has been answered yet. */
  committed(group: Group): void {
    this.#tally.commits += 1
    const { changes } = group
    if (changes === undefined) return
    const commit = new Commit(group, changes, this.rows, this.#inFlight(group.life))
    for (const one of [...changes.registrations.inserted, ...changes.registrations.updated]) this.#knowRegistration(one)
    this.#check('one order', 'one door')
    judgeHistory(commit, this.say)
    this.#check('authority', 'attempts')
    judgeLeases(commit, this.#registrations, this.say)
    this.#check('recorded is recorded')
    judgeReports(commit, this.say)
    this.#judgeSilence(commit)
    this.#check('no lost signal')
    judgeMessages(commit, this.#received, this.say)
    this.#judgeWorkers(commit)
    for (const event of changes.events) count(this.#tally.events, event.type)
    for (const problem of this.rows.apply(changes)) this.say('one order', problem)
    this.#noteWritten(changes)
    for (const { runId } of [...changes.runs.inserted, ...changes.runs.updated]) this.#touched.add(runId)
    for (const table of [changes.workflowTasks, changes.activities, changes.timers, changes.waits, changes.signals])
      for (const { runId } of [...table.inserted, ...table.updated]) this.#touched.add(runId)
  }

  answered(sending: Sending): void {
    if (sending.answer === undefined) return
    this.#check('receipts', 'answered once')
    this.#answers.judge(sending, sending.answer)
    this.#answers.handedOver(sending)
  }

  /** After each step, when nothing moves. */
  rested(servers: readonly Working[], unanswered: readonly Sending[], setBackMs: number): void {
    this.#check('reason to move', 'each lease alone', 'answered once')
    for (const runId of this.#touched) {
      const run = this.rows.runs.get(runId)
      if (run === undefined) continue
      for (const problem of progressProblems(this.rows, run)) this.say('reason to move', `run ${runId}: ${problem}`)
    }
    this.#touched.clear()
    for (const { now, undisturbedMs } of servers) if (undisturbedMs >= overdueMs) this.#judgeOverdue(now - overdueMs)
    for (const sending of unanswered) this.#judgeUnanswered(sending, setBackMs)
  }

  /** What the engine's own checker finds. */
  checker(problems: readonly { readonly runId: string; readonly problem: string }[]): void {
    this.#check('reason to move')
    for (const { runId, problem } of problems) this.say('reason to move', `run ${runId}, says the checker: ${problem}`)
  }

  /** What the store would tell another server. */
  async stored(store: Store): Promise<void> {
    this.#check('stored rows')
    for (const problem of await storedProblems(store, this.rows)) this.say('stored rows', problem)
  }

  #noteWritten(changes: Changes): void {
    const now = this.#trueNow()
    const note = <Row>({ inserted, updated }: RowChanges<Row>, idOf: (row: Row) => string) => {
      for (const row of [...inserted, ...updated]) this.#writtenAt.set(idOf(row), now)
    }
    note(changes.workflowTasks, (row) => row.taskId)
    note(changes.activities, (row) => row.activityId)
    note(changes.timers, (row) => row.timerId)
    note(changes.runs, (row) => row.runId)
    note(changes.queryTasks, (row) => row.queryTaskId)
  }

  #check(...invariants: readonly Invariant[]): void {
    for (const invariant of invariants) count(this.#tally.checks, invariant)
  }

  // A refusal that time does not explain, and a repeat, have written nothing.
  #judgeSilence(commit: Commit): void {
    const { decided, group, changes } = commit
    if (decided.length === 0 || decided.length < group.kinds.length) return
    const isSilent = decided.every(({ decision }) =>
      decision.kind === 'refused' ? !decision.keepsDraft : decision.kind === 'accepted' && isRepeated(decision.reply),
    )
    if (isSilent && !isEmpty(changes))
      this.say('recorded is recorded', `${group.kinds.join(', ')} was refused or repeated, and something was written`)
  }

  #judgeWorkers(commit: Commit): void {
    const { registrations, namespaces } = commit.changes
    const registered = commit.waiting('register').map(({ input }) => workerKey(input))
    for (const row of [...registrations.inserted, ...registrations.updated])
      if (!registered.includes(workerKey(row))) this.say('one door', `${row.workerId} is registered by nobody`)
    const gone = commit.waiting('deregister').map((request) => workerKey(request))
    for (const row of registrations.removed)
      if (!gone.includes(workerKey(row))) this.say('one door', `${row.workerId} is deregistered by nobody`)
    const made = commit.recorded('createNamespace', () => true).map(({ request }) => request.input.name)
    for (const { name } of namespaces.inserted)
      if (name !== 'default' && !made.includes(name)) this.say('one door', `namespace ${name} is made by nobody`)
  }

  #knowRegistration(registration: Registration): void {
    const versions = this.#registrations.get(registration.registrationId)
    if (versions === undefined) this.#registrations.set(registration.registrationId, [registration])
    else versions.push(registration)
  }

  /** What was due by then, and was known to be, has been acted on, whatever else stands beside it. */
  #judgeOverdue(then: number): void {
    const { workflowTasks, activities, timers, runs, queryTasks } = this.rows
    for (const row of workflowTasks.values()) this.#mayBeOverdue('workflow task', row.taskId, row.dueAt, then)
    for (const row of activities.values()) this.#mayBeOverdue('activity', row.activityId, row.dueAt, then)
    for (const row of timers.values()) this.#mayBeOverdue('timer', row.timerId, row.dueAt, then)
    for (const row of runs.values()) this.#mayBeOverdue('run', row.runId, row.dueAt, then)
    for (const row of queryTasks.values()) this.#mayBeOverdue('query', row.queryTaskId, row.dueAt, then)
  }

  // A server whose clock is behind may write what is long due for another one: that one has an interval to find it.
  #mayBeOverdue(what: string, id: string, dueAt: number | undefined, then: number): void {
    if (dueAt === undefined || dueAt > then) return
    if (this.#trueNow() - (this.#writtenAt.get(id) ?? 0) < overdueMs) return
    this.say('each lease alone', `${what} ${id} was due at ${dueAt} and at ${then + overdueMs} nobody has looked`)
  }

  #judgeUnanswered({ request, sentAt }: Sending, setBackMs: number): void {
    const waitedMs = this.#trueNow() - sentAt
    const allowedMs = heldMs(request)
    if (allowedMs === undefined) this.say('answered once', `${request.kind} has no answer`)
    else if (waitedMs > allowedMs + overdueMs + setBackMs)
      this.say('answered once', `${request.kind} waits ${waitedMs} ms`)
  }
}

/** How long a request may be held; undefined for one that is answered at once. */
function heldMs(request: Request): number | undefined {
  // The time of a poll, and how long it waits for the look that is under way.
  if (request.kind === 'poll') return request.input.timeoutMs + 1_000
  return request.kind === 'query' ? settings.queryTimeoutMs : undefined
}

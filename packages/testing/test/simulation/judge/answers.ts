// What was answered: nothing before its commit, a refusal with all that a caller needs, the same report the same answer,
// a poll what the rows say.

import { CommitUnknownError, type PollResult, StoreUnavailableError } from '@durable-workflow/engine'
import type { HistoryEvent, TaskKind } from '@durable-workflow/engine/ports'
import type { Answer, Request, Result } from '../request.ts'
import type { Sending } from '../sending.ts'
import { isRepeated, memberOf, type Say } from './commit.ts'
import { isOpenRun, type Rows } from './rows.ts'

/** What the judge remembers of answers. */
export class Answers {
  readonly #rows: Rows
  readonly #say: Say
  /** By digest of a report: what it was answered first. */
  readonly #replies = new Map<string, string>()
  /** By task and attempt: the poll that was given it. */
  readonly #given = new Map<string, string>()

  constructor(rows: Rows, say: Say) {
    this.#rows = rows
    this.#say = say
  }

  judge(sending: Sending, answer: Answer): void {
    switch (answer.kind) {
      case 'error':
        this.#error(sending, answer.error)
        return
      case 'outcome':
        this.#outcome(sending, answer.outcome)
        return
      case 'poll':
        this.#poll(sending, answer.result)
        return
      case 'query':
        if (answer.answer.kind === 'refused') this.#refusal(sending.request, answer.answer)
        return
      case 'read':
        this.#document(sending.request, answer.document)
        return
    }
  }

  #error({ request, decisions }: Sending, error: unknown): void {
    const last = decisions.at(-1)
    if (error instanceof StoreUnavailableError) {
      // A refusal, or a repeat, has written nothing, whatever failed after it.
      const wrote = last !== undefined && last.decision.kind !== 'refused' && !isRepeated(last.decision.reply)
      if (wrote && last.group.fate === 'committed')
        this.#say('recorded is recorded', `${request.kind}: nothing was written, says the answer, and it was`)
      return
    }
    if (error instanceof CommitUnknownError) {
      // Also where it is recorded, and what the answer needs besides could not be read.
      if (last !== undefined && !last.group.isUnknown && last.group.fate !== 'committed')
        this.#say('recorded is recorded', `${request.kind} is unknown though nothing was written`)
      return
    }
    const text = error instanceof Error ? error.message : String(error)
    this.#say('answered once', `${request.kind} met an error of ours: ${text}`)
  }

  #outcome(sending: Sending, outcome: Result): void {
    const { request, decisions } = sending
    const last = decisions.at(-1)
    if (last !== undefined) {
      if (last.group.fate !== 'committed')
        this.#say('recorded is recorded', `${request.kind} is answered before its commit`)
      if (last.group.isUnknown)
        this.#say('recorded is recorded', `${request.kind} is answered though its commit is unknown`)
      if (JSON.stringify(last.decision) !== JSON.stringify(outcome))
        this.#say(
          'recorded is recorded',
          `${request.kind} was decided ${last.decision.kind} and is answered ${outcome.kind}`,
        )
    }
    if (outcome.kind === 'refused') this.#refusal(request, outcome)
    else this.#repeat(request, outcome.reply)
    if (last !== undefined && outcome.kind === 'refused') this.#refusedClaim(sending, outcome)
  }

  #refusal(
    request: Request,
    refused: { readonly reason: string; readonly recorded: boolean; readonly facts: object },
  ): void {
    const { reason, recorded, facts } = refused
    if (recorded !== false || !/^[a-z]+(_[a-z]+)*$/.test(reason))
      this.#say('receipts', `${request.kind} is refused as ${reason}, recorded ${recorded}`)
    const missing = idsOf(request).filter(([name, value]) => memberOf(facts, name) !== value)
    for (const [name, value] of missing)
      this.#say('receipts', `${request.kind} refused as ${reason} does not say ${name} ${value}`)
  }

  /** An exact repeat gets what the first one got; for a workflow task as long as its run is open. */
  #repeat(request: Request, reply: unknown): void {
    const digest = digestOf(request)
    if (digest === undefined) return
    const said = replyText(reply)
    const first = this.#replies.get(digest)
    if (first === undefined) {
      if (isRepeated(reply)) return
      this.#replies.set(digest, said)
      return
    }
    if (!isRepeated(reply)) this.#say('receipts', `report ${digest} is recorded twice`)
    if (first !== said) this.#say('receipts', `report ${digest} was answered ${first}, and again ${said}`)
  }

  /** A report that was accepted before is not refused while its run is open. */
  #refusedClaim({ request, decisions }: Sending, { reason }: { readonly reason: string }): void {
    const digest = digestOf(request)
    if (digest === undefined || !this.#replies.has(digest)) return
    const id = taskIdOf(request)
    const run = id === undefined ? undefined : this.#rows.runs.get(id.slice(0, 32))
    if (isOpenRun(run) && decisions.at(-1)?.group.sendings.length === 1)
      this.#say('receipts', `report ${digest} was accepted and is refused as ${reason} when it comes again`)
  }

  #poll({ request, life }: Sending, result: PollResult): void {
    if (request.kind !== 'poll') return
    if (result.kind === 'refused') this.#refusal(request, result)
    if (result.kind === 'refused' || result.kind === 'empty') return
    const { kind, workerId, pollRequestId } = request.input
    if (result.kind !== kind) this.#say('authority', `a ${kind} poll of ${workerId} got a ${result.kind} task`)
    const given = takenOf(result)
    this.#give(
      `${given.kind} ${given.id} attempt ${given.attempt}`,
      `${workerId} ${pollRequestId ?? `life ${life}, without an id`}`,
      given,
    )
    if (given.owner !== workerId) this.#say('authority', `${workerId} got a task that ${given.owner} holds`)
    if (result.kind === 'workflow')
      this.#page(result.claim.run.runId, result.claim.history, result.claim.task.claimedSequence)
    if (result.kind === 'query')
      this.#page(result.claim.run.runId, { events: result.claim.history, offset: 0 }, result.claim.run.lastSequence)
  }

  /** What a report handed over is given like by a poll. */
  handedOver(sending: Sending): void {
    const { answer, request } = sending
    if (answer?.kind !== 'outcome' || answer.handedOver === undefined || !('offer' in request)) return
    const poll = `${request.offer?.workerId} ${request.offer?.pollRequestId}`
    for (const claim of answer.handedOver.workflowTasks) {
      const { task, run, history } = claim
      this.#give(`workflow ${task.taskId} attempt ${task.attempt}`, poll, takenOf({ kind: 'workflow', claim }))
      this.#page(run.runId, history, task.claimedSequence)
    }
    for (const claim of answer.handedOver.activityTasks)
      this.#give(
        `activity ${claim.activity.activityId} attempt ${claim.activity.attempt}`,
        poll,
        takenOf({ kind: 'activity', claim }),
      )
  }

  #give(what: string, to: string, given: Taken): void {
    const earlier = this.#given.get(what)
    if (earlier !== undefined && earlier !== to)
      this.#say('authority', `${what} was given to ${earlier} and is given to ${to}`)
    this.#given.set(what, to)
    const row = this.#currentAttempt(given)
    if (row === undefined || row < given.attempt)
      this.#say('recorded is recorded', `${what} is given, and the rows stand at ${row}`)
  }

  #currentAttempt({ kind, id }: Taken): number | undefined {
    switch (kind) {
      case 'workflow':
        return this.#rows.workflowTasks.get(id)?.attempt
      case 'activity':
        return this.#rows.activities.get(id)?.attempt
      case 'query':
        // Its row goes with its caller, perhaps before the answer of the poll.
        return this.#rows.queryTasks.get(id)?.attempt ?? Number.POSITIVE_INFINITY
    }
  }

  /** A page that a worker gets is what history says. */
  #page(
    runId: string,
    page: { readonly events: readonly HistoryEvent[]; readonly offset: number },
    seen: number,
  ): void {
    const recorded = this.#rows.history(runId).slice(page.offset, page.offset + page.events.length)
    if (JSON.stringify(recorded) !== JSON.stringify(page.events))
      this.#say('recorded is recorded', `a page of ${runId} is not its history`)
    if ((page.events.at(-1)?.sequence ?? 0) > seen)
      this.#say('authority', `a page of ${runId} shows more than its claim saw`)
  }

  #document(request: Request, document: unknown): void {
    if (request.kind === 'taskHistory') {
      const { kind } = { kind: memberOf(document, 'kind') }
      const events = memberOf(memberOf(document, 'page'), 'events')
      const recorded = this.#rows.history(request.input.taskId.slice(0, 32)).slice(request.input.after)
      if (
        kind === 'found' &&
        Array.isArray(events) &&
        JSON.stringify(events) !== JSON.stringify(recorded.slice(0, events.length))
      )
        this.#say('recorded is recorded', `a page of ${request.input.taskId} is not its history`)
      return
    }
    if (request.kind !== 'read') return
    const { document: what, workflowId } = request.input
    const runId = this.#rows.workflows.get(workflowId)?.currentRunId
    if (runId === undefined || memberOf(document, 'kind') !== 'found') return
    if (what === 'describe' && JSON.stringify(memberOf(document, 'run')) !== JSON.stringify(this.#rows.runs.get(runId)))
      this.#say('stored rows', `the description of ${workflowId} is not its row`)
    const page = memberOf(memberOf(document, 'page'), 'events')
    if (what === 'history' && JSON.stringify(page) !== JSON.stringify(this.#rows.history(runId)))
      this.#say('stored rows', `the history of ${workflowId} is not what was recorded`)
  }
}

interface Taken {
  readonly kind: TaskKind
  readonly id: string
  readonly attempt: number
  readonly owner: string | undefined
}

function takenOf(result: Extract<PollResult, { readonly claim: unknown }>): Taken {
  switch (result.kind) {
    case 'workflow': {
      const { taskId: id, attempt, lease } = result.claim.task
      return { kind: 'workflow', id, attempt, owner: lease?.owner }
    }
    case 'activity': {
      const { activityId: id, attempt, lease } = result.claim.activity
      return { kind: 'activity', id, attempt, owner: lease?.owner }
    }
    case 'query': {
      const { queryTaskId: id, attempt, lease } = result.claim.queryTask
      return { kind: 'query', id, attempt, owner: lease?.owner }
    }
  }
}

function digestOf(request: Request): string | undefined {
  switch (request.kind) {
    case 'completeWorkflowTask':
    case 'failWorkflowTask':
    case 'completeActivityTask':
    case 'failActivityTask':
      return request.input.reportDigest
    default:
      return undefined
  }
}

function taskIdOf(request: Request): string | undefined {
  switch (request.kind) {
    case 'completeWorkflowTask':
    case 'failWorkflowTask':
      return request.input.taskId
    case 'completeActivityTask':
    case 'failActivityTask':
      return request.input.activityId
    default:
      return undefined
  }
}

/** The ids that a refusal has to name. */
function idsOf(request: Request): readonly (readonly [name: string, value: unknown])[] {
  switch (request.kind) {
    case 'completeWorkflowTask':
    case 'failWorkflowTask':
    case 'heartbeatWorkflowTask':
      return [
        ['taskId', request.input.taskId],
        ['workflowTaskAttempt', request.input.attempt],
      ]
    case 'completeActivityTask':
    case 'failActivityTask':
    case 'heartbeatActivityTask':
      return [
        ['taskId', request.input.activityId],
        ['activityAttemptId', request.input.attemptId],
      ]
    case 'completeQueryTask':
    case 'failQueryTask':
      return [['queryTaskId', request.input.queryTaskId]]
    case 'signal':
    case 'cancel':
    case 'terminate':
    case 'repair':
    case 'requestCancellation':
      return [['workflowId', request.input.workflowId]]
    case 'poll':
    case 'register':
      return request.input.namespace === 'nowhere' ? [['namespace', 'nowhere']] : [['workerId', request.input.workerId]]
    case 'deregister':
      return [['workerId', request.workerId]]
    default:
      return []
  }
}

function replyText(reply: unknown): string {
  return JSON.stringify(reply, (name, value) => (name === 'repeated' ? undefined : value))
}

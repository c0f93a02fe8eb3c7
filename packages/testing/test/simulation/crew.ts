// The workers of a world: who does what with which task, and what an answer brings.

import type { ActivityTaskClaim, PollResult } from '@durable-workflow/engine'
import { memberOf } from './judge/commit.ts'
import type { Post } from './post.ts'
import type { Answer } from './request.ts'
import type { Action } from './scenario.ts'
import { type HeldTask, Worker, type WorkerOptions } from './worker.ts'

export class Crew {
  readonly workers: readonly Worker[]
  /** Honest ones for the time after the last step: one for each queue. */
  readonly honest: readonly Worker[]
  readonly #post: Post

  constructor(count: number, post: Post, options: Omit<WorkerOptions, 'number'>) {
    this.#post = post
    this.workers = Array.from({ length: count }, (_, number) => new Worker({ ...options, number }))
    this.honest = [12, 10].map((number) => new Worker({ ...options, number }))
  }

  register(workers: readonly Worker[]): void {
    for (const worker of workers) this.#post.send(worker.registration(1))
  }

  vanish(number: number): void {
    this.workers[number % this.workers.length]?.vanish()
  }

  /** Who does an action: mostly somebody who has something to do it with. */
  workerFor({ do: kind, who, how }: Action): Worker | undefined {
    const able = this.workers.filter((worker) => {
      if (kind === 'workflowTask') return this.#workflowTasks(worker, how).length > 0
      if (kind === 'activityTask') return this.#activityTasks(worker, how).length > 0
      return kind !== 'queryTask' || worker.queryTasks.length > 0
    })
    return able[who % Math.max(able.length, 1)]
  }

  // Some report late, or again, on what they have reported on already.
  #workflowTasks(worker: Worker, how: number): readonly HeldTask[] {
    return how % 13 === 12 ? worker.pastWorkflowTasks : worker.workflowTasks
  }

  #activityTasks(worker: Worker, how: number): readonly ActivityTaskClaim[] {
    return how % 11 === 10 ? worker.pastActivityTasks : worker.activityTasks
  }

  /** @returns whether the action is one of a worker */
  act(action: Action, worker: Worker): boolean {
    const { which, how } = action
    switch (action.do) {
      case 'pollWorkflow':
        this.#poll(action, worker, 'workflow')
        return true
      case 'pollActivity':
        this.#poll(action, worker, 'activity')
        return true
      case 'pollQuery':
        this.#poll(action, worker, 'query')
        return true
      case 'workflowTask': {
        const held = chosen(this.#workflowTasks(worker, how), which)
        if (held !== undefined) this.#reportWorkflowTask(action, worker, held)
        return true
      }
      case 'activityTask': {
        const held = chosen(this.#activityTasks(worker, how), which)
        if (held !== undefined) this.#reportActivityTask(action, worker, held)
        return true
      }
      case 'queryTask': {
        const held = chosen(worker.queryTasks, which)
        this.#post.act(action, held && worker.queryReport(held, how))
        return true
      }
      case 'register':
        this.#post.act(action, worker.registration(how))
        return true
      default:
        return false
    }
  }

  #poll(action: Action, worker: Worker, kind: 'workflow' | 'activity' | 'query'): void {
    const { process } = worker
    this.#post.act(action, worker.poll(kind, action.how), ({ answer }) => {
      if (worker.process === process) take(worker, answer)
    })
  }

  #reportWorkflowTask(action: Action, worker: Worker, held: HeldTask): void {
    const { process } = worker
    const page = worker.nextPage(held)
    if (page !== undefined) {
      this.#post.act(action, page, ({ answer }) => {
        if (worker.process === process) takePage(worker, held, page.input.after, answer)
      })
      return
    }
    this.#post.act(action, worker.report(held, action.how), ({ request, answer }) => {
      if (worker.process !== process || request.kind === 'heartbeatWorkflowTask') return
      if (answer?.kind === 'outcome' && !keepsClaim(answer)) {
        const isKept = 'input' in request && 'historyCached' in request.input && request.input.historyCached
        worker.doneWorkflowTask(held, answer.outcome.kind === 'accepted' && isKept)
      }
      take(worker, answer)
    })
  }

  #reportActivityTask(action: Action, worker: Worker, held: ActivityTaskClaim): void {
    const { process } = worker
    this.#post.act(action, worker.activityReport(held, action.how), ({ request, answer }) => {
      if (worker.process !== process || request.kind === 'heartbeatActivityTask') return
      if (answer?.kind === 'outcome') worker.doneActivityTask(held)
      take(worker, answer)
    })
  }

  /** An honest worker takes what there is and answers it. @returns whether there was something */
  async work(worker: Worker, settle: () => Promise<void>): Promise<boolean> {
    for (const kind of ['workflow', 'activity'] as const)
      this.#post.send(worker.poll(kind, 0), ({ answer }) => take(worker, answer))
    await settle()
    const [held] = worker.workflowTasks
    const [activity] = worker.activityTasks
    if (held !== undefined) {
      await this.#readOn(worker, held, settle)
      // It keeps no history between two tasks.
      this.#post.send(worker.honestReport(held, 1))
    }
    if (activity !== undefined) this.#post.send(worker.activityReport(activity, 0))
    await settle()
    worker.workflowTasks = []
    worker.activityTasks = []
    return held !== undefined || activity !== undefined
  }

  async #readOn(worker: Worker, held: HeldTask, settle: () => Promise<void>): Promise<void> {
    for (let page = worker.nextPage(held); page !== undefined; page = worker.nextPage(held)) {
      const { after } = page.input
      this.#post.send(page, ({ answer }) => takePage(worker, held, after, answer))
      await settle()
      if (held.nextAfter === after) return
    }
  }
}

function chosen<Held>(held: readonly Held[], which: number): Held | undefined {
  return held[which % Math.max(held.length, 1)]
}

/** What an answer brings to a worker. */
function take(worker: Worker, answer: Answer | undefined): void {
  if (answer?.kind === 'poll') takeClaim(worker, answer.result)
  if (answer?.kind !== 'outcome') return
  for (const claim of answer.handedOver?.workflowTasks ?? []) worker.takeWorkflowTask(claim)
  worker.activityTasks.push(...(answer.handedOver?.activityTasks ?? []))
}

function takeClaim(worker: Worker, result: PollResult): void {
  switch (result.kind) {
    case 'workflow':
      worker.takeWorkflowTask(result.claim)
      return
    case 'activity':
      worker.activityTasks.push(result.claim)
      return
    case 'query':
      worker.queryTasks.push(result.claim)
      return
    case 'empty':
    case 'refused':
      return
  }
}

function takePage(worker: Worker, held: HeldTask, after: number, answer: Answer | undefined): void {
  if (answer?.kind !== 'read' || held.nextAfter !== after) return
  const { document } = answer
  if (!isPage(document)) {
    worker.doneWorkflowTask(held, false)
    return
  }
  held.events = [...held.events, ...document.page.events]
  held.nextAfter = document.page.nextAfter
}

interface Page {
  readonly page: { readonly events: HeldTask['events']; readonly nextAfter: number | undefined }
}

function isPage(document: unknown): document is Page {
  return memberOf(document, 'kind') === 'found'
}

/** A report that was refused for its commands keeps its claim. */
function keepsClaim({ outcome }: Extract<Answer, { readonly kind: 'outcome' }>): boolean {
  return (
    outcome.kind === 'refused' &&
    (outcome.reason === 'validation_failed' || outcome.reason === 'structural_limit_exceeded')
  )
}

// A scenario carried out: servers on one store, workers, clients, and the judge that watches all of them.

import type { Operation } from '@durable-workflow/engine'
import type { NamedPoint, Observer, Store } from '@durable-workflow/engine/ports'
import { Clients } from './clients.ts'
import { WorldClock } from './clock.ts'
import { Crew } from './crew.ts'
import { Journal, type Tampering } from './journal.ts'
import { Judge, type Violation } from './judge/judge.ts'
import { isOpenRun } from './judge/rows.ts'
import { Post } from './post.ts'
import { randomFrom } from './random.ts'
import type { Answer } from './request.ts'
import type { Action, Scenario, Step } from './scenario.ts'
import type { Sending } from './sending.ts'
import { Server, settings } from './server.ts'
import { count, type Tally } from './tally.ts'

/** A fault that is put into the world, to see whether the judge finds it. */
export interface Plant {
  readonly changes?: Tampering
  readonly operation?: <Reply, Reason extends string>(operation: Operation<Reply, Reason>) => Operation<Reply, Reason>
  /** Undefined: the answer never comes. */
  readonly answer?: (answer: Answer, sending: Sending) => Answer | undefined
}

export interface WorldOptions {
  readonly store: Store
  readonly tally: Tally
  readonly plant?: Plant | undefined
  /** Hears of each step and of each answer, in words. */
  readonly trace?: ((line: string) => void) | undefined
}

const startsAt = 1_700_000_000_000
/** Turns that honest workers have to bring a world to rest; it takes a few dozen. */
const roundsMax = 200
/** Every so many steps the engine's own checker looks as well: it reads all open runs. */
const checkerEvery = 4

/** Something went wrong at this step. */
export interface Found extends Violation {
  /** Position in the scenario's list; its length for the time after the last step. */
  readonly step: number
}

/** Carries a scenario out. @returns the first violation, if there is one */
export function carryOut(scenario: Scenario, options: WorldOptions): Promise<Found | undefined> {
  return new World(scenario, options).run()
}

class World {
  readonly #scenario: Scenario
  readonly #options: WorldOptions
  readonly #clock = new WorldClock(startsAt)
  readonly #judge: Judge
  readonly #servers: readonly Server[]
  readonly #post: Post
  readonly #crew: Crew
  readonly #clients: Clients
  readonly #namespace: string
  readonly #otherNamespace: string
  /** By how much clocks were set back in all: what waits by a clock may wait so much longer. */
  #setBackMs = 0
  #lives = 0
  #numbers = 0

  constructor(scenario: Scenario, options: WorldOptions) {
    this.#scenario = scenario
    this.#options = options
    this.#namespace = `n-${scenario.name}`
    this.#otherNamespace = `other-${scenario.name}`
    const { tally, trace } = options
    const inFlight = (life: number) => this.#post.unanswered(new Set([life]))
    const judge = new Judge(tally, inFlight, () => this.#clock.now)
    this.#judge = judge
    const journal = new Journal({
      store: options.store,
      tampering: options.plant?.changes ?? {},
      committed: (group) => judge.committed(group),
    })
    const random = randomFrom(scenario.chance)
    this.#servers = Array.from({ length: scenario.servers }, () =>
      this.#server(journal, (digits) => random.hex(digits)),
    )
    this.#post = new Post({ servers: this.#servers, judge, tally, trace })
    const shared = { namespace: this.#namespace, nextNumber: () => ++this.#numbers }
    this.#crew = new Crew(scenario.workers, this.#post, { ...shared, chance: scenario.chance })
    const newRunId = (workflowId: string) => {
      const alive = this.#servers.find((one) => one.alive !== undefined)?.alive
      return alive?.engine.newRunId(workflowId) ?? random.hex(32)
    }
    this.#clients = new Clients({ ...shared, scenario, otherNamespace: this.#otherNamespace, newRunId })
  }

  async run(): Promise<Found | undefined> {
    const { tally, trace } = this.#options
    const { steps } = this.#scenario
    tally.seeds += 1
    await this.#begin()
    for (const [at, step] of steps.entries()) {
      tally.steps += 1
      trace?.(`${at} ${JSON.stringify(step)}`)
      await this.#carryOut(step)
      const isJoined = 'joined' in step && step.joined && at < steps.length - 1
      if (isJoined) continue
      const found = await this.#check(at)
      if (found !== undefined) return found
    }
    return this.#end()
  }

  #server(journal: Journal, hex: (digits: number) => string): Server {
    const { tally, plant } = this.#options
    const observer: Observer = {
      group: () => () => {},
      answered: (kind, outcome, reason) =>
        count(tally.operations, [kind, outcome, reason].filter((one) => one !== undefined).join(' ')),
      claimed: (task, how) => count(tally.answers, `${task} task by ${how}`),
      acted: () => {},
    }
    return new Server({
      world: this.#clock,
      journal,
      chance: { hex },
      nextLife: () => ++this.#lives,
      observer,
      crashed: (at) => this.#crashed(at),
      onError: (error) => this.#loopError(error),
      operation: plant?.operation,
      answer: plant?.answer,
    })
  }

  // A store that fails is told to the loops, and nothing else is.
  #loopError(error: unknown): void {
    const name = error instanceof Error ? error.name : ''
    if (name === 'StoreUnavailableError' || name === 'CommitUnknownError') return
    const text = error instanceof Error ? error.stack : String(error)
    this.#judge.say('answered once', `a loop met an error of ours: ${text}`)
  }

  #crashed(at: NamedPoint | 'now'): void {
    count(this.#options.tally.faults, `crash ${at}`)
    this.#post.forgetAllBut(new Set(this.#servers.flatMap(({ alive }) => alive?.life ?? [])))
  }

  async #begin(): Promise<void> {
    this.#restart()
    await this.#clock.settle()
    for (const name of [this.#namespace, this.#otherNamespace])
      this.#post.send({ kind: 'createNamespace', input: { name, description: undefined, retentionDays: 30 } })
    await this.#clock.settle()
    this.#crew.register(this.#crew.workers)
    await this.#clock.settle()
  }

  #restart(): void {
    for (const server of this.#servers) if (server.alive === undefined) server.start()
  }

  /** Time or a clock has leapt: what servers do about it takes them a moment. */
  #disturb(): void {
    for (const { alive } of this.#servers) if (alive !== undefined) alive.undisturbedSince = this.#clock.now
  }

  async #carryOut(step: Step): Promise<void> {
    const { faults } = this.#options.tally
    switch (step.do) {
      case 'pass':
        this.#restart()
        await this.#clock.pass(step.ms)
        return
      case 'jump':
        this.#restart()
        count(faults, 'jump')
        await this.#clock.settle()
        this.#clock.now += step.ms
        this.#disturb()
        await this.#clock.settle()
        return
      case 'skew':
        count(faults, step.ms < 0 ? 'clock set back' : 'clock set forward')
        this.#disturb()
        this.#setBackMs += Math.max(-step.ms, 0)
        this.#serverOf(step)?.skew(step.ms)
        return
      case 'crash':
        this.#serverOf(step)?.crash(step.at)
        return
      case 'trouble':
        count(faults, step.how)
        this.#serverOf(step)?.trouble(step.how)
        return
      case 'vanish':
        count(faults, 'worker vanished')
        this.#crew.vanish(step.worker)
        return
      default:
        this.#act(step)
    }
  }

  #serverOf({ server }: { readonly server: number }): Server | undefined {
    return this.#servers[server % this.#servers.length]
  }

  #act(action: Action): void {
    const worker = this.#crew.workerFor(action)
    if (action.do === 'repeat') this.#post.repeat(action)
    else if (worker !== undefined && !this.#crew.act(action, worker))
      this.#post.act(action, this.#clients.request(action, worker.workerId))
  }

  /** Nothing moves: what has to be true now. */
  async #check(at: number): Promise<Found | undefined> {
    const before = this.#servers.map(({ alive }) => alive?.trouble)
    await this.#clock.settle()
    const working = this.#servers.flatMap(({ alive }, index) => {
      if (alive === undefined) return []
      if (before[index] !== undefined || alive.trouble !== undefined) alive.undisturbedSince = this.#clock.now
      return [{ life: alive.life, now: alive.now(), undisturbedMs: this.#clock.now - alive.undisturbedSince }]
    })
    const unanswered = this.#post.unanswered(new Set(working.map(({ life }) => life)))
    this.#judge.rested(working, unanswered, this.#setBackMs)
    if (at % checkerEvery === 0) await this.#checker()
    return this.#found(at)
  }

  async #checker(): Promise<void> {
    const life = this.#servers.find(({ alive }) => alive !== undefined && alive.trouble === undefined)?.alive
    if (life === undefined) return
    this.#judge.checker((await life.engine.views.checkProgress({ after: undefined, limit: 100 })).problems)
  }

  #found(at: number): Found | undefined {
    const [first] = this.#judge.violations
    return first === undefined ? undefined : { ...first, step: at }
  }

  /** No more faults; honest workers, and time. Then every run has ended, or waits for what nobody sends. */
  async #end(): Promise<Found | undefined> {
    const at = this.#scenario.steps.length
    for (const server of this.#servers) {
      server.crashAt = undefined
      server.trouble(undefined)
    }
    this.#restart()
    await this.#clock.settle()
    await this.#judge.stored(this.#options.store)
    const found = (await this.#rest(at)) ?? (await this.#check(at))
    if (found !== undefined) return found
    await this.#judge.stored(this.#options.store)
    await this.#tidy()
    return this.#found(at)
  }

  async #rest(at: number): Promise<Found | undefined> {
    for (const worker of this.#crew.workers) worker.vanish()
    this.#crew.register([...this.#crew.workers, ...this.#crew.honest])
    await this.#clock.settle()
    for (let round = 0; round < roundsMax; round++) {
      const worked = await this.#work()
      const found = await this.#check(at)
      if (found !== undefined) return found
      if (worked) continue
      const next = this.#nextInstant()
      if (next === undefined) return this.#judgeRest(at)
      await this.#clock.pass(Math.max(next - this.#clock.now, 1))
      await this.#clock.pass(settings.scanIntervalMs)
    }
    const open = [...this.#judge.rows.runs.values()].filter((run) => isOpenRun(run))
    const states = open.map((run) => `${run.workflowId} ${run.progress} after ${run.lastSequence} events`)
    this.#judge.say('rest', `honest workers and time do not bring the world to rest: ${states.join(', ')}`)
    return this.#found(at)
  }

  async #work(): Promise<boolean> {
    for (const worker of this.#crew.honest) if (await this.#crew.work(worker, () => this.#clock.settle())) return true
    return false
  }

  /** When something of an open run is due, or becomes available. */
  #nextInstant(): number | undefined {
    const { rows } = this.#judge
    const instants: (number | undefined)[] = []
    for (const run of rows.runs.values()) {
      if (!isOpenRun(run) || !this.#isServed(run)) continue
      instants.push(run.dueAt)
      for (const row of rows.of(rows.workflowTasks, run.runId))
        instants.push(row.status === 'ready' ? row.availableAt : row.dueAt)
      for (const row of rows.of(rows.activities, run.runId))
        instants.push(row.status === 'pending' ? row.availableAt : row.dueAt)
      for (const row of rows.of(rows.timers, run.runId)) instants.push(row.dueAt)
    }
    const set = instants.filter((at) => at !== undefined)
    return set.length === 0 ? undefined : Math.min(...set)
  }

  /** Nobody works in the other namespace. */
  #isServed(run: { readonly namespace: string }): boolean {
    return run.namespace === this.#namespace
  }

  #judgeRest(at: number): Found | undefined {
    const { checks, answers } = this.#options.tally
    count(checks, 'rest')
    for (const run of this.#judge.rows.runs.values()) {
      count(answers, isOpenRun(run) ? `run waits: ${run.progress}` : `run ${run.closedReason}`)
      if (!isOpenRun(run) || !this.#isServed(run)) continue
      const isOutside = ['signal_wait', 'condition_wait', 'message', 'replay_blocked'].includes(run.progress ?? '')
      if (!isOutside)
        this.#judge.say('rest', `run ${run.runId} rests as ${run.progress}, which nobody outside can give it`)
    }
    return this.#found(at)
  }

  /** Ends what is open, and lets the questions go, so that another world may use the store. */
  async #tidy(): Promise<void> {
    for (const { namespace, workflowId, ...run } of this.#judge.rows.runs.values()) {
      if (run.closedAt !== undefined) continue
      const input = { namespace, workflowId, runId: undefined, reason: undefined, requestId: undefined }
      this.#post.send({ kind: 'terminate', input })
    }
    await this.#clock.settle()
    this.#clock.now += 300_000
    await this.#clock.pass(settings.scanIntervalMs * 2)
    for (const { alive } of this.#servers) alive?.die()
  }
}

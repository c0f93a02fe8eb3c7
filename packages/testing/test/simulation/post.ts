// Between those who ask and the servers: what is under way, what was sent before, and whose answers get lost.

import { memberOf } from './judge/commit.ts'
import type { Judge } from './judge/judge.ts'
import type { Answer, Request } from './request.ts'
import type { Action } from './scenario.ts'
import type { Sending } from './sending.ts'
import type { Server } from './server.ts'
import { count, type Tally } from './tally.ts'

/** What somebody does when he hears an answer. */
export type Heard = (sending: Sending) => void

export interface PostOptions {
  readonly servers: readonly Server[]
  readonly judge: Judge
  readonly tally: Tally
  readonly trace: ((line: string) => void) | undefined
}

export class Post {
  readonly #options: PostOptions
  /** Everything that an action sent, newest last; what a repeat chooses from. */
  readonly #sent: { readonly request: Request; readonly heard: Heard }[] = []
  readonly #waiting = new Map<number, Sending>()
  #count = 0

  constructor(options: PostOptions) {
    this.#options = options
  }

  /** What these lives of servers have got and not answered. */
  unanswered(lives: ReadonlySet<number>): readonly Sending[] {
    return [...this.#waiting.values()].filter(({ life }) => lives.has(life))
  }

  /** Nobody waits for a dead server. */
  forgetAllBut(lives: ReadonlySet<number>): void {
    for (const [id, { life }] of this.#waiting) if (!lives.has(life)) this.#waiting.delete(id)
  }

  /** Sends a request to the server that `who` prefers, or to any that lives, or to one that starts. */
  send(request: Request, heard: Heard = () => {}, who = 0): void {
    const { servers, judge, tally, trace } = this.#options
    const preferred = servers[who % servers.length]
    const server = preferred?.alive === undefined ? servers.find((one) => one.alive !== undefined) : preferred
    if (server === undefined) preferred?.start()
    const life = (server ?? preferred)?.alive
    if (life === undefined) return
    const id = ++this.#count
    trace?.(`    #${id} ${request.kind} to life ${life.life} ${shortened(JSON.stringify(request))}`)
    const sending = life.send(id, request, (answered) => {
      this.#waiting.delete(id)
      trace?.(`    #${id} ${request.kind}: ${answerText(answered.answer)}`)
      countAnswer(tally, answered)
      judge.answered(answered)
      heard(answered)
    })
    if (sending.answer === undefined) this.#waiting.set(id, sending)
  }

  /** Sends what an action asks for; its answer may get lost, or it is sent twice at once. */
  act({ fate, who }: Action, request: Request | undefined, heard: Heard = () => {}): void {
    if (request === undefined) return
    this.#sent.push({ request, heard })
    const { tally } = this.#options
    if (fate !== 'heard') count(tally.faults, fate === 'lost' ? 'lost reply' : 'sent twice')
    this.send(request, fate === 'lost' ? () => {} : heard, who)
    if (fate === 'twice') this.send(request, heard, who + 1)
  }

  /** Sends again what was sent before, mostly of late. */
  repeat({ which, how, who }: Action): void {
    const earlier = how % 4 === 0 ? this.#sent : this.#sent.slice(-6)
    const again = earlier[which % Math.max(earlier.length, 1)]
    if (again === undefined) return
    count(this.#options.tally.faults, 'repeat')
    this.send(again.request, again.heard, who)
  }
}

function countAnswer(tally: Tally, { request, answer }: Sending): void {
  const note = (name: string) => count(tally.answers, name)
  switch (answer?.kind) {
    case 'poll': {
      const { result } = answer
      note(
        `poll ${result.kind === 'empty' ? result.status : result.kind === 'refused' ? `refused ${result.reason}` : 'task'}`,
      )
      return
    }
    case 'query':
      note(`query ${answer.answer.kind === 'refused' ? `refused ${answer.answer.reason}` : answer.answer.kind}`)
      return
    case 'read':
      note(request.kind === 'read' ? `read ${request.input.document}` : request.kind)
      return
    case 'error':
      note(`error ${answer.error instanceof Error ? answer.error.name : 'unknown'}`)
      return
    case 'outcome':
      if (answer.outcome.kind === 'accepted' && memberOf(answer.outcome.reply, 'repeated') === true)
        note(`repeated ${request.kind}`)
      return
    case undefined:
      return
  }
}

function answerText(answer: Answer | undefined): string {
  if (answer?.kind === 'error') return String(answer.error)
  return answer === undefined ? 'nothing' : shortened(JSON.stringify(answer))
}

function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

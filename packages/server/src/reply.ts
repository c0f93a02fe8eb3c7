// From an answer to bytes: status, headers, body, envelope. The only file that knows status codes; they come from the
// generated reasons.
//
// Invariants
//   RE1  Every answer of the worker plane carries protocol_version and server_capabilities, and the header with the advertised line.
//   RE2  Every answer under /api/workflows carries control_plane.
//   RE3  A refusal says recorded: false; a rejection, which is recorded, and an unknown commit do not.
import { controlPlaneVersion, protocolHeaders, type Reason, reasons } from '@durable-workflow/protocol'
import { controlPlaneObject } from './control-plane-object.ts'
import { objectText, spliceMembers } from './json-text.ts'
import type { OperationFacts } from './operation-facts.ts'
import { sentenceOf } from './sentences.ts'
import type { WireFacts } from './wire-facts.ts'

/** How an answer is meant: `created` made something, `taken` has its effect later, `partly` did some of it and says what failed, `not_serving` tells a balancer to stay away. */
export type Success = 'ok' | 'created' | 'taken' | 'partly' | 'not_serving'

export interface Done {
  readonly kind: 'done'
  readonly how: Success
  readonly members: WireFacts
  /** Members whose value is JSON text already. */
  readonly texts: Readonly<Record<string, string>>
  /** The body repeats its status (query reports). */
  readonly statesStatus: boolean
}

export interface No {
  readonly kind: 'no'
  readonly reason: Reason
  readonly facts: WireFacts
  /** False: nothing was recorded. `rejection`: the no itself is recorded. `unknown`: nobody knows (UW7). */
  readonly recorded: false | 'rejection' | 'unknown'
}

/** An answer that is no JSON. */
export interface Plain {
  readonly kind: 'plain'
  readonly contentType: string
  readonly text: string
}

export type Answer = Done | No | Plain

export function done(members: WireFacts, options: Partial<Omit<Done, 'kind' | 'members'>> = {}): Done {
  return { kind: 'done', how: 'ok', texts: {}, statesStatus: false, ...options, members }
}

export function no(reason: Reason, facts: WireFacts = {}, recorded: No['recorded'] = false): No {
  return { kind: 'no', reason, facts, recorded }
}

/** A request that is well formed and still not acceptable, field by field; the map stands under both names that clients read. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>, facts: WireFacts = {}): No {
  return no('validation_failed', { ...facts, errors, validation_errors: errors })
}

/** What an answer is about. `operation` is undefined where no operation was found. */
export interface About {
  readonly plane: 'worker' | 'control' | 'system'
  readonly operation: OperationFacts | undefined
  readonly path: Readonly<Record<string, string>>
}

/** What stands in every answer of the worker plane. */
export interface WorkerEnvelope {
  /** The advertised line. */
  readonly version: string
  /** Members of the body as JSON text, without braces. */
  readonly members: string
}

export interface Rendered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface ReasonFacts {
  readonly status: number
  readonly statusOf: Readonly<Record<string, number>>
  readonly retryable: boolean
  readonly remedy: string
}

const catalogue: Readonly<Record<Reason, ReasonFacts>> = reasons
const successStatus: Readonly<Record<Success, number>> = {
  ok: 200,
  created: 201,
  taken: 202,
  partly: 207,
  not_serving: 503,
}
/** From here on a client may want to know whether to repeat; below, a repeat changes nothing. */
const firstRetryStatus = 429

/** Whether a text is a reason of the catalogue. */
export function isReason(text: string): text is Reason {
  return Object.hasOwn(catalogue, text)
}

export function render(answer: Answer, about: About, envelope: WorkerEnvelope): Rendered {
  if (answer.kind === 'plain') {
    const headers = { ...headersOf(answer, about, envelope), 'content-type': answer.contentType }
    return { status: successStatus.ok, headers, text: answer.text }
  }
  const status = answer.kind === 'done' ? successStatus[answer.how] : statusOf(answer.reason, about)
  const members = answer.kind === 'done' ? answer.members : refusalMembers(answer, status)
  const stated = statesStatus(answer, about) ? { ...members, status } : members
  const texts = answer.kind === 'done' ? answer.texts : {}
  return {
    status,
    headers: headersOf(answer, about, envelope),
    text: bodyText(stated, texts, about, envelope),
  }
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

function statusOf(reason: Reason, about: About): number {
  const { status, statusOf: exceptions } = catalogue[reason]
  return (about.operation && exceptions[about.operation.id]) ?? status
}

function statesStatus(answer: Done | No, about: About): boolean {
  if (answer.kind === 'done') return answer.statesStatus
  return answer.facts.query_task_id !== undefined && about.plane === 'worker'
}

function refusalMembers(answer: No, status: number): WireFacts {
  const { reason, facts, recorded } = answer
  const message = sentenceOf(reason, recorded === false ? { recorded, ...facts } : facts)
  const { remedy, retryable } = catalogue[reason]
  return {
    reason,
    message,
    error: message,
    remedy,
    recorded: recorded === false ? false : undefined,
    retryable: status >= firstRetryStatus ? retryable : undefined,
    ...facts,
    ...(typeof facts.message === 'string' ? { message } : {}),
  }
}

function bodyText(
  members: WireFacts,
  texts: Readonly<Record<string, string>>,
  about: About,
  envelope: WorkerEnvelope,
): string {
  if (about.plane === 'worker') return spliceMembers(objectText(members, texts), envelope.members)
  const controlPlane = about.operation && controlPlaneObject(about.operation, about.path, members)
  return objectText(controlPlane === undefined ? members : { ...members, control_plane: controlPlane }, texts)
}

function headersOf(answer: Answer, about: About, envelope: WorkerEnvelope): Record<string, string> {
  const version: Record<string, string> =
    about.plane === 'worker'
      ? { [protocolHeaders.workerProtocolVersion]: envelope.version }
      : { [protocolHeaders.controlPlaneVersion]: controlPlaneVersion }
  const { retry_after_seconds: after, allowed_methods: allowed } = answer.kind === 'no' ? answer.facts : {}
  return {
    ...jsonHeaders,
    ...version,
    ...(typeof after === 'number' ? { 'retry-after': String(after) } : {}),
    ...(Array.isArray(allowed) ? { allow: allowed.join(', ') } : {}),
  }
}

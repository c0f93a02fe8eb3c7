// Workflows: start and list (control plane 2, §6.2, §6.4).
import { randomUUID } from 'node:crypto'
import { type ListFilter, parseListQuery, type Refused, type Run, startWorkflow } from '@durable-workflow/engine'
import { defaults, limits, type QueryOf, type RequestOf } from '@durable-workflow/protocol'
import { startInput, takeInput } from '../payload-intake.ts'
import { type Answer, done, invalid, type No, no } from '../reply.ts'
import { type Call, countIn, type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
import type { WireFacts } from '../wire-facts.ts'
import { runItem } from './run-documents.ts'
import { refusedCommand, type Target } from './workflow-commands.ts'

export const workflowRoutes: readonly Route[] = [route('startWorkflow', start), route('listWorkflows', list)]

async function start({ body, namespace, server }: Call<'startWorkflow'>): Promise<Answer> {
  const unwanted = unwantedOfStart(body, server)
  if (unwanted !== undefined) return unwanted
  const input = takeInput(body.input, startInput, server.settings.payloadBytesMax)
  if ('refusal' in input) return input.refusal
  const workflowId = body.workflow_id ?? randomUUID()
  const outcome = await server.engine.execute(
    startWorkflow({
      ...startFields(body),
      namespace,
      workflowId,
      runId: server.engine.newRunId(workflowId),
      arguments: input.envelope,
    }),
  )
  if (outcome.kind === 'refused') return refusedStart(outcome, { namespace, workflowId, runId: undefined })
  const facts = {
    ...startFacts(outcome.reply.run),
    outcome: outcome.reply.outcome,
    command_id: outcome.reply.commandId,
  }
  if (outcome.kind === 'rejected') {
    const rejection = { command_status: 'rejected', rejection_reason: 'instance_already_started' }
    return no('duplicate_not_allowed', { ...facts, ...rejection }, 'rejection')
  }
  return done(
    {
      ...facts,
      command_status: 'accepted',
      reason: null,
      rejection_reason: null,
      message: null,
      start_id: body.start_id ?? undefined,
    },
    { how: outcome.reply.outcome === 'started_new' ? 'created' : 'ok' },
  )
}

function startFields(body: RequestOf<'startWorkflow'>) {
  return {
    workflowType: body.workflow_type,
    taskQueue: body.task_queue ?? defaults.taskQueue,
    businessKey: body.business_key ?? undefined,
    executionTimeoutSeconds: body.execution_timeout_seconds ?? undefined,
    runTimeoutSeconds: body.run_timeout_seconds ?? undefined,
    executionTimeoutMs: body.execution_timeout_ms ?? undefined,
    runTimeoutMs: body.run_timeout_ms ?? undefined,
    duplicatePolicy: body.duplicate_policy ?? 'fail',
    startId: body.start_id ?? undefined,
  }
}

function startFacts(run: Run): WireFacts {
  return {
    workflow_id: run.workflowId,
    run_id: run.runId,
    workflow_type: run.workflowType,
    namespace: run.namespace,
    status: run.status,
    business_key: run.businessKey ?? null,
    payload_codec: defaults.payloadCodec,
    command_source: 'control_plane',
  }
}

function refusedStart(refusal: Refused, target: Target): No {
  const { facts, ...answer } = refusedCommand(target, refusal)
  const { target_scope: _scope, requested_run_id: _requested, resolved_run_id: _resolved, ...own } = facts
  return { ...answer, facts: own }
}

// A field of ours is taken only while its capability is advertised.
function unwantedOfStart(body: RequestOf<'startWorkflow'>, { settings }: ServerContext): No | undefined {
  const { additions } = settings
  const errors: Record<string, string[]> = {}
  const unless = (on: boolean, field: string, value: unknown) => {
    if (!on && value !== undefined && value !== null) errors[field] = ['is not supported by this server']
  }
  unless(additions.startId, 'start_id', body.start_id)
  unless(additions.millisecondDurations, 'execution_timeout_ms', body.execution_timeout_ms)
  unless(additions.millisecondDurations, 'run_timeout_ms', body.run_timeout_ms)
  if (body.payload_codec !== undefined && body.payload_codec !== null && body.payload_codec !== defaults.payloadCodec) {
    errors.payload_codec = [`must be ${defaults.payloadCodec}`]
  }
  return Object.keys(errors).length === 0 ? undefined : invalid(errors)
}

async function list({ query: asked, namespace, server }: Call<'listWorkflows'>): Promise<Answer> {
  const filter = listFilter(asked)
  if ('reason' in filter) return filter
  const limit = countIn(asked?.page_size, {
    field: 'page_size',
    min: 1,
    max: limits.listPageSizeMax,
    otherwise: defaults.listPageSize,
  })
  if (typeof limit !== 'number') return limit
  const after = readListToken(asked?.next_page_token)
  if (after === 'unreadable') return invalid({ next_page_token: ['is no token of this server'] })
  // One more than asked for tells whether there is a next page.
  const runs = await server.engine.views.listWorkflows({ namespace, filter, limit: limit + 1, after })
  const page = runs.slice(0, limit)
  const last = runs.length > limit ? page.at(-1) : undefined
  return done({
    workflows: page.map(runItem),
    workflow_count: page.length,
    next_page_token: last === undefined ? null : listToken(last),
  })
}

function listFilter(asked: QueryOf<'listWorkflows'>): ListFilter | No {
  const of: ListFilter[] = []
  if (asked?.workflow_type)
    of.push({ kind: 'compare', field: 'workflowType', operator: '=', value: asked.workflow_type })
  if (asked?.status) {
    const status = statusFilter(asked.status)
    if ('reason' in status) return status
    of.push(status)
  }
  if (asked?.query) {
    const parsed = parseListQuery(asked.query)
    if (parsed.kind === 'problem') return invalid({ query: [parsed.problem] })
    of.push(parsed.filter)
  }
  return { kind: 'all', of }
}

const statusAliases: Readonly<Record<string, string>> = { pending: 'running', waiting: 'running' }

function statusFilter(status: string): ListFilter | No {
  switch (status) {
    case 'running':
    case 'completed':
    case 'failed':
      return { kind: 'compare', field: 'statusBucket', operator: '=', value: status }
    case 'cancelled':
    case 'terminated':
      return { kind: 'compare', field: 'status', operator: '=', value: status }
    default: {
      const canonical = statusAliases[status]
      const hint = canonical === undefined ? 'must be running, completed or failed' : `is no bucket; use ${canonical}`
      return invalid({ status: [hint] })
    }
  }
}

interface ListPosition {
  readonly startedAt: number
  readonly runId: string
}

function listToken(run: Run): string {
  return Buffer.from(`${run.startedAt}:${run.runId}`).toString('base64url')
}

function readListToken(token: string | undefined): ListPosition | undefined | 'unreadable' {
  if (token === undefined || token === '') return undefined
  const match = /^(\d{1,16}):([\w-]{1,64})$/.exec(Buffer.from(token, 'base64url').toString('utf8'))
  if (match?.[1] === undefined || match[2] === undefined) return 'unreadable'
  return { startedAt: Number(match[1]), runId: match[2] }
}

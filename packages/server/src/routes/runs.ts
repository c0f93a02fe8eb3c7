// Runs: descriptions, histories, explanations.

import { type FoundRun, isOpen, type NotFound, type Refused, type Run, type Workflow } from '@durable-workflow/engine'
import { defaults, limits } from '@durable-workflow/protocol'
import { listText } from '../json-text.ts'
import { type Answer, done, invalid, type No } from '../reply.ts'
import { type Call, countIn, isOn, type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
import { debugDocument } from './debug-document.ts'
import { controlEventText, pageToken, readPageToken } from './history-text.ts'
import { refusedRead } from './reads.ts'
import { runDescription, runOfWorkflow } from './run-documents.ts'
import { type Target, targetOf } from './workflow-commands.ts'

export const runRoutes: readonly Route[] = [
  route('describeWorkflow', (call) => describe(call, targetOf(call.namespace, call.path), call.query ?? {})),
  route('describeRun', (call) => describe(call, targetOf(call.namespace, call.path), call.query ?? {})),
  route('listRuns', listRuns),
  route('getRunHistory', history),
  route('debugWorkflow', (call) => debug(call, targetOf(call.namespace, call.path))),
  route('debugRun', (call) => debug(call, targetOf(call.namespace, call.path))),
]

interface Asked {
  readonly server: ServerContext
  held(): AbortSignal
}

interface WaitQuery {
  readonly wait_closed?: string
  readonly wait_timeout_seconds?: string
}

/** A wait for something that a client follows is at most as long as a poll. */
const waitSecondsMax = limits.pollTimeoutSecondsMax

async function describe(asked: Asked, target: Target, query: WaitQuery): Promise<Answer> {
  const { server } = asked
  if (!isOn(query.wait_closed)) return answerOf(target, await server.engine.views.describe(target))
  const seconds = waitSeconds(query, server)
  if (typeof seconds !== 'number') return seconds
  if (target.runId !== undefined) return describeClosed(asked, { ...target, runId: target.runId }, seconds)
  // What is followed is the run that was current when the question came.
  const found = await server.engine.views.describe(target)
  if (found.kind === 'refused' || !isOpen(found.run)) return answerOf(target, found)
  return describeClosed(asked, { ...target, runId: found.run.runId }, seconds)
}

/** Ours: holds the answer until the run is closed; when time is up, or the server drains, it is the open run. */
async function describeClosed(
  { server, held }: Asked,
  target: Target & { readonly runId: string },
  seconds: number,
): Promise<Answer> {
  const { engine } = server
  const closed = await engine.awaitOutcome(
    `closed:${target.runId}`,
    engine.clock.now() + seconds * 1000,
    async () => {
      const now = await engine.views.describe(target)
      return now.kind === 'refused' || !isOpen(now.run) ? now : undefined
    },
    held(),
  )
  return answerOf(target, closed ?? (await engine.views.describe(target)))
}

function answerOf(target: Target, found: FoundRun | NotFound): Answer {
  return found.kind === 'found' ? described(found.run, found.workflow) : refusedRead(target, found)
}

function waitSeconds(query: WaitQuery, server: ServerContext): number | No {
  if (!server.settings.additions.waitClosed) return invalid({ wait_closed: ['is not supported by this server'] })
  return countIn(query.wait_timeout_seconds, {
    field: 'wait_timeout_seconds',
    min: 0,
    max: waitSecondsMax,
    otherwise: defaults.pollTimeoutSeconds,
  })
}

function described(run: Run, workflow: Workflow): Answer {
  return done(runDescription(run, workflow))
}

async function listRuns({ path, namespace, server }: Call<'listRuns'>): Promise<Answer> {
  const target = targetOf(namespace, path)
  const runs = await server.engine.views.listRuns({ namespace, workflowId: target.workflowId })
  if (isRefused(runs)) return refusedRead(target, runs)
  return done({
    workflow_id: target.workflowId,
    namespace,
    run_count: runs.length,
    runs: runs.map((run, at) => runOfWorkflow(run, at === runs.length - 1)),
  })
}

const isRefused = (value: readonly Run[] | Refused): value is Refused => 'kind' in value && value.kind === 'refused'

async function history(call: Call<'getRunHistory'>): Promise<Answer> {
  const { path, query, namespace } = call
  const target = targetOf(namespace, path)
  const limit = countIn(query?.page_size, {
    field: 'page_size',
    min: 1,
    max: limits.historyPageSizeMax,
    otherwise: defaults.controlHistoryPageSize,
  })
  if (typeof limit !== 'number') return limit
  const after = readPageToken(query?.next_page_token ?? '')
  if (after === undefined) return invalid({ next_page_token: ['is no token of this server'] })
  const follows = isOn(query?.wait_new_event)
  const page = await readPage(call, { ...target, runId: path.run_id, after, limit }, follows)
  if (page.kind === 'refused') return refusedRead(target, page)
  const { run } = page
  const { events, nextAfter } = page.page
  // A follower of an open run always gets the place from which to go on.
  const next = nextAfter ?? (follows && isOpen(run) ? events.at(-1)?.sequence : undefined)
  return done(
    {
      workflow_id: run.workflowId,
      run_id: run.runId,
      namespace,
      next_page_token: next === undefined ? null : pageToken(next),
    },
    { texts: { events: listText(events.map(controlEventText)) } },
  )
}

type Views = ServerContext['engine']['views']

async function readPage(
  { server, held }: Asked,
  asked: Parameters<Views['history']>[0],
  follows: boolean,
): ReturnType<Views['history']> {
  const { engine } = server
  const page = await engine.views.history(asked)
  if (!follows || page.kind === 'refused' || page.page.events.length > 0 || !isOpen(page.run)) return page
  const newer = await engine.awaitOutcome(
    `run:${asked.runId}`,
    engine.clock.now() + defaults.pollTimeoutSeconds * 1000,
    async () => {
      const now = await engine.views.history(asked)
      return now.kind === 'found' && now.page.events.length === 0 && isOpen(now.run) ? undefined : now
    },
    held(),
  )
  return newer ?? page
}

async function debug({ server }: Asked, target: Target): Promise<Answer> {
  const document = await server.engine.views.debug(target)
  if (document.kind === 'refused') return refusedRead(target, document)
  return done(debugDocument(document, server.settings.additions))
}

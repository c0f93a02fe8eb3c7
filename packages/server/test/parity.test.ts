// The published examples of requests, sent to a server in a state in which each makes sense. Names that a server makes (runs,
// tasks, attempts, page tokens) are replaced by those of this one. The answer must be what its document says, which the client
// of these tests checks, and have the members of the example's answer.
import { type BuiltOperationId, builtOperationIds, operations } from '@durable-workflow/protocol'
import { type ControlPlaneFixture, controlPlaneFixtures } from '@durable-workflow/tests/support/control-plane-fixtures'
import { haveVectors, vectorManifest } from '@durable-workflow/tests/support/vector-manifest'
import { describe, expect, test } from 'vitest'
import type { Answered, TestClient } from './support/test-client.ts'
import { startTestServer } from './support/test-server.ts'
import { claim, claimActivity, complete, register, resultOf, schedule, start } from './support/wire.ts'

if (!haveVectors)
  process.stdout.write('SKIPPED: the published vectors are not beside the checkout (../shared/vectors)\n')

/** What is written in the example, and what stands for it here. */
type Names = Readonly<Record<string, string>>

interface Scene {
  /** Brings the server into a state in which the request makes sense. */
  readonly before: (client: TestClient) => Promise<Names>
  /** What goes on beside the request. */
  readonly beside?: (client: TestClient) => Promise<unknown>
  /** Members of the example's answer that ours has not, each with the reason. */
  readonly without?: Readonly<Record<string, string>>
  /** How the answer refuses what is not built yet: the fields that it names. */
  readonly refuses?: readonly string[]
}

const workflowId = 'wf-polyglot-231'
const place = { worker_id: 'polyglot-worker-231', task_queue: 'external-workflows' }
const activityType = 'inventory.sync-page'
const firstAttempt = { '"workflow_task_attempt":2': '"workflow_task_attempt":1' }

const serving = (client: TestClient) =>
  register(client, { ...place, supported_workflow_types: ['orders.process'], supported_activity_types: [activityType] })

async function run(client: TestClient): Promise<Names> {
  const { runId } = await start(client, {
    workflow_id: workflowId,
    workflow_type: 'orders.process',
    task_queue: place.task_queue,
    business_key: 'order-42',
    execution_timeout_seconds: 86_400,
    run_timeout_seconds: 3_600,
  })
  return { 'run-polyglot-231-002': runId, 'run-polyglot-231': runId }
}

async function claimed(client: TestClient, fields: Readonly<Record<string, unknown>> = {}) {
  await serving(client)
  await run(client)
  return claim(client, { ...place, ...fields })
}

async function workflowTask(client: TestClient): Promise<Names> {
  return { 'workflow-task-231': (await claimed(client)).task_id, ...firstAttempt }
}

async function activityTask(client: TestClient): Promise<Names> {
  const command = schedule({ queue: place.task_queue, activity_type: activityType })
  await complete(client, await claimed(client), [command], { lease_owner: place.worker_id })
  const activity = await claimActivity(client, place)
  return { 'activity-task-231': activity.task_id, 'activity-attempt-231': activity.activity_attempt_id }
}

const ask = (client: TestClient) =>
  client.call('queryWorkflow', { path: { workflow_id: workflowId, query_name: 'current_status' }, body: { input: [] } })

/** The task of a query, once there is one. */
async function queryTask(client: TestClient): Promise<{ query_task_id: string }> {
  const polled = await client.call('pollQueryTask', { body: { ...place, timeout_seconds: 10 } })
  expect(polled.body.task, polled.text).not.toBeNull()
  return polled.body.task
}

async function claimedQuery(client: TestClient): Promise<Names> {
  await claimed(client)
  const asked = ask(client)
  const { query_task_id: id } = await queryTask(client)
  open.push(asked)
  return { 'query-task-231': id }
}

async function answerQuery(client: TestClient): Promise<void> {
  const { query_task_id } = await queryTask(client)
  await client.call('completeQueryTask', {
    path: { query_task_id },
    body: { lease_owner: place.worker_id, query_task_attempt: 1, result_envelope: resultOf('ready') },
  })
}

/** Requests of a scene that the server still holds. */
const open: Promise<Answered>[] = []

const nothing = async (): Promise<Names> => ({})
const olderServer = 'event_id is the word of an older server; published workers read id and sequence'

const scenes: Readonly<Record<string, Scene>> = {
  'activity-complete': { before: activityTask },
  'activity-fail': { before: activityTask },
  'namespace-create': { before: nothing },
  'namespace-describe': {
    async before(client) {
      await client.call('createNamespace', { body: { name: 'billing', description: 'Billing workflows' } })
      return {}
    },
  },
  'namespace-list': { before: nothing },
  'query-task-complete': { before: claimedQuery },
  'query-task-fail': { before: claimedQuery },
  'query-task-poll': {
    async before(client) {
      await claimed(client)
      open.push(ask(client))
      return {}
    },
    without: { 'task.input': 'the arguments of a query are called query_arguments, as published workers read them' },
  },
  'system-repair-pass': { before: nothing },
  'system-repair-status': { before: nothing },
  'worker-register': { before: nothing },
  'workflow-cancel': { before: run },
  'workflow-describe': { before: run },
  'workflow-history': { before: run },
  'workflow-list': { before: run },
  'workflow-list-runs': { before: run },
  'workflow-query': {
    async before(client) {
      await claimed(client)
      return {}
    },
    beside: answerQuery,
  },
  'workflow-repair': { before: run },
  'workflow-show-run': { before: run, without: { compatibility: 'no run is pinned to a build yet' } },
  'workflow-signal': { before: run },
  'workflow-start': { before: nothing, refuses: ['memo', 'search_attributes'] },
  'workflow-task-complete': { before: workflowTask },
  'workflow-task-fail': {
    before: workflowTask,
    without: { run_status: 'no published worker reads it; worker plane §6.7 does not name it' },
  },
  'workflow-task-history': {
    async before(client) {
      const { task_id, next_history_page_token } = await claimed(client, { history_page_size: 1 })
      return { 'workflow-task-231': task_id, 'history-page-2': next_history_page_token, ...firstAttempt }
    },
    without: { 'history_events.0.event_id': olderServer },
  },
  'workflow-task-poll': {
    async before(client) {
      await serving(client)
      return run(client)
    },
    without: { 'task.history_events.0.event_id': olderServer },
  },
  'workflow-terminate': { before: run },
}

const patterns = builtOperationIds.map((id) => ({ id, pattern: patternOf(operations[id].path) }))

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

function addressed({ method, path }: ControlPlaneFixture): { id: BuiltOperationId; params: Names } | undefined {
  for (const { id, pattern } of patterns) {
    const match = operations[id].method === method ? pattern.exec(path) : null
    if (match !== null) return { id, params: { ...match.groups } }
  }
  return undefined
}

/** The same value with the names of this server. */
function renamed<Value>(value: Value, names: Names): Value {
  if (value === undefined) return value
  const text = Object.entries(names).reduce((all, [there, here]) => all.replaceAll(there, here), JSON.stringify(value))
  return JSON.parse(text)
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

// What the example's workflow put in, not what a server says of it.
const authored: readonly string[] = ['input', 'memo', 'search_attributes', 'payload']

/** The members of the example that the answer has not, as paths; of a list the first item stands for all. */
function missing(example: unknown, answer: unknown, at: readonly string[] = []): string[] {
  const there = new Map(membersOf(answer))
  if (Array.isArray(answer) && answer.length === 0) return []
  const members = membersOf(example).slice(0, Array.isArray(example) ? 1 : undefined)
  return members.flatMap(([key, value]) => {
    const path = [...at, key]
    if (!there.has(key)) return [path.join('.')]
    return authored.includes(key) ? [] : missing(value, there.get(key), path)
  })
}

const served = controlPlaneFixtures().flatMap((fixture) => {
  const target = addressed(fixture)
  return target === undefined ? [] : [{ name: fixture.name, fixture, ...target }]
})

describe.skipIf(!haveVectors).each(served)('$name', ({ name, fixture, id, params }) => {
  test.each(fixture.bodies.map((body, at) => [at + 1, body] as const))(
    'is served as sent, form %i',
    async (_, body) => {
      const scene = scenes[name]
      if (scene === undefined) throw new Error(`${name} has no scene`)
      await using server = await startTestServer({ engineSettings: { queryTimeoutMs: 2_000 } })
      const names = await scene.before(server.client)
      const [answer] = await Promise.all([
        server.client.call(id, {
          path: renamed(params, names),
          query: fixture.query,
          ...(body === undefined ? {} : { body: renamed(body, names) }),
        }),
        scene.beside?.(server.client),
      ])
      if (isRefused(name, body)) {
        expect(answer, answer.text).toMatchObject({ status: 422, body: { reason: 'validation_failed' } })
      } else if (scene.refuses !== undefined) {
        expect(answer, answer.text).toMatchObject({ status: 422, body: { reason: 'validation_failed' } })
        expect(Object.keys(answer.body.errors).sort()).toEqual(scene.refuses)
        const kept = Object.entries(body ?? {}).filter(([field]) => !scene.refuses?.includes(field))
        expect((await server.client.call(id, { body: Object.fromEntries(kept) })).status).toBe(201)
      } else {
        expect(answer.status, answer.text).toBeLessThan(300)
        expect(missing(fixture.reply, answer.body)).toEqual(Object.keys(scene.without ?? {}))
      }
      await Promise.all(open.splice(0))
    },
  )
})

/** The command line tool sends the result of an activity as it is; here a result is a payload. The manifest says so. */
const isRefused = (name: string, body: unknown): boolean =>
  name === 'activity-complete' && !JSON.stringify(body).includes('"blob"')

test.skipIf(!haveVectors)(
  'every example that is served has its scene, and the manifest says what becomes of it',
  () => {
    expect(served.map(({ name }) => name)).toEqual(Object.keys(scenes))
    for (const { name, fixture } of served) {
      const fate = vectorManifest[fixture.file]
      if (scenes[name]?.without !== undefined) expect(fate, name).toMatch(/^(differs|later): /)
      else if (scenes[name]?.refuses !== undefined) expect(fate, name).toMatch(/^later: /)
    }
  },
)

test.skipIf(!haveVectors)(
  'every other example addresses an operation that is planned, and is told so by name',
  async () => {
    await using server = await startTestServer()
    const others = controlPlaneFixtures().filter((fixture) => addressed(fixture) === undefined)
    expect(others).toHaveLength(34)
    const planned = Object.entries(operations).filter(([, { stage }]) => stage === 'planned')
    for (const { file, method, path, query, bodies } of others) {
      const id = planned.find(([, entry]) => entry.method === method && patternOf(entry.path).test(path))?.[0]
      expect(id, file).toBeDefined()
      for (const body of bodies) {
        const headers = { 'x-durable-workflow-control-plane-version': '2' }
        const answer = await server.client.raw(method, path, {
          headers,
          query,
          ...(body === undefined ? {} : { body }),
        })
        expect(answer, file).toMatchObject({ status: 501, body: { reason: 'not_implemented', operation: id } })
      }
    }
  },
)

// Bad input, seeded, for every operation of the documents, built or planned, on every database.
//
// Requests are made from an operation's own document and spoiled in one of many ways; they find what they name in a prepared
// state: claimed, closed, another's, expired, blocked, in another namespace, or on a server that takes nothing. An answer must
// be one that the document lists, in time and never a 500; one that says `recorded: false` must have left every row as it
// was; and the connection serves the next request. `DW_TEST_SEED` repeats a seed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasons } from '@durable-workflow/protocol'
import {
  type DatabaseName,
  type EmptyDatabase,
  eachDatabase,
  emptyDatabase,
} from '@durable-workflow/tests/support/databases'
import { afterAll, expect, test } from 'vitest'
import { type DocumentedOperation, documentedOperations } from '../../protocol/test/documented-operations.ts'
import { type BadRequest, badRequest } from './support/bad-requests.ts'
import { bodies } from './support/good-bodies.ts'
import { chanceOf, pick } from './support/mutate.ts'
import { otherNamespace, type PreparedState, preparations, type Stage, settled } from './support/prepared-states.ts'
import { bytesOf, type RawAnswer, RawConnection } from './support/raw-connection.ts'
import { StandingClock } from './support/standing-clock.ts'
import { openStored } from './support/stored.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const seed = Number(process.env.DW_TEST_SEED ?? 20261130)
const casesPerOperation = 200
const preparedAtOnce = 4
const acceptedAtLeast = 3
const answerWithinMs = 5000
const leaseMs = 86_400_000
/** What is held is let go by time, which only a test moves. */
const heldAfterMs = 10
const queryTimeoutMs = 20
/** Operations that share a database: what is written is digested again, so it stays small. */
const operationsPerDatabase = 5
/** Of this share of the requests nothing is known but that the server is not open yet. */
const notOpenRate = 0.05

const operations = await documentedOperations()

/** One row of the table. */
interface Tally {
  cases: number
  accepted: number
  readonly refused: Map<number, number>
  slowestMs: number
}

interface World extends Omit<Stage, 'withActivity'> {
  readonly on: DatabaseName
  readonly served: TestServer
  /** The same database, and a server that has not started. */
  readonly notOpen: TestServer
  readonly states: Map<string, PreparedState[]>
  close(): Promise<void>
}

async function newWorld(on: DatabaseName): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'dw-fuzz-'))
  const database: EmptyDatabase = await emptyDatabase(on, folder)
  const clock = new StandingClock()
  const stored = openStored(on, database.url)
  const engineSettings = {
    queryTimeoutMs,
    queryLeaseMs: leaseMs,
    workflowTaskLeaseMs: leaseMs,
    activityTaskLeaseMs: leaseMs,
  }
  const options = { databaseUrl: database.url, clock, engineSettings, onStatement: stored.onStatement }
  const served = await startTestServer(options)
  const notOpen = await startTestServer({ ...options, started: false })
  await served.client.call('createNamespace', { body: { name: otherNamespace } })
  return {
    on,
    served,
    notOpen,
    stored,
    clock,
    client: served.client,
    leaseMs,
    states: new Map(),
    async close() {
      await served.close()
      await notOpen.close()
      await stored[Symbol.asyncDispose]()
      await database.remove()
      await rm(folder, { recursive: true })
    },
  }
}

/** A planned operation looks at no state; a query is asked here, not answered. */
function stateNamesFor({ id, stage }: DocumentedOperation): readonly string[] {
  const names = stage === 'planned' ? ['claimed'] : Object.keys(preparations)
  return id.startsWith('query') ? names.filter((name) => name !== 'asked') : names
}

/** The state of a name; those of a name are prepared a few at a time, so that they share their commits. */
async function stateOf(world: World, name: string, operation: DocumentedOperation): Promise<PreparedState> {
  const known = world.states.get(name)?.at(-1)
  if (known !== undefined) return known
  // Time that passes for one state passes for all: their leases run out too.
  if (name === 'expired') world.states.clear()
  const prepare = preparations[name]
  if (prepare === undefined) throw new Error(`There is no state ${name}.`)
  const stage = { ...world, withActivity: operation.path.includes('/activity-tasks/') }
  const count = name === 'expired' || !isConsuming(operation) ? 1 : preparedAtOnce
  const states = await Promise.all(Array.from({ length: count }, () => prepare(stage)))
  world.states.set(name, states)
  return states[0] ?? prepare(stage)
}

/** Whether a request that has its effect leaves another state behind. */
function isConsuming({ id, method, path, stage }: DocumentedOperation): boolean {
  return stage === 'built' && method !== 'GET' && path.includes('{') && !id.startsWith('heartbeat')
}

/** Nobody answers a query here, and cooperative cancellation is refused until it is built. */
function mayBeAccepted({ id, stage }: DocumentedOperation): boolean {
  return stage === 'built' && !id.startsWith('query') && !/^request.*Cancellation$/.test(id)
}

/** Whether an answer may wait for something that only time brings: it passes only while such a one is waited for. */
function mayBeHeld({ id }: DocumentedOperation, { request, isAddressed }: BadRequest): boolean {
  return isAddressed && (id.startsWith('query') || /wait_(closed|new_event)=/.test(request.target))
}

async function answerOf(world: World, operation: DocumentedOperation, connection: RawConnection, request: BadRequest) {
  connection.write(bytesOf(request.request))
  const answering = connection.answer(answerWithinMs)
  if (!mayBeHeld(operation, request)) return answering
  let stepMs = queryTimeoutMs
  const passing = setInterval(() => {
    world.clock.advance(stepMs)
    stepMs = Math.min(2 * stepMs, stepMsMax(operation))
  }, heldAfterMs)
  try {
    return await answering
  } finally {
    clearInterval(passing)
  }
}

/** A query waits for a moment only; a reader who follows a run, for a minute and more. */
function stepMsMax({ id }: DocumentedOperation): number {
  return id.startsWith('query') ? queryTimeoutMs : 1000
}

/** More than all the time that passes while one answer is waited for. */
function heldMsMax(operation: DocumentedOperation): number {
  return (answerWithinMs / heldAfterMs) * stepMsMax(operation)
}

/** What is wrong with an answer. */
function problemsOf(operation: DocumentedOperation, { isAddressed }: BadRequest, answer: RawAnswer): readonly string[] {
  const isText = answer.headers['content-type']?.startsWith('text/plain') === true
  const body: ReturnType<typeof JSON.parse> = isText ? answer.text : JSON.parse(answer.text)
  // Documents list the 500 that nobody wants to see.
  const problems = answer.status === 500 ? ['it is a 500'] : []
  if (isAddressed) {
    problems.push(...operation.problemsOf(answer.status, body), ...reasonProblems(operation, answer.status, body))
  } else if (answer.status >= 400 && (typeof body.reason !== 'string' || body.recorded !== false)) {
    // Another operation was met, or none: a refusal that says what it is all the same.
    problems.push('it is no refusal')
  }
  return problems
}

/** A refusal names a reason of the catalogue, which lists the operation and the status. */
function reasonProblems(
  { id, stage }: DocumentedOperation,
  status: number,
  body: { readonly reason?: unknown },
): string[] {
  const { reason } = body
  if (status < 400 || stage === 'planned' || reason === undefined) return []
  const entry = catalogue[String(reason)]
  if (entry === undefined) return [`${String(reason)} is no reason of the catalogue`]
  const problems: string[] = []
  if (entry.operations.length > 0 && !entry.operations.includes(id)) problems.push(`${reason} does not list ${id}`)
  if ((entry.statusOf[id] ?? entry.status) !== status) problems.push(`${reason} has not the status ${status}`)
  return problems
}

interface ReasonEntry {
  readonly status: number
  readonly statusOf: Readonly<Record<string, number>>
  readonly operations: readonly string[]
}

const catalogue: Readonly<Record<string, ReasonEntry | undefined>> = reasons

/** Recorded all the same: a start that was rejected is a fact of the run that was there. */
const recordedRefusals: ReadonlySet<string> = new Set(['duplicate_not_allowed'])

const saysNothingRecorded = ({ plane }: DocumentedOperation, answer: RawAnswer): boolean => {
  if (answer.status < 400 || answer.headers['content-type']?.startsWith('text/plain')) return false
  const { reason, recorded } = JSON.parse(answer.text)
  if (recorded === false) return true
  // A status that says "not serving" is no refusal.
  if (reason === undefined && plane === 'system') return false
  expect(recordedRefusals).toContain(reason)
  return false
}

const tallies = new Map<string, Map<DatabaseName, Tally>>()

function tallyOf(id: string, on: DatabaseName): Tally {
  const row = tallies.get(id) ?? new Map<DatabaseName, Tally>()
  tallies.set(id, row)
  const tally = row.get(on) ?? { cases: 0, accepted: 0, refused: new Map<number, number>(), slowestMs: 0 }
  row.set(on, tally)
  return tally
}

/** A question is a row until somebody answers it or its time is up; that it was asked is not recorded anywhere. */
function mayNotChange({ id }: DocumentedOperation, table: string): boolean {
  return !(id.startsWith('query') && table === 'query_tasks')
}

function failed(
  which: string,
  { request, spoiled }: BadRequest,
  answer: RawAnswer | 'cut',
  problems: readonly string[],
): string {
  const { method, target, headers, body } = request
  const text = Buffer.from(body ?? '').toString('utf8')
  const answered = answer === 'cut' ? '' : `\nAnswer: ${answer.status} ${answer.text.slice(0, 1500)}`
  return (
    `${problems.join('; ')}\n${which}, spoiled: ${spoiled} (DW_TEST_SEED=${seed})\n` +
    `Request: ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 500)} ${text.slice(0, 1500)}${answered}`
  )
}

/** Sends a case and judges its answer. */
async function oneCase(world: World, operation: DocumentedOperation, connections: Connections, number: number) {
  const { chance } = connections
  const { stored } = world
  const name = pick(chance, ['claimed', ...stateNamesFor(operation)])
  const state = await stateOf(world, name, operation)
  const goodBodies: Readonly<Record<string, object | undefined>> = bodies
  const request = badRequest({ operation, state, chance, goodBody: goodBodies[operation.id] })
  const isOpen = chance() >= notOpenRate
  const connection = await connections.to(isOpen ? world.served.url : world.notOpen.url)
  if (mayBeHeld(operation, request)) await settled({ ...world, withActivity: false }, heldMsMax(operation))
  const before = await stored.digests()
  const answer = await answerOf(world, operation, connection, request)
  const problems = answer === 'cut' ? ['the connection was cut'] : [...problemsOf(operation, request, answer)]
  if (answer !== 'cut' && saysNothingRecorded(operation, answer)) {
    const after = await stored.digests()
    const changed = Object.keys(after).filter(
      (table) => after[table] !== before[table] && mayNotChange(operation, table),
    )
    if (changed.length > 0) problems.push(`it says recorded: false, and rows changed in ${changed.join(', ')}`)
  }
  if (answer === 'cut' || problems.length > 0)
    throw new Error(failed(`case ${number} in state ${name}`, request, answer, problems))
  count(tallyOf(operation.id, world.on), answer)
  if (answer.status < 400 && isConsuming(operation)) world.states.get(name)?.pop()
}

function count(tally: Tally, { status, ms }: RawAnswer): void {
  tally.cases += 1
  tally.slowestMs = Math.max(tally.slowestMs, ms)
  if (status < 400) tally.accepted += 1
  else tally.refused.set(status, (tally.refused.get(status) ?? 0) + 1)
}

interface Connections {
  readonly chance: () => number
  to(url: string): Promise<RawConnection>
  close(): void
}

/** One connection a server, opened anew only where the server has ended it. */
function createConnections(chance: () => number): Connections {
  const open = new Map<string, RawConnection>()
  return {
    chance,
    async to(url) {
      const known = open.get(url)
      if (known?.isOpen === true) return known
      const connection = await RawConnection.open(url)
      open.set(url, connection)
      return connection
    },
    close() {
      for (const connection of open.values()) connection.close()
    },
  }
}

eachDatabase((on) => {
  let world: World | undefined
  let served = 0
  const worldFor = async (operation: DocumentedOperation): Promise<World> => {
    const isFull = operation.stage === 'built' && served++ % operationsPerDatabase === 0
    if (world !== undefined && !isFull) return world
    await world?.close()
    world = await newWorld(on)
    return world
  }
  afterAll(async () => {
    await world?.close()
  })

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (id, operation) => {
      const here = await worldFor(operation)
      here.states.clear()
      const connections = createConnections(chanceOf(seed + operations.indexOf(operation)))
      try {
        for (let number = 0; number < casesPerOperation; number++) await oneCase(here, operation, connections, number)
      } finally {
        connections.close()
      }
      // What was remembered as unchanged is compared with the rows themselves.
      const remembered = await here.stored.digests()
      const fresh = await here.stored.freshDigests()
      const forgotten = Object.keys(fresh).filter((table) => fresh[table] !== remembered[table])
      expect(forgotten.filter((table) => mayNotChange(operation, table))).toEqual([])
      expect(tallyOf(id, on).cases).toBe(casesPerOperation)
      // Spoiled from what would be taken: a good request that is never good tells nothing of what lies behind the validators.
      if (mayBeAccepted(operation)) expect(tallyOf(id, on).accepted).toBeGreaterThanOrEqual(acceptedAtLeast)
    },
    120_000,
  )
})

afterAll(() => {
  const lines = [...tallies].map(([id, row]) => {
    const cells = [...row].map(([on, { cases, accepted, refused, slowestMs }]) => {
      const statuses = [...refused].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`)
      return `${on}: ${cases} cases, ${accepted} accepted, ${statuses.join(' ')}, slowest ${slowestMs.toFixed(0)} ms`
    })
    return `${id.padEnd(32)} ${cells.join(' | ')}`
  })
  console.log(`Bad input, seed ${seed} (DW_TEST_SEED repeats it):\n${lines.join('\n')}`)
})

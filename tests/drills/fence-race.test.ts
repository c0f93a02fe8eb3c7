// L-07: between the check of a heartbeat and its renewal nobody else may come. Two servers on one database, a lease of 1 s,
// the heartbeat held at a named point while another worker polls the other server. One judge for every round; a server
// that always says yes must not pass it.
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openReader, type Row } from '../support/database-reader.ts'
import { type DatabaseName, eachDatabase } from '../support/databases.ts'
import { jsonClient, type Reply } from '../support/http.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Barrier, createBarrier, type Point } from './barrier.ts'
import { rawWorker, startRun, type WorkflowClaim } from './raw-worker.ts'

/** What a round left behind: the two answers, and the row as it is on disk. */
interface Evidence {
  readonly original: WorkflowClaim
  readonly replacementId: string
  readonly heartbeat: Pick<Reply, 'status' | 'body' | 'at'>
  readonly poll: Pick<Reply, 'at'>
  readonly row: Row
}

type Verdict =
  | { readonly legal: true; readonly outcome: 'renewed' | 'replaced' }
  | { readonly legal: false; readonly says: string }

/** Exactly two outcomes are legal (L-07); everything else has two owners, or none. */
function judge({ original, replacementId, heartbeat, poll, row }: Evidence): Verdict {
  const task = poll.at('task')
  const isOriginals = row.lease_owner === original.owner && row.attempt === original.attempt
  const isReplacements = row.lease_owner === replacementId && row.attempt === original.attempt + 1
  if (heartbeat.status === 200 && heartbeat.at('renewed') === true) {
    if (task !== null) return { legal: false, says: 'both were told that the task is theirs' }
    return isOriginals ? { legal: true, outcome: 'renewed' } : { legal: false, says: 'renewed, but the row is another' }
  }
  if (
    heartbeat.status === 409 &&
    heartbeat.at('reason') === 'lease_owner_mismatch' &&
    heartbeat.at('renewed') !== true
  ) {
    const got =
      poll.at('task.lease_owner') === replacementId && poll.at('task.workflow_task_attempt') === original.attempt + 1
    return got && isReplacements
      ? { legal: true, outcome: 'replaced' }
      : { legal: false, says: 'refused, but the replacement does not have the task' }
  }
  return { legal: false, says: `an answer of neither kind: ${heartbeat.status} ${JSON.stringify(heartbeat.body)}` }
}

interface Race extends AsyncDisposable {
  readonly barrier: Barrier
  /** Its heartbeats stop at the barrier. */
  readonly held: ServerProcess
  readonly free: ServerProcess
}

async function startRace(on: DatabaseName, point: Point): Promise<Race> {
  const stack = new AsyncDisposableStack()
  const barrier = stack.use(await createBarrier(point, 'heartbeatWorkflowTask'))
  const held = stack.use(await startServer({ on, workflowTaskTimeoutSeconds: 1, env: barrier.env }))
  const free = stack.use(await startServer({ workflowTaskTimeoutSeconds: 1, databaseUrl: held.databaseUrl }))
  return { barrier, held, free, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

let rounds = 0

interface Round {
  readonly original: WorkflowClaim
  readonly replacementId: string
  /** On its way; it stands at the barrier. */
  readonly heartbeat: Promise<Reply>
  poll(timeoutSeconds: number): Promise<Reply>
  /** The row as it is on disk now. */
  row(): Promise<Row>
  history(): Promise<Row[]>
  [Symbol.asyncDispose](): Promise<void>
}

/** A claimed task whose owner's heartbeat stands at the barrier. */
async function startRound({ barrier, held, free }: Race): Promise<Round> {
  rounds += 1
  const taskQueue = `fence-${rounds}`
  const stack = new AsyncDisposableStack()
  const owner = stack.use(rawWorker({ url: held.url, taskQueue, workerId: `original-${rounds}` }))
  const replacement = stack.use(rawWorker({ url: free.url, taskQueue, workerId: `replacement-${rounds}` }))
  const database = stack.use(openReader(held.databaseUrl))
  await owner.register()
  await replacement.register()
  await barrier.hold()
  const run = await startRun(owner.client, taskQueue)
  const original = await owner.claimWorkflow()
  const heartbeat = owner.report(original, 'heartbeat')
  await barrier.reached(held.pid)
  return {
    original,
    replacementId: replacement.workerId,
    heartbeat,
    poll: (timeoutSeconds) => replacement.pollWorkflow({ timeout_seconds: timeoutSeconds }),
    row: () => database.workflowTask(original.taskId),
    history: () => database.history(run.runId),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Half of the lease: late enough to span the old expiry by the renewal, early enough to be in time. */
const releaseBeforeExpiryMs = 500
const roundsMax = 8

/** Released in time: the replacement's poll is open across the expiry that the renewal moved away. */
async function renewedRound(race: Race): Promise<Evidence | undefined> {
  await using round = await startRound(race)
  const { original } = round
  const poll = round.poll(1)
  await waitFor('half of the lease is over', () => Date.now() >= original.expiresAt - releaseBeforeExpiryMs, {
    intervalMs: 5,
  })
  await race.barrier.release()
  const heartbeat = await round.heartbeat
  const polled = await poll
  // The machine was too slow for a race: the renewal came after the expiry, or is over as well.
  if (heartbeat.at('reason') === 'lease_expired' || heartbeat.at('reason') === 'task_not_leased') return undefined
  if (heartbeat.status === 200 && Date.now() >= Date.parse(heartbeat.stringAt('lease_expires_at'))) return undefined
  return { original, replacementId: round.replacementId, heartbeat, poll: polled, row: await round.row() }
}

/** Released after the replacement claimed. */
async function replacedRound(race: Race): Promise<Evidence> {
  await using round = await startRound(race)
  const { original } = round
  const events = await round.history()
  const poll = await round.poll(30)
  expect(Date.now()).toBeGreaterThanOrEqual(original.expiresAt)
  const claimed = await round.row()
  await race.barrier.release()
  const heartbeat = await round.heartbeat
  expect(heartbeat.body).toMatchObject({ recorded: false, task_id: original.taskId, run_id: original.runId })
  expect(heartbeat.at('renewed')).toBe(false)
  expect(await round.row(), 'the refused heartbeat changed nothing').toEqual(claimed)
  expect(await round.history(), 'recovery writes no event').toEqual(events)
  return { original, replacementId: round.replacementId, heartbeat, poll, row: claimed }
}

async function raced(race: Race): Promise<Evidence> {
  for (let round = 1; round <= roundsMax; round += 1) {
    const evidence = await renewedRound(race)
    if (evidence !== undefined) return evidence
  }
  throw new Error(`in ${roundsMax} rounds this machine was never fast enough for a lease of 1 s`)
}

eachDatabase((on) => {
  describe('heartbeat and replacement on two servers', () => {
    test('L-07 released before the expiry: 200, the row is the original owner and attempt, the poll got nothing', async () => {
      await using race = await startRace(on, 'gathered')
      const evidence = await raced(race)
      expect(judge(evidence), JSON.stringify(evidence)).toEqual({ legal: true, outcome: 'renewed' })
      expect(Number(evidence.row.lease_expires_at)).toBeGreaterThan(evidence.original.expiresAt)
      console.log(
        `L-07 (a): 200 renewed, row ${evidence.row.lease_owner} attempt ${evidence.row.attempt}, lease moved by ${
          Number(evidence.row.lease_expires_at) - evidence.original.expiresAt
        } ms, poll task ${JSON.stringify(evidence.poll.at('task'))}`,
      )
    })

    test('L-07 L-08 released after the replacement claimed: 409 lease_owner_mismatch, the row is the replacement, attempt 2', async () => {
      await using race = await startRace(on, 'gathered')
      for (let round = 1; round <= 3; round += 1) {
        const evidence = await replacedRound(race)
        expect(judge(evidence), JSON.stringify(evidence)).toEqual({ legal: true, outcome: 'replaced' })
        console.log(
          `L-07 (b): 409 ${evidence.heartbeat.at('reason')}, row ${evidence.row.lease_owner} attempt ${evidence.row.attempt}, poll attempt ${workflowAttempt(evidence)}`,
        )
      }
    })

    test('L-08 L-09 held under the write lock across the expiry: nobody claims meanwhile, then the renewal is refused', async () => {
      await using race = await startRace(on, 'locked')
      await using round = await startRound(race)
      const { original } = round
      const poll = round.poll(30)
      await waitFor('the lease has expired', () => Date.now() > original.expiresAt)
      const polledMeanwhile = await round.poll(0)
      expect(polledMeanwhile.at('task')).toBeNull()
      expect(await round.row()).toMatchObject({ status: 'leased', lease_owner: original.owner, attempt: 1 })
      await race.barrier.release()
      // The instant that counts is read under the lock: the check and the renewal cannot be of two times.
      expect(await round.heartbeat).toMatchObject({ status: 409, body: { reason: 'lease_expired', renewed: false } })
      expect((await poll).at('task')).toMatchObject({ lease_owner: round.replacementId, workflow_task_attempt: 2 })
      expect(await round.row()).toMatchObject({ lease_owner: round.replacementId, attempt: 2, repair_count: 1 })
    })
  })

  const workflowAttempt = ({ poll }: Evidence): unknown => poll.at('task.workflow_task_attempt')

  describe('the judge', () => {
    test('L-07 L-08 an artificial server that always answers 200 fails it, whichever way the race went', async () => {
      await using race = await startRace(on, 'gathered')
      const always = createServer((incoming, outgoing) => {
        incoming.resume()
        outgoing.writeHead(200, { 'content-type': 'application/json' })
        outgoing.end(JSON.stringify({ renewed: true, reason: null }))
      })
      await new Promise<void>((done) => always.listen(0, '127.0.0.1', done))
      const address = always.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      await using yes = jsonClient({ url: `http://127.0.0.1:${address.port}` })
      const lie = await yes.worker('POST', '/workflow-tasks/any/heartbeat', {})
      const real = await replacedRound(race)
      expect(judge(real)).toMatchObject({ legal: true })
      expect(judge({ ...real, heartbeat: lie })).toEqual({
        legal: false,
        says: 'both were told that the task is theirs',
      })
      // Deferred: the poll went away empty, and the row is nevertheless the replacement's.
      const empty = { at: (path: string) => (path === 'task' ? null : undefined) }
      expect(judge({ ...real, heartbeat: lie, poll: empty })).toEqual({
        legal: false,
        says: 'renewed, but the row is another',
      })
      always.closeAllConnections()
      await new Promise<void>((done) => always.close(() => done()))
    })

    test.each([
      ['a refusal for another reason', { status: 409, reason: 'lease_expired', renewed: false }],
      ['a refusal that says renewed', { status: 409, reason: 'lease_owner_mismatch', renewed: true }],
      ['a busy store', { status: 503, reason: 'backend_lock_pressure', renewed: false }],
    ])('L-07 %s is neither outcome', (_, { status, reason, renewed }) => {
      const body: Record<string, unknown> = { reason, renewed }
      const original: WorkflowClaim = {
        kind: 'workflow',
        taskId: 't',
        attempt: 1,
        runId: 'r',
        owner: 'one',
        expiresAt: 0,
      }
      const row = { lease_owner: 'two', attempt: 2 }
      const answers = new Map<string, unknown>([
        ['task', {}],
        ['task.lease_owner', 'two'],
        ['task.workflow_task_attempt', 2],
      ])
      const poll = { at: (path: string) => answers.get(path) }
      const heartbeat = { status, body, at: (path: string) => body[path] }
      expect(judge({ original, replacementId: 'two', heartbeat, poll, row })).toMatchObject({ legal: false })
    })
  })
})

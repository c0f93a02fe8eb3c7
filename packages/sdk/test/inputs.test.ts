// What people hand to a client or a worker and cannot be meant: a ContractError names the option, its value, what is right and
// what to write, before anything is sent.
import { expect, it } from 'vitest'
import type { Duration } from '../src/authoring/options.ts'
import { createClient, type StartOptions } from '../src/client/client.ts'
import { activity, workflow } from '../src/index.ts'
import { createWorker, type WorkerOptions } from '../src/worker.ts'
import { checkout, open } from './client/open.ts'

const ship = workflow('ship').implement(async () => {})
const pack = activity('pack').implement(async () => {})

/** A value that came past the compiler, from JSON or plain JavaScript. */
function past<T>(json: string): T {
  const value: T = JSON.parse(json)
  return value
}

const long = 'x'.repeat(256)
const worker = { server: 'http://127.0.0.1:1', taskQueue: 'orders', workflows: [ship] }

it.each<[string, Partial<WorkerOptions>, string, readonly string[]]>([
  ['nothing to work on', { workflows: [] }, 'nothing_to_work_on', ['given none', 'Pass workflows']],
  ['two of a name', { workflows: [ship, ship] }, 'duplicate_name', ['"ship"']],
  ['two activities of a name', { activities: [pack, pack] }, 'duplicate_name', ['"pack"']],
  ['an empty task queue', { taskQueue: '' }, 'invalid_option', ['taskQueue', '""', '1 to 255']],
  ['a long task queue', { taskQueue: long }, 'invalid_option', ['taskQueue', 'of 256 characters', '1 to 255']],
  ['half a character in a task queue', { taskQueue: 'a\ud83d' }, 'invalid_option', ['taskQueue', '1 to 255']],
  ['an empty worker id', { workerId: '' }, 'invalid_option', ['workerId', '""', '1 to 255']],
  ['a long worker id', { workerId: long }, 'invalid_option', ['workerId', 'of 256 characters']],
  ['a long build id', { buildId: long }, 'invalid_option', ['buildId', 'of 256 characters']],
  ['an unknown line', { protocolVersion: past('"1.21"') }, 'invalid_option', ['"1.21"', '1.19 or 1.20']],
  ['no workflow tasks', { maxConcurrentWorkflowTasks: 0 }, 'invalid_option', ['is 0', '1 to 10000']],
  ['too many workflow tasks', { maxConcurrentWorkflowTasks: 10_001 }, 'invalid_option', ['is 10001', '1 to 10000']],
  ['half an activity task', { maxConcurrentActivityTasks: 1.5 }, 'invalid_option', ['is 1.5', '1 to 10000']],
  ['NaN activity tasks', { maxConcurrentActivityTasks: Number.NaN }, 'invalid_option', ['is NaN']],
  ['no pollers', { pollers: { workflow: 0 } }, 'invalid_option', ['pollers.workflow', 'is 0', '1 to 1000']],
  ['too many pollers', { pollers: { activity: 1001 } }, 'invalid_option', ['pollers.activity', '1 to 1000']],
  ['minus one poller', { pollers: { query: -1 } }, 'invalid_option', ['pollers.query', 'is -1']],
  ['a poll that is not held', { pollTimeoutSeconds: 0 }, 'invalid_option', ['pollTimeoutSeconds', '1 to 60']],
  ['a poll that is held too long', { pollTimeoutSeconds: 61 }, 'invalid_option', ['is 61', '1 to 60']],
  ['a cache below nothing', { stickyCacheBytes: -1 }, 'invalid_option', ['stickyCacheBytes', 'is -1', '0 or more']],
  ['a cache of NaN', { stickyCacheBytes: Number.NaN }, 'invalid_option', ['is NaN', '0 or more']],
  ['a negative shutdown', { shutdownTimeout: '-1s' }, 'invalid_duration', ['shutdownTimeout', '"-1s"', "'30s'"]],
  ['a shutdown that is no time', { shutdownTimeout: past('"soon"') }, 'invalid_duration', ['"soon"']],
  ['a shutdown of NaN', { shutdownTimeout: Number.NaN }, 'invalid_duration', ['shutdownTimeout NaN']],
])('a worker with %s is not made', async (_what, options, reason, says) => {
  const error = await createWorker({ ...worker, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expectContractError(error, reason, says)
})

it.each<[string, Parameters<typeof createClient>[0], string, readonly string[]]>([
  ['a server without a scheme', { server: '127.0.0.1:7400' }, 'invalid_server_url', ['"127.0.0.1:7400"', 'http']],
  ['a server of another scheme', { server: 'ftp://h' }, 'invalid_server_url', ['"ftp://h"', 'http://127.0.0.1:7400']],
  ['a server with a query', { server: 'http://h/?a=1' }, 'invalid_server_url', ['without a query']],
  ['an empty namespace', { namespace: '' }, 'invalid_namespace', ['""', '1 to 128', 'DURABLE_WORKFLOW_NAMESPACE']],
  ['a namespace with a space', { namespace: 'a b' }, 'invalid_namespace', ['"a b"', '1 to 128']],
  ['a namespace with a new line', { namespace: 'a\r\nx: y' }, 'invalid_namespace', ['1 to 128']],
  ['a long namespace', { namespace: 'n'.repeat(129) }, 'invalid_namespace', ['1 to 128']],
  ['an empty token', { token: '' }, 'invalid_token', ['0 characters', 'visible ASCII']],
  ['a token with a new line', { token: 'secret\r\nx: y' }, 'invalid_token', ['12 characters', 'visible ASCII']],
  ['a token that is no ASCII', { token: 'secretß' }, 'invalid_token', ['7 characters']],
])('a client with %s is not made', (_what, options, reason, says) => {
  let error: unknown
  try {
    createClient(options)
  } catch (thrown) {
    error = thrown
  }
  expectContractError(error, reason, says)
  expect(String(error)).not.toContain('secret')
})

const input = { id: 'o-1' }

it.each<[string, Omit<StartOptions<undefined>, 'input'>, string, readonly string[]]>([
  ['an empty id', { id: '' }, 'invalid_workflow_id', ['""', '1 to 128', 'leave it out']],
  ['an id with a slash', { id: 'a/b' }, 'invalid_workflow_id', ['"a/b"', 'a-z A-Z 0-9 . _ : -']],
  ['a long id', { id: 'x'.repeat(129) }, 'invalid_workflow_id', ['of 129 characters', '1 to 128']],
  ['no time to run', { runTimeout: 0 }, 'invalid_timeout', ['runTimeout', '0 ms', 'above zero']],
  ['no time at all', { executionTimeout: '0s' }, 'invalid_timeout', ['executionTimeout', 'above zero']],
  ['more time than there is', { runTimeout: 1e300 }, 'invalid_timeout', ['1e+300 ms', '9007199254740991']],
  ['a time before now', { runTimeout: '-1s' }, 'invalid_duration', ['runTimeout', '"-1s"', "'30s'"]],
  ['what is no time', { executionTimeout: past<Duration>('"soon"') }, 'invalid_duration', ['executionTimeout "soon"']],
  ['a time of NaN', { runTimeout: Number.NaN }, 'invalid_duration', ['runTimeout NaN']],
])('a start with %s is not sent', async (_what, options, reason, says) => {
  await using opened = await open()
  const error = await opened.client.start(checkout, { ...options, input }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expectContractError(error, reason, says)
})

it('a fraction of a millisecond is rounded up, as whole seconds are: no wait ends early', async () => {
  await using opened = await open()
  let sent: unknown
  opened.stub.on('startWorkflow', ({ body }) => {
    sent = body
    return { status: 201, body: { workflow_id: 'w', run_id: 'r', workflow_type: 'checkout', outcome: 'started_new' } }
  })
  await opened.client.start(checkout, { input, runTimeout: 1500.2 })
  expect(sent).toMatchObject({ run_timeout_seconds: 2 })
})

function expectContractError(error: unknown, reason: string, says: readonly string[]): void {
  expect(error).toMatchObject({ name: 'ContractError', reason })
  for (const words of says) expect(String(error)).toContain(words)
}

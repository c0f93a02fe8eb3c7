import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'
import { claim, queue, register, start, worker } from './wire.ts'

/** A server for the tests of a file; each test has a queue of its own, so that no task of another test is claimed. */
export interface OwnQueue {
  readonly served: TestServer
  readonly taskQueue: string
  readonly call: TestServer['client']['call']
  readonly startMine: (fields?: Readonly<Record<string, unknown>>) => ReturnType<typeof start>
  readonly claimMine: (fields?: Readonly<Record<string, unknown>>) => ReturnType<typeof claim>
  /** A poll of a workflow task that waits for nothing. */
  readonly poll: (fields?: Readonly<Record<string, unknown>>) => ReturnType<TestServer['client']['call']>
}

/** Call it once at the top of a file. */
export function ownQueue(): OwnQueue {
  let served: TestServer
  let tests = 0
  let taskQueue = queue
  beforeAll(async () => {
    served = await startTestServer()
  })
  afterAll(() => served.close())
  beforeEach(async () => {
    tests += 1
    taskQueue = `queue-${tests}`
    await register(served.client, { worker_id: worker, task_queue: taskQueue })
  })
  const call: OwnQueue['call'] = (operation, sent) => served.client.call(operation, sent)
  return {
    get served() {
      return served
    },
    get taskQueue() {
      return taskQueue
    },
    call,
    startMine: (fields = {}) => start(served.client, { task_queue: taskQueue, ...fields }),
    claimMine: (fields = {}) => claim(served.client, { task_queue: taskQueue, ...fields }),
    poll: (fields = {}) =>
      call('pollWorkflowTask', {
        body: { worker_id: worker, task_queue: taskQueue, timeout_seconds: 0, ...fields },
      }),
  }
}

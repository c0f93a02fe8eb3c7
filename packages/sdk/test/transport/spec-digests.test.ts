// The documents of a server and of this package, compared: what a client says of it, and what a worker warns of.
import { readdirSync, readFileSync } from 'node:fs'
import { builtOperationIds, specDigests } from '@durable-workflow/protocol'
import { describe, expect, test } from 'vitest'
import { clientOperations, workerOperations } from '../../src/transport/spec-digests.ts'
import { open } from '../client/open.ts'
import { greet, silent, startWorker } from '../worker/harness.ts'
import { type Stub, startStub } from './stub-server.ts'

const offered = { capabilities: { spec_digests: true } }

/** Lets the stub state these digests when it is asked for them. */
function state(stub: Stub, spec: unknown): void {
  stub.on('getClusterInfo', ({ query }) => ({
    status: 200,
    body: {
      server_id: 'a',
      version: '9.9.9',
      default_namespace: 'default',
      capabilities: { spec_digests: true },
      control_plane: { version: '2' },
      worker_protocol: { version: '1.19', server_capabilities: { query_tasks: true } },
      ...(query.spec === '1' ? { spec } : {}),
    },
  }))
}

const { pollWorkflowTask: _, ...withoutPolls } = specDigests.operations
const twoOthers = {
  documents: {},
  operations: {
    ...specDigests.operations,
    completeWorkflowTask: '000000000000',
    signalRun: '000000000000',
    later: 'x',
  },
}
const nonsense: [string, unknown][] = [
  ['no digests', undefined],
  ['a text', 'later'],
  ['a list', { operations: ['startWorkflow'] }],
  ['null', { operations: null }],
]

describe('a client', () => {
  test('names the operations that differ among those that this package calls', async () => {
    await using it = await open(offered)
    state(it.stub, twoOthers)
    expect(await it.client.describeServer()).toEqual({
      serverId: 'a',
      version: '9.9.9',
      workerProtocol: '1.19',
      controlPlane: '2',
      defaultNamespace: 'default',
      operationsCompared: true,
      differingOperations: ['signalRun', 'completeWorkflowTask'],
    })
  })

  test('names none where all are alike, and one that the server does not have', async () => {
    await using it = await open(offered)
    state(it.stub, specDigests)
    expect(await it.client.describeServer()).toMatchObject({ operationsCompared: true, differingOperations: [] })
    state(it.stub, { operations: withoutPolls })
    expect(await it.client.describeServer()).toMatchObject({ differingOperations: ['pollWorkflowTask'] })
  })

  test('asks only a server that offers it', async () => {
    await using it = await open()
    expect(await it.client.describeServer()).toMatchObject({
      version: '0.0.0',
      workerProtocol: '1.19',
      operationsCompared: false,
      differingOperations: [],
    })
    expect(it.stub.of('getClusterInfo').map(({ query }) => query)).toEqual([{}])
  })

  test.each(nonsense)('compares nothing with %s', async (_, spec) => {
    await using it = await open(offered)
    state(it.stub, spec)
    expect(await it.client.describeServer()).toMatchObject({ operationsCompared: false, differingOperations: [] })
  })
})

describe('a worker', () => {
  /** Runs a worker to its end and keeps what it logged. */
  async function logOf(stub: Stub): Promise<{ level: string; message: string; facts: unknown }[]> {
    const lines: { level: string; message: string; facts: unknown }[] = []
    const at = (level: string) => (message: string, facts?: Record<string, unknown>) => {
      lines.push({ level, message, facts })
    }
    const log = { ...silent, debug: at('debug'), warn: at('warn'), error: at('error') }
    const { worker, run } = await startWorker(stub, { workflows: [greet], log })
    await stub.arrived('getClusterInfo', 2)
    await worker.ready
    await worker.stop()
    await run
    return lines
  }

  test('warns once of those that a worker calls, with the next step, and works', async () => {
    await using stub = await startStub(offered)
    state(stub, twoOthers)
    const lines = await logOf(stub)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ level: 'warn', facts: { operations: ['completeWorkflowTask'] } })
    expect(lines[0]?.message).toContain('completeWorkflowTask')
    expect(lines[0]?.message).toContain('run SDK and server of one version')
    expect(stub.of('pollWorkflowTask').length).toBeGreaterThan(0)
  })

  test.each([['the same digests', specDigests], ...nonsense])('says nothing of %s', async (_, spec) => {
    await using stub = await startStub(offered)
    state(stub, spec)
    expect(await logOf(stub)).toEqual([])
  })

  test('works on where the server refuses to state its digests', async () => {
    await using stub = await startStub(offered)
    stub.on('getClusterInfo', ({ query }) =>
      query.spec === '1'
        ? { status: 403, body: { reason: 'forbidden', message: 'No.' } }
        : { status: 200, body: { ...offered, worker_protocol: { version: '1.19' } } },
    )
    expect(await logOf(stub)).toMatchObject([{ level: 'debug' }])
    expect(stub.of('deregisterWorker')).toHaveLength(1)
  })

  test('ends at once while the server still owes its digests', async () => {
    await using stub = await startStub(offered)
    stub.on('getClusterInfo', ({ query }) =>
      query.spec === '1' ? 'hold' : { status: 200, body: { ...offered, worker_protocol: { version: '1.19' } } },
    )
    expect(await logOf(stub)).toMatchObject([{ level: 'debug' }])
  })

  test('asks only a server that offers it', async () => {
    await using stub = await startStub()
    const { worker, run } = await startWorker(stub, { workflows: [greet] })
    await worker.ready
    await worker.stop()
    await run
    expect(stub.of('getClusterInfo').map(({ query }) => query)).toEqual([{}])
  })
})

describe('the operations that are compared', () => {
  /** The operations that the sources of a folder name in quotes. */
  function namedIn(folder: string): string[] {
    const at = new URL(`../../src/${folder}/`, import.meta.url)
    const texts = readdirSync(at).map((name) => readFileSync(new URL(name, at), 'utf8'))
    return builtOperationIds.filter((operation) => texts.some((text) => text.includes(`'${operation}'`))).sort()
  }

  test.each([
    ['worker', workerOperations],
    ['client', clientOperations],
  ] as const)('of a %s are those that it calls', (folder, operations) => {
    const called = operations.filter((operation) => operation !== 'getClusterInfo' || folder === 'client')
    expect([...called].sort()).toEqual(namedIn(folder))
  })
})

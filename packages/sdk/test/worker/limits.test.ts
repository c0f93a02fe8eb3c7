// What a server would refuse for its size is not sent: the task fails and says why, the run stays open, the worker goes on.
import { decodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { activity, signal, type, type WorkflowContext, WorkflowFailure, workflow } from '../../src/index.ts'
import { startStub } from '../transport/stub-server.ts'
import { activityTask, completed, greet, startWorker, workflowTask } from './harness.ts'

const work = activity('work', { input: type<string>() })
const poke = signal('poke')
const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make)

interface Case {
  readonly flow: (ctx: WorkflowContext<typeof poke>) => Promise<unknown>
  readonly limits?: Readonly<Record<string, number>>
  readonly failure: { readonly type: string; readonly reason: string; readonly message: unknown }
}

const cases: Readonly<Record<string, Case>> = {
  'commands of one completion': {
    flow: (ctx) => Promise.all(many(6, () => ctx.run(work, 'x'))),
    limits: { command_batch_size: 5 },
    failure: {
      type: 'StructuralLimitError',
      reason: 'structural_limit_exceeded',
      message:
        'A workflow task of "limited" would send 6 commands; the limit of the server is 5 (command_batch_size). Await some of the calls before the next are made. The run stays open for corrected code.',
    },
  },
  'commands, where the server states no number': {
    flow: (ctx) => Promise.all(many(1_001, () => ctx.sleep('1s'))),
    failure: {
      type: 'StructuralLimitError',
      reason: 'structural_limit_exceeded',
      message: expect.stringContaining('would send 1001 commands; the limit of the server is 1000'),
    },
  },
  'events of one completion': {
    flow: (ctx) => Promise.all(many(4, () => ctx.sleep('1s'))),
    limits: { history_transaction_size: 3 },
    failure: {
      type: 'StructuralLimitError',
      reason: 'structural_limit_exceeded',
      message: expect.stringContaining(
        'would record 4 events; the limit of the server is 3 (history_transaction_size)',
      ),
    },
  },
  'open activities': {
    flow: (ctx) => Promise.all([...many(3, () => ctx.run(work, 'x')), ctx.sleep('1s')]),
    limits: { pending_activity_count: 2, pending_timer_count: 2 },
    failure: {
      type: 'StructuralLimitError',
      reason: 'structural_limit_exceeded',
      message: expect.stringContaining('would leave 3 activities open; the limit of the server is 2'),
    },
  },
  'open timers, the timeout of a wait among them': {
    flow: (ctx) => Promise.all([...many(2, () => ctx.sleep('1s')), ctx.waitFor(poke, { timeout: '1s' })]),
    limits: { pending_activity_count: 2, pending_timer_count: 2 },
    failure: {
      type: 'StructuralLimitError',
      reason: 'structural_limit_exceeded',
      message: expect.stringContaining('would leave 3 timers open; the limit of the server is 2'),
    },
  },
  'one payload': {
    flow: (ctx) => ctx.run(work, 'x'.repeat(2_200_000)),
    failure: {
      type: 'PayloadTooLargeError',
      reason: 'payload_too_large',
      message: expect.stringMatching(
        /the arguments of activity "work" would be a payload of \d+ bytes; the limit is 2097152/,
      ),
    },
  },
  'the result of a side effect': {
    flow: (ctx) => ctx.sideEffect('dump', () => 'x'.repeat(2_200_000)),
    failure: {
      type: 'PayloadTooLargeError',
      reason: 'payload_too_large',
      message: expect.stringMatching(/the result of side effect "dump" would be a payload of \d+ bytes/),
    },
  },
  'the body as a whole': {
    flow: (ctx) => Promise.all(many(3, () => ctx.run(work, 'x'.repeat(600_000)))),
    failure: {
      type: 'PayloadTooLargeError',
      reason: 'payload_too_large',
      message: expect.stringMatching(/A workflow task of "limited" would send \d+ bytes; the limit is 2031616/),
    },
  },
  'the body, by what is no payload': {
    flow: (ctx) =>
      Promise.all(many(90, () => ctx.run(work, 'x', { retry: { nonRetryableErrorTypes: ['T'.repeat(25_000)] } }))),
    failure: {
      type: 'PayloadTooLargeError',
      reason: 'payload_too_large',
      message: expect.stringMatching(/would send \d+ bytes/),
    },
  },
}

describe('too much fails the task, not the run, and the worker goes on', () => {
  test.each(Object.entries(cases))('%s', async (_name, { flow, limits, failure }) => {
    await using stub = await startStub(limits === undefined ? {} : { structuralLimits: limits })
    stub.on('completeWorkflowTask', () => completed)
    const limited = workflow('limited', { handles: [poke] }, flow)
    const { worker, run } = await startWorker(stub, { workflows: [limited, greet] })
    stub.offer('workflow', workflowTask('t1', { workflow_type: 'limited' }))
    stub.offer('workflow', workflowTask('t2'))
    await stub.arrived('completeWorkflowTask')
    await stub.arrived('failWorkflowTask')
    await worker.stop()
    await run
    expect(stub.of('failWorkflowTask').map(({ body }) => body.failure)).toMatchObject([failure])
    expect(stub.of('completeWorkflowTask').map(({ path }) => path)).toEqual(['/api/worker/workflow-tasks/t2/complete'])
  })

  test('a number of 0 or less is a limit that the server has switched off', async () => {
    await using stub = await startStub({ structuralLimits: { command_batch_size: 0, pending_timer_count: -1 } })
    stub.on('completeWorkflowTask', () => completed)
    const limited = workflow('limited', {}, (ctx) => Promise.all(many(1_500, () => ctx.sleep('1s'))))
    const { worker, run } = await startWorker(stub, { workflows: [limited] })
    stub.offer('workflow', workflowTask('t1', { workflow_type: 'limited' }))
    const { body } = await stub.arrived('completeWorkflowTask')
    await worker.stop()
    await run
    expect(body.commands).toHaveLength(1_500)
  })
})

describe('a failure is always small enough to be said', () => {
  test('of a run: a long message is cut, details above the limit are left out and say so', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => completed)
    const failing = workflow('failing', {}, async () => {
      throw new WorkflowFailure('m'.repeat(3_000_000), { type: 'Huge', details: 'd'.repeat(2_200_000) })
    })
    const { worker, run } = await startWorker(stub, { workflows: [failing] })
    stub.offer('workflow', workflowTask('t1', { workflow_type: 'failing' }))
    const { body } = await stub.arrived('completeWorkflowTask')
    await worker.stop()
    await run
    const [command] = Array.isArray(body.commands) ? body.commands : []
    expect(command).toMatchObject({ type: 'fail_workflow', exception_type: 'Huge' })
    expect(command.message).toMatch(/^m{15000}\n\[truncated\]$/)
    expect(decodeEnvelope({ codec: 'avro', blob: command.exception.details })).toMatch(
      /the details of the failure would be a payload of \d+ bytes; the limit is 2097152/,
    )
  })

  test('of an activity: details that no body can carry are left out and say so', async () => {
    await using stub = await startStub()
    stub.on('failActivityTask', () => completed)
    stub.offer('activity', activityTask('a1'))
    const charge = activity('charge', { input: type<string>() }, async () => {
      const cause = new WorkflowFailure('inner', { type: 'Inner', details: 'd'.repeat(1_200_000) })
      throw new WorkflowFailure('outer', { type: 'Outer', details: 'd'.repeat(1_200_000), cause })
    })
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    const { body } = await stub.arrived('failActivityTask')
    await worker.stop()
    await run
    const leftOut = expect.stringMatching(/^left out: a report of \d+ bytes; the limit is 2031616$/)
    expect(body.failure).toMatchObject({
      message: 'outer',
      type: 'Outer',
      details: leftOut,
      cause: { message: 'inner', details: leftOut },
    })
  })
})

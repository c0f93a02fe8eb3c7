import { expect, test } from 'vitest'
import { operationFacts } from '../src/operation-facts.ts'
import { done, no, render } from '../src/reply.ts'

const envelope = { version: '1.19', members: '"protocol_version":"1.19","server_capabilities":{}' }
const about = (id: Parameters<typeof operationFacts>[0], path = {}) => {
  const operation = operationFacts(id)
  return { plane: operation.plane, operation, path }
}
const bodyOf = (text: string) => JSON.parse(text)

test('RE1 every answer of the worker plane has the envelope and the header, a refusal too', () => {
  for (const answer of [done({ worker_id: 'w' }), no('unauthorized')]) {
    const { headers, text } = render(answer, about('heartbeatWorker'), envelope)
    expect(headers['x-durable-workflow-protocol-version']).toBe('1.19')
    expect(bodyOf(text)).toMatchObject({ protocol_version: '1.19', server_capabilities: {} })
  }
})

test('RE2 every answer under /api/workflows says what it is about, from the path where the body does not', () => {
  const signal = about('signalRun', { workflow_id: 'w', run_id: 'r', signal_name: 's' })
  for (const answer of [done({ outcome: 'signal_received' }), no('unauthorized')]) {
    expect(bodyOf(render(answer, signal, envelope).text).control_plane).toMatchObject({
      operation: 'signal',
      workflow_id: 'w',
      run_id: 'r',
      operation_name: 's',
      operation_name_field: 'signal_name',
    })
  }
  expect(bodyOf(render(done({ namespaces: [] }), about('listNamespaces'), envelope).text)).not.toHaveProperty(
    'control_plane',
  )
})

test.each([
  [false, false],
  ['rejection', undefined],
  ['unknown', undefined],
] as const)('RE3 a no that is recorded %j says recorded: %s', (recorded, said) => {
  const { text } = render(no('duplicate_not_allowed', {}, recorded), about('startWorkflow'), envelope)
  expect(bodyOf(text).recorded).toBe(said)
})

test.each([
  ['worker_not_registered', 'pollWorkflowTask', 412],
  ['worker_not_registered', 'heartbeatWorker', 404],
  ['run_closed', 'completeWorkflowTask', 409],
  ['query_task_queue_full', 'queryWorkflow', 429],
] as const)('%s of %s has the status of the documents: %i', (reason, id, status) => {
  expect(render(no(reason), about(id), envelope).status).toBe(status)
})

test('a refusal says what, and what next; from 429 on also whether to repeat, and after how long', () => {
  const busy = render(no('backend_unavailable', { retry_after_seconds: 1 }), about('listNamespaces'), envelope)
  expect(busy.headers['retry-after']).toBe('1')
  expect(bodyOf(busy.text)).toMatchObject({ retryable: true, retry_after_seconds: 1 })
  const { text } = render(
    no('instance_not_found', { workflow_id: 'w', namespace: 'default' }),
    about('describeWorkflow'),
    envelope,
  )
  const body = bodyOf(text)
  expect(body).not.toHaveProperty('retryable')
  expect(body.message).toBe('The workflow w does not exist in namespace default.')
  expect(body.error).toBe(body.message)
  expect(body.remedy).not.toBe('')
})

test('an answer of a query task repeats its status, a refusal of it too', () => {
  const task = about('completeQueryTask', { query_task_id: 'q' })
  const taken = render(done({ query_task_id: 'q' }, { statesStatus: true }), task, envelope)
  expect(bodyOf(taken.text).status).toBe(taken.status)
  const refused = render(no('query_task_not_leased', { query_task_id: 'q' }), task, envelope)
  expect(bodyOf(refused.text).status).toBe(refused.status)
})

// The documents name what the sources name: every operation, every event type, every command. The tables are the sources'
// own lists; a line that is taken out of a document is missed here.
import { expect, test } from 'vitest'
import { lookUp } from '../scripts/canonical.ts'
import { asObject, asString, asStrings, type Json, readDocuments } from '../scripts/documents.ts'
import { bundlesOf, specFolder } from '../scripts/generate.ts'
import { type OperationEntry, operationsOf, resolveLocal } from '../scripts/operations.ts'
import { commandTypes, eventTypes, plannedCommandTypes, plannedEventTypes, reasons } from '../src/index.ts'

const documents = await readDocuments(specFolder)
const { worker119, control } = bundlesOf(documents)
const entries = [...operationsOf(worker119), ...operationsOf(control)]

/** Worker plane §3–§9, §12; published sheets: lease renewal, payload transport. */
const workerPlane = `
POST /worker/register
POST /worker/heartbeat
DELETE /worker/registrations/{}
POST /worker/sessions
POST /worker/sessions/{}/heartbeat
DELETE /worker/sessions/{}
POST /worker/workflow-tasks/poll
POST /worker/workflow-tasks/{}/history
POST /worker/workflow-tasks/{}/heartbeat
POST /worker/workflow-tasks/{}/complete
POST /worker/workflow-tasks/{}/fail
POST /worker/activity-tasks/poll
POST /worker/activity-tasks/{}/heartbeat
POST /worker/activity-tasks/{}/complete
POST /worker/activity-tasks/{}/fail
POST /worker/activity-tasks/{}/renew-lease
POST /worker/query-tasks/poll
POST /worker/query-tasks/{}/complete
POST /worker/query-tasks/{}/fail
POST /worker/update-validation-tasks/poll
POST /worker/update-validation-tasks/{}/approve
POST /worker/update-validation-tasks/{}/reject
POST /external-payloads/v1
GET /external-payloads/v1/{}
`

/** Control plane §4–§15; published clients §2: redrive, message streams, cancellation of a workflow. */
const controlPlane = `
GET /health
GET /ready
GET /cluster/info
GET /namespaces
POST /namespaces
GET /namespaces/{}
PUT /namespaces/{}
DELETE /namespaces/{}
PUT /namespaces/{}/external-storage
POST /storage/test
GET /workflows
POST /workflows
GET /workflows/{}
GET /workflows/{}/debug
GET /workflows/{}/runs
GET /workflows/{}/runs/{}
GET /workflows/{}/runs/{}/debug
GET /workflows/{}/runs/{}/history
GET /workflows/{}/runs/{}/history/export
POST /workflows/{}/signal/{}
POST /workflows/{}/runs/{}/signal/{}
POST /workflows/{}/query/{}
POST /workflows/{}/runs/{}/query/{}
POST /workflows/{}/update/{}
POST /workflows/{}/runs/{}/update/{}
POST /workflows/{}/cancel
POST /workflows/{}/runs/{}/cancel
POST /workflows/{}/terminate
POST /workflows/{}/runs/{}/terminate
POST /workflows/{}/repair
POST /workflows/{}/runs/{}/repair
POST /workflows/{}/archive
POST /workflows/{}/runs/{}/archive
POST /workflows/{}/request-cancellation
POST /workflows/{}/runs/{}/request-cancellation
POST /workflows/{}/runs/{}/redrive
GET /workflows/{}/observation
GET /workflows/{}/runs/{}/observation
GET /workflows/{}/nexus-operations
GET /workflows/{}/runs/{}/nexus-operations
GET /workflows/{}/runs/{}/streams
GET /workflows/{}/runs/{}/streams/{}
GET /workflows/{}/runs/{}/streams/{}/items
POST /workflows/{}/runs/{}/streams/{}/items
POST /workflows/{}/runs/{}/streams/{}/close
GET /workflows/{}/message-streams
POST /workflows/{}/message-streams/{}/messages
POST /workflows/import/waterline-v1
POST /workflows/import/embedded-v2
POST /activities
GET /activities
GET /activities/{}
GET /schedules
POST /schedules
GET /schedules/{}
PUT /schedules/{}
DELETE /schedules/{}
POST /schedules/{}/pause
POST /schedules/{}/resume
POST /schedules/{}/trigger
POST /schedules/{}/backfill
GET /schedules/{}/history
GET /search-attributes
POST /search-attributes
DELETE /search-attributes/{}
GET /task-queues
GET /task-queues/{}
GET /task-queues/{}/priority-fairness
GET /task-queues/{}/build-ids
POST /task-queues/{}/build-ids/drain
POST /task-queues/{}/build-ids/resume
POST /task-queues/{}/build-ids/promote
GET /deployments
GET /deployments/{}
POST /deployments/{}/promote
POST /deployments/{}/drain
POST /deployments/{}/resume
POST /deployments/{}/rollback
GET /workers
GET /workers/{}
DELETE /workers/{}
GET /worker-sessions
GET /worker-sessions/{}
POST /bridge-adapters/webhook/{}
GET /service-endpoints
POST /service-endpoints
GET /service-endpoints/{}
PUT /service-endpoints/{}
DELETE /service-endpoints/{}
GET /service-endpoints/{}/services
POST /service-endpoints/{}/services
GET /service-endpoints/{}/services/{}
PUT /service-endpoints/{}/services/{}
DELETE /service-endpoints/{}/services/{}
GET /service-endpoints/{}/services/{}/operations
POST /service-endpoints/{}/services/{}/operations
GET /service-endpoints/{}/services/{}/operations/{}
PUT /service-endpoints/{}/services/{}/operations/{}
DELETE /service-endpoints/{}/services/{}/operations/{}
POST /service-endpoints/{}/services/{}/operations/{}/execute
GET /service-endpoints/{}/services/{}/operations/{}/service-calls/{}
POST /service-endpoints/{}/services/{}/operations/{}/service-calls/{}/cancel
GET /system/health
GET /system/metrics
POST /system/metrics
GET /system/operator-metrics
GET /system/prometheus-metrics
GET /system/repair
POST /system/repair/pass
GET /system/activity-timeouts
POST /system/activity-timeouts/pass
GET /system/retention
POST /system/retention/pass
`

/** Ours: what a Prometheus scrapes. */
const own = ['GET /metrics']

const listOf = (text: string): string[] => text.trim().split('\n')
const addressOf = ({ method, path }: OperationEntry): string =>
  `${method} ${path.replace(/^\/api/, '').replaceAll(/\{[^}]+\}/g, '{}')}`

test('the worker plane holds every operation that its sources name, and no other', () => {
  expect(operationsOf(worker119).map(addressOf).sort()).toEqual(listOf(workerPlane).sort())
})

test('the control plane holds every operation that its sources name, and no other', () => {
  expect(operationsOf(control).map(addressOf).sort()).toEqual([...listOf(controlPlane), ...own].sort())
})

/** History and replay §1.3, the 60 types; and §12, the two that durable selection brought to 1.19. */
const events = `
StartAccepted StartRejected WorkflowStarted WorkflowContinuedAsNew WorkflowCompleted WorkflowFailed WorkflowTimedOut
CancelRequested TerminateRequested WorkflowCancelled WorkflowTerminated ArchiveRequested WorkflowArchived RepairRequested
FailureHandled ParentClosePolicyApplied ParentClosePolicyFailed MessageCursorAdvanced
ActivityScheduled ActivityStarted ActivityHeartbeatRecorded ActivityRetryScheduled ActivityCompleted ActivityFailed
ActivityTimedOut ActivityCancelled
TimerScheduled TimerFired TimerCancelled
ConditionWaitOpened ConditionWaitSatisfied ConditionWaitTimedOut SignalWaitOpened SignalReceived SignalApplied
UpdateAccepted UpdateRejected UpdateApplied UpdateCompleted
SideEffectRecorded VersionMarkerRecorded SearchAttributesUpserted MemoUpserted
ChildWorkflowScheduled ChildRunStarted ChildRunCompleted ChildRunFailed ChildRunCancelled ChildRunTerminated
ServiceCallStarted ServiceCallCompleted ServiceCallFailed ServiceCallCancelled
ScheduleCreated SchedulePaused ScheduleResumed ScheduleUpdated ScheduleTriggered ScheduleDeleted ScheduleTriggerSkipped
SelectionResolved SelectionOperationCancelled
`

test('every event type of 1.19 has a schema, built or planned', () => {
  const named = events.trim().split(/\s+/)
  expect(named).toHaveLength(62)
  expect([...eventTypes, ...plannedEventTypes].sort()).toEqual(named.sort())
})

/** Worker plane §8.1, history and replay §3. */
const commands = `
complete_workflow fail_workflow continue_as_new schedule_activity start_timer start_child_workflow
start_service_operation complete_update fail_update record_side_effect record_version_marker upsert_search_attributes
upsert_memo open_condition_wait open_signal_wait record_local_activity cancel_selection_operation
`

test('every command of 1.19 has a schema, built or planned', () => {
  expect([...commandTypes, ...plannedCommandTypes].sort()).toEqual(commands.trim().split(/\s+/).sort())
})

/** What a source says of an answer that it gives no field of. */
const withoutFields = [
  'importEmbeddedV2',
  'appendStreamMessage',
  'listMessageStreams',
  'listWorkerSessions',
  'describeWorkerSession',
]

test('a planned operation says whose it is, what it takes and what it answers', () => {
  const bodies = ['POST', 'PUT']
  for (const entry of entries.filter(({ stage }) => stage === 'planned')) {
    const { operationId, definition, method } = entry
    expect(String(definition.summary), operationId).not.toBe('Not built yet.')
    const answers = Object.keys(asObject(definition.responses, operationId))
    expect(answers, operationId).toContain('501')
    expect(answers.filter((status) => status !== '501').length, operationId).toBeGreaterThan(0)
    const success = entry.responses[String(entry.successStatuses[0])]
    if (success !== undefined && !withoutFields.includes(operationId))
      expect(fieldsOf(entry, success), operationId).not.toEqual([])
    if (bodies.includes(method) && entry.body) expect(fieldsOf(entry, entry.body.schema), operationId).not.toEqual([])
  }
})

const statuses = new Map<string, number[]>(
  Object.entries(reasons).map(([name, { status, statusOf }]) => [name, [status, ...Object.values(statusOf)]]),
)

const inWorkerPlane: ReadonlySet<string> = new Set(operationsOf(worker119).map(({ operationId }) => operationId))

/** The fields of a body, which planned operations name by reference. */
function fieldsOf({ operationId }: OperationEntry, schema: Json): string[] {
  const root = inWorkerPlane.has(operationId) ? worker119 : control
  const component = lookUp(root, asString(asObject(schema, operationId).$ref, operationId))
  return Object.keys(asObject(asObject(component, operationId).properties ?? {}, operationId))
}

test('a refusal that the words of a response name is a reason with that status', () => {
  for (const root of [worker119, control])
    for (const { operationId, stage, definition } of operationsOf(root))
      for (const [status, response] of Object.entries(asObject(definition.responses, operationId))) {
        if (stage === 'planned' || Number(status) < 400) continue
        const { description } = resolveLocal(response, root)
        for (const name of String(description).match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []) {
          const found = statuses.get(name)
          expect(found, `${operationId} ${status}: ${name}`).toContain(Number(status))
        }
      }
})

// The answer is an outcome document with the reason in it, so its status is that of the outcome.
const withinAnOutcome = ['receiveWebhook payload_too_large']

test('a refusal that a source names for a planned operation has the status of the catalogue, where it stands there', () => {
  for (const { operationId, stage, definition } of entries) {
    for (const [status, names] of Object.entries(asObject(definition['x-refusals'] ?? {}, operationId))) {
      expect(stage, operationId).toBe('planned')
      expect(Number(status), operationId).toBeGreaterThanOrEqual(400)
      for (const name of asStrings(names, operationId)) {
        const known = statuses.get(name)
        if (known !== undefined && !withinAnOutcome.includes(`${operationId} ${name}`))
          expect(known, `${operationId} ${name}`).toContain(Number(status))
      }
    }
  }
})

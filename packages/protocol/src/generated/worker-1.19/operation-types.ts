// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.
import type * as worker from "./types.ts"

/** Body, path, query and the body of every documented status, by built operation. */
export interface OperationTypes {
  registerWorker: {
    body: worker.RegisterWorkerData['body']
    path: worker.RegisterWorkerData['path']
    query: worker.RegisterWorkerData['query']
    responses: worker.RegisterWorkerResponses & worker.RegisterWorkerErrors
    successStatus: 201
  }
  heartbeatWorker: {
    body: worker.HeartbeatWorkerData['body']
    path: worker.HeartbeatWorkerData['path']
    query: worker.HeartbeatWorkerData['query']
    responses: worker.HeartbeatWorkerResponses & worker.HeartbeatWorkerErrors
    successStatus: 200
  }
  deregisterWorker: {
    body: worker.DeregisterWorkerData['body']
    path: worker.DeregisterWorkerData['path']
    query: worker.DeregisterWorkerData['query']
    responses: worker.DeregisterWorkerResponses & worker.DeregisterWorkerErrors
    successStatus: 200
  }
  pollWorkflowTask: {
    body: worker.PollWorkflowTaskData['body']
    path: worker.PollWorkflowTaskData['path']
    query: worker.PollWorkflowTaskData['query']
    responses: worker.PollWorkflowTaskResponses & worker.PollWorkflowTaskErrors
    successStatus: 200
  }
  getWorkflowTaskHistory: {
    body: worker.GetWorkflowTaskHistoryData['body']
    path: worker.GetWorkflowTaskHistoryData['path']
    query: worker.GetWorkflowTaskHistoryData['query']
    responses: worker.GetWorkflowTaskHistoryResponses & worker.GetWorkflowTaskHistoryErrors
    successStatus: 200
  }
  heartbeatWorkflowTask: {
    body: worker.HeartbeatWorkflowTaskData['body']
    path: worker.HeartbeatWorkflowTaskData['path']
    query: worker.HeartbeatWorkflowTaskData['query']
    responses: worker.HeartbeatWorkflowTaskResponses & worker.HeartbeatWorkflowTaskErrors
    successStatus: 200
  }
  completeWorkflowTask: {
    body: worker.CompleteWorkflowTaskData['body']
    path: worker.CompleteWorkflowTaskData['path']
    query: worker.CompleteWorkflowTaskData['query']
    responses: worker.CompleteWorkflowTaskResponses & worker.CompleteWorkflowTaskErrors
    successStatus: 200
  }
  failWorkflowTask: {
    body: worker.FailWorkflowTaskData['body']
    path: worker.FailWorkflowTaskData['path']
    query: worker.FailWorkflowTaskData['query']
    responses: worker.FailWorkflowTaskResponses & worker.FailWorkflowTaskErrors
    successStatus: 200
  }
  pollActivityTask: {
    body: worker.PollActivityTaskData['body']
    path: worker.PollActivityTaskData['path']
    query: worker.PollActivityTaskData['query']
    responses: worker.PollActivityTaskResponses & worker.PollActivityTaskErrors
    successStatus: 200
  }
  heartbeatActivityTask: {
    body: worker.HeartbeatActivityTaskData['body']
    path: worker.HeartbeatActivityTaskData['path']
    query: worker.HeartbeatActivityTaskData['query']
    responses: worker.HeartbeatActivityTaskResponses & worker.HeartbeatActivityTaskErrors
    successStatus: 200
  }
  completeActivityTask: {
    body: worker.CompleteActivityTaskData['body']
    path: worker.CompleteActivityTaskData['path']
    query: worker.CompleteActivityTaskData['query']
    responses: worker.CompleteActivityTaskResponses & worker.CompleteActivityTaskErrors
    successStatus: 200
  }
  failActivityTask: {
    body: worker.FailActivityTaskData['body']
    path: worker.FailActivityTaskData['path']
    query: worker.FailActivityTaskData['query']
    responses: worker.FailActivityTaskResponses & worker.FailActivityTaskErrors
    successStatus: 200
  }
  pollQueryTask: {
    body: worker.PollQueryTaskData['body']
    path: worker.PollQueryTaskData['path']
    query: worker.PollQueryTaskData['query']
    responses: worker.PollQueryTaskResponses & worker.PollQueryTaskErrors
    successStatus: 200
  }
  completeQueryTask: {
    body: worker.CompleteQueryTaskData['body']
    path: worker.CompleteQueryTaskData['path']
    query: worker.CompleteQueryTaskData['query']
    responses: worker.CompleteQueryTaskResponses & worker.CompleteQueryTaskErrors
    successStatus: 200
  }
  failQueryTask: {
    body: worker.FailQueryTaskData['body']
    path: worker.FailQueryTaskData['path']
    query: worker.FailQueryTaskData['query']
    responses: worker.FailQueryTaskResponses & worker.FailQueryTaskErrors
    successStatus: 200
  }
}

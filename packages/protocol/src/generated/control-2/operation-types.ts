// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.
import type * as control from "./types.ts"

/** Body, path, query and the body of every documented status, by built operation. */
export interface OperationTypes {
  listWorkflows: {
    body: control.ListWorkflowsData['body']
    path: control.ListWorkflowsData['path']
    query: control.ListWorkflowsData['query']
    responses: control.ListWorkflowsResponses & control.ListWorkflowsErrors
    successStatus: 200
  }
  startWorkflow: {
    body: control.StartWorkflowData['body']
    path: control.StartWorkflowData['path']
    query: control.StartWorkflowData['query']
    responses: control.StartWorkflowResponses & control.StartWorkflowErrors
    successStatus: 200 | 201
  }
  describeWorkflow: {
    body: control.DescribeWorkflowData['body']
    path: control.DescribeWorkflowData['path']
    query: control.DescribeWorkflowData['query']
    responses: control.DescribeWorkflowResponses & control.DescribeWorkflowErrors
    successStatus: 200
  }
  listRuns: {
    body: control.ListRunsData['body']
    path: control.ListRunsData['path']
    query: control.ListRunsData['query']
    responses: control.ListRunsResponses & control.ListRunsErrors
    successStatus: 200
  }
  describeRun: {
    body: control.DescribeRunData['body']
    path: control.DescribeRunData['path']
    query: control.DescribeRunData['query']
    responses: control.DescribeRunResponses & control.DescribeRunErrors
    successStatus: 200
  }
  getRunHistory: {
    body: control.GetRunHistoryData['body']
    path: control.GetRunHistoryData['path']
    query: control.GetRunHistoryData['query']
    responses: control.GetRunHistoryResponses & control.GetRunHistoryErrors
    successStatus: 200
  }
  debugWorkflow: {
    body: control.DebugWorkflowData['body']
    path: control.DebugWorkflowData['path']
    query: control.DebugWorkflowData['query']
    responses: control.DebugWorkflowResponses & control.DebugWorkflowErrors
    successStatus: 200
  }
  debugRun: {
    body: control.DebugRunData['body']
    path: control.DebugRunData['path']
    query: control.DebugRunData['query']
    responses: control.DebugRunResponses & control.DebugRunErrors
    successStatus: 200
  }
  signalWorkflow: {
    body: control.SignalWorkflowData['body']
    path: control.SignalWorkflowData['path']
    query: control.SignalWorkflowData['query']
    responses: control.SignalWorkflowResponses & control.SignalWorkflowErrors
    successStatus: 202
  }
  queryWorkflow: {
    body: control.QueryWorkflowData['body']
    path: control.QueryWorkflowData['path']
    query: control.QueryWorkflowData['query']
    responses: control.QueryWorkflowResponses & control.QueryWorkflowErrors
    successStatus: 200
  }
  cancelWorkflow: {
    body: control.CancelWorkflowData['body']
    path: control.CancelWorkflowData['path']
    query: control.CancelWorkflowData['query']
    responses: control.CancelWorkflowResponses & control.CancelWorkflowErrors
    successStatus: 200
  }
  terminateWorkflow: {
    body: control.TerminateWorkflowData['body']
    path: control.TerminateWorkflowData['path']
    query: control.TerminateWorkflowData['query']
    responses: control.TerminateWorkflowResponses & control.TerminateWorkflowErrors
    successStatus: 200
  }
  requestCancellation: {
    body: control.RequestCancellationData['body']
    path: control.RequestCancellationData['path']
    query: control.RequestCancellationData['query']
    responses: control.RequestCancellationErrors
    successStatus: never
  }
  repairWorkflow: {
    body: control.RepairWorkflowData['body']
    path: control.RepairWorkflowData['path']
    query: control.RepairWorkflowData['query']
    responses: control.RepairWorkflowResponses & control.RepairWorkflowErrors
    successStatus: 200
  }
  signalRun: {
    body: control.SignalRunData['body']
    path: control.SignalRunData['path']
    query: control.SignalRunData['query']
    responses: control.SignalRunResponses & control.SignalRunErrors
    successStatus: 202
  }
  queryRun: {
    body: control.QueryRunData['body']
    path: control.QueryRunData['path']
    query: control.QueryRunData['query']
    responses: control.QueryRunResponses & control.QueryRunErrors
    successStatus: 200
  }
  cancelRun: {
    body: control.CancelRunData['body']
    path: control.CancelRunData['path']
    query: control.CancelRunData['query']
    responses: control.CancelRunResponses & control.CancelRunErrors
    successStatus: 200
  }
  terminateRun: {
    body: control.TerminateRunData['body']
    path: control.TerminateRunData['path']
    query: control.TerminateRunData['query']
    responses: control.TerminateRunResponses & control.TerminateRunErrors
    successStatus: 200
  }
  requestRunCancellation: {
    body: control.RequestRunCancellationData['body']
    path: control.RequestRunCancellationData['path']
    query: control.RequestRunCancellationData['query']
    responses: control.RequestRunCancellationErrors
    successStatus: never
  }
  repairRun: {
    body: control.RepairRunData['body']
    path: control.RepairRunData['path']
    query: control.RepairRunData['query']
    responses: control.RepairRunResponses & control.RepairRunErrors
    successStatus: 200
  }
  listNamespaces: {
    body: control.ListNamespacesData['body']
    path: control.ListNamespacesData['path']
    query: control.ListNamespacesData['query']
    responses: control.ListNamespacesResponses & control.ListNamespacesErrors
    successStatus: 200
  }
  createNamespace: {
    body: control.CreateNamespaceData['body']
    path: control.CreateNamespaceData['path']
    query: control.CreateNamespaceData['query']
    responses: control.CreateNamespaceResponses & control.CreateNamespaceErrors
    successStatus: 201
  }
  describeNamespace: {
    body: control.DescribeNamespaceData['body']
    path: control.DescribeNamespaceData['path']
    query: control.DescribeNamespaceData['query']
    responses: control.DescribeNamespaceResponses & control.DescribeNamespaceErrors
    successStatus: 200
  }
  getPrometheusMetrics: {
    body: control.GetPrometheusMetricsData['body']
    path: control.GetPrometheusMetricsData['path']
    query: control.GetPrometheusMetricsData['query']
    responses: control.GetPrometheusMetricsResponses & control.GetPrometheusMetricsErrors
    successStatus: 200
  }
  getRepairStatus: {
    body: control.GetRepairStatusData['body']
    path: control.GetRepairStatusData['path']
    query: control.GetRepairStatusData['query']
    responses: control.GetRepairStatusResponses & control.GetRepairStatusErrors
    successStatus: 200
  }
  runRepairPass: {
    body: control.RunRepairPassData['body']
    path: control.RunRepairPassData['path']
    query: control.RunRepairPassData['query']
    responses: control.RunRepairPassResponses & control.RunRepairPassErrors
    successStatus: 200 | 207
  }
  getClusterInfo: {
    body: control.GetClusterInfoData['body']
    path: control.GetClusterInfoData['path']
    query: control.GetClusterInfoData['query']
    responses: control.GetClusterInfoResponses & control.GetClusterInfoErrors
    successStatus: 200
  }
  getHealth: {
    body: control.GetHealthData['body']
    path: control.GetHealthData['path']
    query: control.GetHealthData['query']
    responses: control.GetHealthResponses & control.GetHealthErrors
    successStatus: 200
  }
  getReady: {
    body: control.GetReadyData['body']
    path: control.GetReadyData['path']
    query: control.GetReadyData['query']
    responses: control.GetReadyResponses & control.GetReadyErrors
    successStatus: 200
  }
  getMetrics: {
    body: control.GetMetricsData['body']
    path: control.GetMetricsData['path']
    query: control.GetMetricsData['query']
    responses: control.GetMetricsResponses & control.GetMetricsErrors
    successStatus: 200
  }
}

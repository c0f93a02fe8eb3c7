// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.

import type { RouteHandler } from 'fastify';

import type { CancelRunData, CancelRunErrors, CancelRunResponses, CancelWorkflowData, CancelWorkflowErrors, CancelWorkflowResponses, CreateNamespaceData, CreateNamespaceErrors, CreateNamespaceResponses, DebugRunData, DebugRunErrors, DebugRunResponses, DebugWorkflowData, DebugWorkflowErrors, DebugWorkflowResponses, DescribeNamespaceData, DescribeNamespaceErrors, DescribeNamespaceResponses, DescribeRunData, DescribeRunErrors, DescribeRunResponses, DescribeWorkflowData, DescribeWorkflowErrors, DescribeWorkflowResponses, GetClusterInfoData, GetClusterInfoErrors, GetClusterInfoResponses, GetHealthErrors, GetHealthResponses, GetMetricsErrors, GetMetricsResponses, GetPrometheusMetricsData, GetPrometheusMetricsErrors, GetPrometheusMetricsResponses, GetReadyErrors, GetReadyResponses, GetRepairStatusData, GetRepairStatusErrors, GetRepairStatusResponses, GetRunHistoryData, GetRunHistoryErrors, GetRunHistoryResponses, ListNamespacesData, ListNamespacesErrors, ListNamespacesResponses, ListRunsData, ListRunsErrors, ListRunsResponses, ListWorkflowsData, ListWorkflowsErrors, ListWorkflowsResponses, QueryRunData, QueryRunErrors, QueryRunResponses, QueryWorkflowData, QueryWorkflowErrors, QueryWorkflowResponses, RepairRunData, RepairRunErrors, RepairRunResponses, RepairWorkflowData, RepairWorkflowErrors, RepairWorkflowResponses, RequestCancellationData, RequestCancellationErrors, RequestRunCancellationData, RequestRunCancellationErrors, RunRepairPassData, RunRepairPassErrors, RunRepairPassResponses, SignalRunData, SignalRunErrors, SignalRunResponses, SignalWorkflowData, SignalWorkflowErrors, SignalWorkflowResponses, StartWorkflowData, StartWorkflowErrors, StartWorkflowResponses, TerminateRunData, TerminateRunErrors, TerminateRunResponses, TerminateWorkflowData, TerminateWorkflowErrors, TerminateWorkflowResponses } from './types.ts';

export type RouteHandlers = {
    listWorkflows: RouteHandler<{
        Headers: ListWorkflowsData['headers'];
        Querystring?: ListWorkflowsData['query'];
        Reply: ListWorkflowsErrors & ListWorkflowsResponses;
    }>;
    startWorkflow: RouteHandler<{
        Body: StartWorkflowData['body'];
        Headers: StartWorkflowData['headers'];
        Reply: StartWorkflowErrors & StartWorkflowResponses;
    }>;
    describeWorkflow: RouteHandler<{
        Headers: DescribeWorkflowData['headers'];
        Params: DescribeWorkflowData['path'];
        Querystring?: DescribeWorkflowData['query'];
        Reply: DescribeWorkflowErrors & DescribeWorkflowResponses;
    }>;
    listRuns: RouteHandler<{
        Headers: ListRunsData['headers'];
        Params: ListRunsData['path'];
        Reply: ListRunsErrors & ListRunsResponses;
    }>;
    describeRun: RouteHandler<{
        Headers: DescribeRunData['headers'];
        Params: DescribeRunData['path'];
        Querystring?: DescribeRunData['query'];
        Reply: DescribeRunErrors & DescribeRunResponses;
    }>;
    getRunHistory: RouteHandler<{
        Headers: GetRunHistoryData['headers'];
        Params: GetRunHistoryData['path'];
        Querystring?: GetRunHistoryData['query'];
        Reply: GetRunHistoryErrors & GetRunHistoryResponses;
    }>;
    debugWorkflow: RouteHandler<{
        Headers: DebugWorkflowData['headers'];
        Params: DebugWorkflowData['path'];
        Querystring?: DebugWorkflowData['query'];
        Reply: DebugWorkflowErrors & DebugWorkflowResponses;
    }>;
    debugRun: RouteHandler<{
        Headers: DebugRunData['headers'];
        Params: DebugRunData['path'];
        Querystring?: DebugRunData['query'];
        Reply: DebugRunErrors & DebugRunResponses;
    }>;
    signalWorkflow: RouteHandler<{
        Body?: SignalWorkflowData['body'];
        Headers: SignalWorkflowData['headers'];
        Params: SignalWorkflowData['path'];
        Reply: SignalWorkflowErrors & SignalWorkflowResponses;
    }>;
    queryWorkflow: RouteHandler<{
        Body?: QueryWorkflowData['body'];
        Headers: QueryWorkflowData['headers'];
        Params: QueryWorkflowData['path'];
        Reply: QueryWorkflowErrors & QueryWorkflowResponses;
    }>;
    cancelWorkflow: RouteHandler<{
        Body?: CancelWorkflowData['body'];
        Headers: CancelWorkflowData['headers'];
        Params: CancelWorkflowData['path'];
        Reply: CancelWorkflowErrors & CancelWorkflowResponses;
    }>;
    terminateWorkflow: RouteHandler<{
        Body?: TerminateWorkflowData['body'];
        Headers: TerminateWorkflowData['headers'];
        Params: TerminateWorkflowData['path'];
        Reply: TerminateWorkflowErrors & TerminateWorkflowResponses;
    }>;
    requestCancellation: RouteHandler<{
        Body?: RequestCancellationData['body'];
        Headers: RequestCancellationData['headers'];
        Params: RequestCancellationData['path'];
        Reply: RequestCancellationErrors;
    }>;
    repairWorkflow: RouteHandler<{
        Body?: RepairWorkflowData['body'];
        Headers: RepairWorkflowData['headers'];
        Params: RepairWorkflowData['path'];
        Reply: RepairWorkflowErrors & RepairWorkflowResponses;
    }>;
    signalRun: RouteHandler<{
        Body?: SignalRunData['body'];
        Headers: SignalRunData['headers'];
        Params: SignalRunData['path'];
        Reply: SignalRunErrors & SignalRunResponses;
    }>;
    queryRun: RouteHandler<{
        Body?: QueryRunData['body'];
        Headers: QueryRunData['headers'];
        Params: QueryRunData['path'];
        Reply: QueryRunErrors & QueryRunResponses;
    }>;
    cancelRun: RouteHandler<{
        Body?: CancelRunData['body'];
        Headers: CancelRunData['headers'];
        Params: CancelRunData['path'];
        Reply: CancelRunErrors & CancelRunResponses;
    }>;
    terminateRun: RouteHandler<{
        Body?: TerminateRunData['body'];
        Headers: TerminateRunData['headers'];
        Params: TerminateRunData['path'];
        Reply: TerminateRunErrors & TerminateRunResponses;
    }>;
    requestRunCancellation: RouteHandler<{
        Body?: RequestRunCancellationData['body'];
        Headers: RequestRunCancellationData['headers'];
        Params: RequestRunCancellationData['path'];
        Reply: RequestRunCancellationErrors;
    }>;
    repairRun: RouteHandler<{
        Body?: RepairRunData['body'];
        Headers: RepairRunData['headers'];
        Params: RepairRunData['path'];
        Reply: RepairRunErrors & RepairRunResponses;
    }>;
    listNamespaces: RouteHandler<{
        Headers: ListNamespacesData['headers'];
        Reply: ListNamespacesErrors & ListNamespacesResponses;
    }>;
    createNamespace: RouteHandler<{
        Body: CreateNamespaceData['body'];
        Headers: CreateNamespaceData['headers'];
        Reply: CreateNamespaceErrors & CreateNamespaceResponses;
    }>;
    describeNamespace: RouteHandler<{
        Headers: DescribeNamespaceData['headers'];
        Params: DescribeNamespaceData['path'];
        Reply: DescribeNamespaceErrors & DescribeNamespaceResponses;
    }>;
    getPrometheusMetrics: RouteHandler<{
        Headers: GetPrometheusMetricsData['headers'];
        Reply: GetPrometheusMetricsErrors & GetPrometheusMetricsResponses;
    }>;
    getRepairStatus: RouteHandler<{
        Headers: GetRepairStatusData['headers'];
        Reply: GetRepairStatusErrors & GetRepairStatusResponses;
    }>;
    runRepairPass: RouteHandler<{
        Body?: RunRepairPassData['body'];
        Headers: RunRepairPassData['headers'];
        Reply: RunRepairPassErrors & RunRepairPassResponses;
    }>;
    getClusterInfo: RouteHandler<{
        Headers?: GetClusterInfoData['headers'];
        Querystring?: GetClusterInfoData['query'];
        Reply: GetClusterInfoErrors & GetClusterInfoResponses;
    }>;
    getHealth: RouteHandler<{
        Reply: GetHealthErrors & GetHealthResponses;
    }>;
    getReady: RouteHandler<{
        Reply: GetReadyErrors & GetReadyResponses;
    }>;
    getMetrics: RouteHandler<{
        Reply: GetMetricsErrors & GetMetricsResponses;
    }>;
};

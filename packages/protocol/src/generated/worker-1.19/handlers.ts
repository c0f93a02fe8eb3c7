// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.

import type { RouteHandler } from 'fastify';

import type { CompleteActivityTaskData, CompleteActivityTaskErrors, CompleteActivityTaskResponses, CompleteQueryTaskData, CompleteQueryTaskErrors, CompleteQueryTaskResponses, CompleteWorkflowTaskData, CompleteWorkflowTaskErrors, CompleteWorkflowTaskResponses, DeregisterWorkerData, DeregisterWorkerErrors, DeregisterWorkerResponses, FailActivityTaskData, FailActivityTaskErrors, FailActivityTaskResponses, FailQueryTaskData, FailQueryTaskErrors, FailQueryTaskResponses, FailWorkflowTaskData, FailWorkflowTaskErrors, FailWorkflowTaskResponses, GetWorkflowTaskHistoryData, GetWorkflowTaskHistoryErrors, GetWorkflowTaskHistoryResponses, HeartbeatActivityTaskData, HeartbeatActivityTaskErrors, HeartbeatActivityTaskResponses, HeartbeatWorkerData, HeartbeatWorkerErrors, HeartbeatWorkerResponses, HeartbeatWorkflowTaskData, HeartbeatWorkflowTaskErrors, HeartbeatWorkflowTaskResponses, PollActivityTaskData, PollActivityTaskErrors, PollActivityTaskResponses, PollQueryTaskData, PollQueryTaskErrors, PollQueryTaskResponses, PollWorkflowTaskData, PollWorkflowTaskErrors, PollWorkflowTaskResponses, RegisterWorkerData, RegisterWorkerErrors, RegisterWorkerResponses } from './types.ts';

export type RouteHandlers = {
    registerWorker: RouteHandler<{
        Body: RegisterWorkerData['body'];
        Headers: RegisterWorkerData['headers'];
        Reply: RegisterWorkerErrors & RegisterWorkerResponses;
    }>;
    heartbeatWorker: RouteHandler<{
        Body: HeartbeatWorkerData['body'];
        Headers: HeartbeatWorkerData['headers'];
        Reply: HeartbeatWorkerErrors & HeartbeatWorkerResponses;
    }>;
    deregisterWorker: RouteHandler<{
        Headers: DeregisterWorkerData['headers'];
        Params: DeregisterWorkerData['path'];
        Reply: DeregisterWorkerErrors & DeregisterWorkerResponses;
    }>;
    pollWorkflowTask: RouteHandler<{
        Body: PollWorkflowTaskData['body'];
        Headers: PollWorkflowTaskData['headers'];
        Reply: PollWorkflowTaskErrors & PollWorkflowTaskResponses;
    }>;
    getWorkflowTaskHistory: RouteHandler<{
        Body: GetWorkflowTaskHistoryData['body'];
        Headers: GetWorkflowTaskHistoryData['headers'];
        Params: GetWorkflowTaskHistoryData['path'];
        Reply: GetWorkflowTaskHistoryErrors & GetWorkflowTaskHistoryResponses;
    }>;
    heartbeatWorkflowTask: RouteHandler<{
        Body: HeartbeatWorkflowTaskData['body'];
        Headers: HeartbeatWorkflowTaskData['headers'];
        Params: HeartbeatWorkflowTaskData['path'];
        Reply: HeartbeatWorkflowTaskErrors & HeartbeatWorkflowTaskResponses;
    }>;
    completeWorkflowTask: RouteHandler<{
        Body: CompleteWorkflowTaskData['body'];
        Headers: CompleteWorkflowTaskData['headers'];
        Params: CompleteWorkflowTaskData['path'];
        Reply: CompleteWorkflowTaskErrors & CompleteWorkflowTaskResponses;
    }>;
    failWorkflowTask: RouteHandler<{
        Body: FailWorkflowTaskData['body'];
        Headers: FailWorkflowTaskData['headers'];
        Params: FailWorkflowTaskData['path'];
        Reply: FailWorkflowTaskErrors & FailWorkflowTaskResponses;
    }>;
    pollActivityTask: RouteHandler<{
        Body: PollActivityTaskData['body'];
        Headers: PollActivityTaskData['headers'];
        Reply: PollActivityTaskErrors & PollActivityTaskResponses;
    }>;
    heartbeatActivityTask: RouteHandler<{
        Body: HeartbeatActivityTaskData['body'];
        Headers: HeartbeatActivityTaskData['headers'];
        Params: HeartbeatActivityTaskData['path'];
        Reply: HeartbeatActivityTaskErrors & HeartbeatActivityTaskResponses;
    }>;
    completeActivityTask: RouteHandler<{
        Body: CompleteActivityTaskData['body'];
        Headers: CompleteActivityTaskData['headers'];
        Params: CompleteActivityTaskData['path'];
        Reply: CompleteActivityTaskErrors & CompleteActivityTaskResponses;
    }>;
    failActivityTask: RouteHandler<{
        Body: FailActivityTaskData['body'];
        Headers: FailActivityTaskData['headers'];
        Params: FailActivityTaskData['path'];
        Reply: FailActivityTaskErrors & FailActivityTaskResponses;
    }>;
    pollQueryTask: RouteHandler<{
        Body: PollQueryTaskData['body'];
        Headers: PollQueryTaskData['headers'];
        Reply: PollQueryTaskErrors & PollQueryTaskResponses;
    }>;
    completeQueryTask: RouteHandler<{
        Body: CompleteQueryTaskData['body'];
        Headers: CompleteQueryTaskData['headers'];
        Params: CompleteQueryTaskData['path'];
        Reply: CompleteQueryTaskErrors & CompleteQueryTaskResponses;
    }>;
    failQueryTask: RouteHandler<{
        Body: FailQueryTaskData['body'];
        Headers: FailQueryTaskData['headers'];
        Params: FailQueryTaskData['path'];
        Reply: FailQueryTaskErrors & FailQueryTaskResponses;
    }>;
};

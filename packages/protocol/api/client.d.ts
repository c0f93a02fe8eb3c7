// All that `@durable-workflow/protocol/client` opens to its users. Written by `pnpm surface:accept`.

import { BuiltOperationId } from './generated/operations.js';
import { OperationTypes as OperationTypes$2 } from './generated/control-2/operation-types.js';
import { OperationTypes as OperationTypes$1 } from './generated/worker-1.20/operation-types.js';

/** Body, path, query and the body of every documented status, by built operation, of both planes. */
interface OperationTypes extends OperationTypes$1, OperationTypes$2 {
}

/** One request, ready to be sent. */
interface ProtocolRequest {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: string | undefined;
    signal?: AbortSignal;
}
/** What came back, unread. */
interface ProtocolResponse {
    status: number;
    /** By lower-case name. */
    headers: Record<string, string>;
    text: string;
}
/** Sends one request. It throws when no response came; every status is a response. */
type Send = (request: ProtocolRequest) => Promise<ProtocolResponse>;
/** How a client reaches its server. */
interface ProtocolClientOptions {
    send: Send;
    /** Put before every path; the default is none. A slash at its end does not matter. */
    baseUrl?: string;
    /** Sent with every request. */
    headers?: Record<string, string>;
}
type Part<Name extends string, Value> = [Value] extends [undefined | never] ? {
    [Key in Name]?: undefined;
} : undefined extends Value ? {
    [Key in Name]?: Value;
} : {
    [Key in Name]: Value;
};
/** What a call needs: path and body where the operation has them. */
type CallOptions<Op extends BuiltOperationId> = Part<'path', OperationTypes[Op]['path']> & Part<'query', OperationTypes[Op]['query']> & Part<'body', OperationTypes[Op]['body']> & {
    headers?: Record<string, string>;
    signal?: AbortSignal;
};
/** A documented status, with the body that the document gives it. The body is typed, not checked. */
type DocumentedReply<Op extends BuiltOperationId> = {
    [Status in keyof OperationTypes[Op]['responses']]: {
        documented: true;
        status: Status;
        headers: Record<string, string>;
        body: OperationTypes[Op]['responses'][Status];
        text: string;
    };
}[keyof OperationTypes[Op]['responses']];
/** A status that the document does not list, or a body that is neither JSON nor plain text: `body` is undefined then, `text` is what came. */
interface UndocumentedReply {
    documented: false;
    status: number;
    headers: Record<string, string>;
    body: unknown;
    text: string;
}
/** What a call answers. Ask `documented` first, then `status`. */
type Reply<Op extends BuiltOperationId> = DocumentedReply<Op> | UndocumentedReply;
/** The operations of both planes, typed by their documents. */
interface ProtocolClient {
    /** Sends one request. Throws only what `send` throws. */
    call<Op extends BuiltOperationId>(operationId: Op, options: CallOptions<Op>): Promise<Reply<Op>>;
}
/**
 * Makes a client over a function that sends.
 *
 * It sends each call once and judges nothing: retries, receipts and errors belong to the caller. Throws a TypeError when a
 * path parameter is missing, and what `send` throws.
 */
declare function createProtocolClient(options: ProtocolClientOptions): ProtocolClient;

export { createProtocolClient };
export type { CallOptions, DocumentedReply, ProtocolClient, ProtocolClientOptions, ProtocolRequest, ProtocolResponse, Reply, Send, UndocumentedReply };

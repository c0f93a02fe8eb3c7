// All that `@durable-workflow/protocol` opens to its users. Written by `pnpm surface:accept`.

export { Command, CommandType, Commands, PlannedCommandType, commandCatalogue, commandTypes, plannedCommandTypes } from './generated/commands.js';
import * as types_js from './generated/control-2/types.js';
export { types_js as controlPlane };
export { specDigests } from './generated/digests.js';
export { documents } from './generated/documents.js';
export { EventPayloads, EventType, eventCatalogue, eventTypes } from './generated/events.js';
export { plannedFields, refusedFields } from './generated/fields.js';
export { defaults, limits } from './generated/limits.js';
import { BuiltOperationId } from './generated/operations.js';
export { BuiltOperationId, OperationId, builtOperationIds, operations } from './generated/operations.js';
import { OperationReasons } from './generated/reasons.js';
export { OperationReasons, Reason, SettledReport, reasons } from './generated/reasons.js';
import * as types_js$1 from './generated/worker-1.20/types.js';
export { types_js$1 as workerPlane };
export { ActivityTask, Failure, HistoryEvent, Payload, QueryTask, RetryPolicy, ServerCapabilities, WorkflowTask } from './generated/worker-1.20/types.js';
import { OperationTypes as OperationTypes$2 } from './generated/control-2/operation-types.js';
import { OperationTypes as OperationTypes$1 } from './generated/worker-1.20/operation-types.js';

/** The headers of the wire, in lower case as servers hand them out. */
declare const protocolHeaders: {
    readonly workerProtocolVersion: "x-durable-workflow-protocol-version";
    readonly controlPlaneVersion: "x-durable-workflow-control-plane-version";
    readonly namespace: "x-namespace";
    readonly requestId: "x-request-id";
    readonly correlationId: "x-correlation-id";
};

/** Body, path, query and the body of every documented status, by built operation, of both planes. */
interface OperationTypes extends OperationTypes$1, OperationTypes$2 {
}
/** The request body of an operation. */
type RequestOf<Op extends BuiltOperationId> = OperationTypes[Op]['body'];
/** The path parameters of an operation. */
type PathOf<Op extends BuiltOperationId> = OperationTypes[Op]['path'];
/** The query parameters of an operation, as strings of the URL. */
type QueryOf<Op extends BuiltOperationId> = OperationTypes[Op]['query'];
/** The body of a success of an operation. */
type ResponseOf<Op extends BuiltOperationId> = OperationTypes[Op]['responses'][OperationTypes[Op]['successStatus'] & keyof OperationTypes[Op]['responses']];
/** The reasons with which an operation may refuse. */
type ReasonOf<Op extends BuiltOperationId> = OperationReasons[Op];

/** The control plane has one version. */
declare const controlPlaneVersion = "2";
/** The worker lines that a server may advertise. */
declare const workerProtocolVersions: readonly ["1.19", "1.20"];
/** A worker line that a server may advertise. */
type ProtocolVersion = (typeof workerProtocolVersions)[number];
/** What a server advertises unless its operator says otherwise. */
declare const defaultWorkerProtocolVersion: ProtocolVersion;
/** A version as two numbers. */
interface VersionNumbers {
    major: number;
    minor: number;
}
/** Reads "major.minor", two decimal integers. Anything else is no version. */
declare function parseVersion(text: string): VersionNumbers | undefined;
/**
 * Whether a version is at least `floor`: same major, minor not below.
 *
 * @source C-02
 */
declare function meets(version: string, floor: string): boolean;
/** Whether a request may speak on the worker plane; if not, why, and what the refusal says. */
type Admission = {
    admitted: true;
    version: string;
} | {
    admitted: false;
    reason: 'missing_protocol_version' | 'unsupported_protocol_version';
    facts: {
        supported_version: string;
        requested_version: string | null;
        remediation: string;
    };
};
/**
 * Decides whether a request may speak on the worker plane: its header must be a version of the advertised major and
 * not ahead of the advertised minor. Older lines from 1.0 on are admitted.
 *
 * @param header     the header as it came; undefined or blank counts as missing
 * @param advertised the line of this server
 * @source worker plane 1.3
 */
declare function admitHeader(header: string | undefined, advertised: string): Admission;

export { admitHeader, controlPlaneVersion, defaultWorkerProtocolVersion, meets, parseVersion, protocolHeaders, workerProtocolVersions };
export type { Admission, OperationTypes, PathOf, ProtocolVersion, QueryOf, ReasonOf, RequestOf, ResponseOf };

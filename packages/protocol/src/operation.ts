import type { OperationTypes as ControlOperationTypes } from './generated/control-2/operation-types.ts'
import type { BuiltOperationId } from './generated/operations.ts'
import type { OperationReasons } from './generated/reasons.ts'
import type { OperationTypes as WorkerOperationTypes } from './generated/worker-1.20/operation-types.ts'

/** Body, path, query and the body of every documented status, by built operation, of both planes. */
export interface OperationTypes extends WorkerOperationTypes, ControlOperationTypes {}

/** The request body of an operation. */
export type RequestOf<Op extends BuiltOperationId> = OperationTypes[Op]['body']

/** The path parameters of an operation. */
export type PathOf<Op extends BuiltOperationId> = OperationTypes[Op]['path']

/** The query parameters of an operation, as strings of the URL. */
export type QueryOf<Op extends BuiltOperationId> = OperationTypes[Op]['query']

/** The body of a success of an operation. */
export type ResponseOf<Op extends BuiltOperationId> =
  OperationTypes[Op]['responses'][OperationTypes[Op]['successStatus'] & keyof OperationTypes[Op]['responses']]

/** The reasons with which an operation may refuse. */
export type ReasonOf<Op extends BuiltOperationId> = OperationReasons[Op]

// All that `@durable-workflow/protocol/validators` opens to its users. Written by `pnpm surface:accept`.

import * as z from 'zod';
import { EventType } from './generated/events.js';
import { BuiltOperationId } from './generated/operations.js';
import { OperationTypes as OperationTypes$2 } from './generated/control-2/operation-types.js';
import { OperationTypes as OperationTypes$1 } from './generated/worker-1.20/operation-types.js';

/** Body, path, query and the body of every documented status, by built operation, of both planes. */
interface OperationTypes extends OperationTypes$1, OperationTypes$2 {
}

/** What of an operation can be checked; a part that is absent has no shape. */
interface OperationValidators<Op extends BuiltOperationId = BuiltOperationId> {
    body?: z.ZodType<OperationTypes[Op]['body']>;
    query?: z.ZodType<OperationTypes[Op]['query']>;
    path?: z.ZodType<OperationTypes[Op]['path']>;
    /** By status. */
    responses: Readonly<Record<number, z.ZodType>>;
}
/** The validators of every built operation. */
type Validators = {
    readonly [Op in BuiltOperationId]: OperationValidators<Op>;
};
/** Validators of a server that advertises 1.19, by operation. */
declare const validators: Validators;
/** The same by advertised worker line. */
declare const validatorsOf: Readonly<Record<'1.19' | '1.20', Validators>>;
/** The payload of each event type. */
declare const eventPayloadValidators: {
    readonly [Type in EventType]: z.ZodType;
};
/** One command of a completion, built or planned. */
declare const commandValidator: z.ZodType;

export { commandValidator, eventPayloadValidators, validators, validatorsOf };
export type { OperationValidators, Validators };

// The validators of the wire. They check and never transform: what passes is the value that came, unknown keys included.
import type * as z from 'zod'
import * as control from './generated/control-2/validators.ts'
import type { EventType } from './generated/events.ts'
import type { BuiltOperationId } from './generated/operations.ts'
import * as worker119 from './generated/worker-1.19/validators.ts'
import * as worker120 from './generated/worker-1.20/validators.ts'
import type { OperationTypes } from './operation.ts'

/** What of an operation can be checked; a part that is absent has no shape. */
export interface OperationValidators<Op extends BuiltOperationId = BuiltOperationId> {
  body?: z.ZodType<OperationTypes[Op]['body']>
  query?: z.ZodType<OperationTypes[Op]['query']>
  path?: z.ZodType<OperationTypes[Op]['path']>
  /** By status. */
  responses: Readonly<Record<number, z.ZodType>>
}

/** The validators of every built operation. */
export type Validators = { readonly [Op in BuiltOperationId]: OperationValidators<Op> }

/** Validators of a server that advertises 1.19, by operation. */
export const validators: Validators = { ...worker119.validators, ...control.validators }

/** The same by advertised worker line. */
export const validatorsOf: Readonly<Record<'1.19' | '1.20', Validators>> = {
  '1.19': validators,
  '1.20': { ...worker120.validators, ...control.validators },
}

/** The payload of each event type. */
export const eventPayloadValidators: { readonly [Type in EventType]: z.ZodType } = worker120.eventPayloads

/** One command of a completion, built or planned. */
export const commandValidator: z.ZodType = worker120.Command

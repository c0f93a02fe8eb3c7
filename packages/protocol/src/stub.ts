// What a server has to implement, as Fastify's types: one handler for each built operation.
import type { RouteHandlers as ControlHandlers } from './generated/control-2/handlers.ts'
import type { RouteHandlers as WorkerHandlers } from './generated/worker-1.20/handlers.ts'

/** One Fastify handler for each built operation; mount each at `operations[id].method` and `operations[id].route`. */
export type RouteHandlers = WorkerHandlers & ControlHandlers

/** The handler of one operation. */
export type RouteHandlerOf<Op extends keyof RouteHandlers> = RouteHandlers[Op]

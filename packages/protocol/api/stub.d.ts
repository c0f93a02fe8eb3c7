// All that `@durable-workflow/protocol/stub` opens to its users. Written by `pnpm surface:accept`.

import { RouteHandlers as RouteHandlers$2 } from './generated/control-2/handlers.js';
import { RouteHandlers as RouteHandlers$1 } from './generated/worker-1.20/handlers.js';

/** One Fastify handler for each built operation; mount each at `operations[id].method` and `operations[id].route`. */
type RouteHandlers = RouteHandlers$1 & RouteHandlers$2;
/** The handler of one operation. */
type RouteHandlerOf<Op extends keyof RouteHandlers> = RouteHandlers[Op];

export type { RouteHandlerOf, RouteHandlers };

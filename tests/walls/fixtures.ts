// One small tree for each wall, breaking exactly that wall. A tree is the clean tree with these files laid over it.

export interface Fixture {
  /** The rule that must be named, and no other. */
  rule: string
  breaks: string
  /** Path → text. */
  files: Readonly<Record<string, string>>
}

/** Keeps every wall, and uses every kind of import that the walls must be able to follow. */
export const cleanTree: Readonly<Record<string, string>> = {
  'packages/protocol/src/index.ts': "export { eventTypes } from './generated/events.ts'\n",
  'packages/protocol/src/generated/events.ts': "export const eventTypes = ['WorkflowStarted']\n",
  'packages/protocol/src/validators.ts': "import { z } from 'zod'\nexport const validators = { start: z }\n",
  'packages/protocol/src/client.ts': 'export const createProtocolClient = 1\n',
  'packages/protocol/src/stub.ts':
    "import type { FastifyInstance } from 'fastify'\nexport type Stub = FastifyInstance\n",
  'packages/codec/src/index.ts': "export { value } from './value.ts'\n",
  'packages/codec/src/value.ts':
    "import { eventTypes } from '@durable-workflow/protocol'\nexport const value = eventTypes\n",
  'packages/engine/src/index.ts': "export { engine } from './engine.ts'\n",
  'packages/engine/src/ports.ts': "export type { Run } from './core/state/run.ts'\n",
  'packages/engine/src/engine.ts': "import { table } from './core/operations/index.ts'\nexport const engine = table\n",
  'packages/engine/src/core/operations/index.ts':
    "import { start } from './workflow/start.ts'\nimport { signal } from './workflow/signal.ts'\nexport const table = [start, signal]\n",
  'packages/engine/src/core/operations/workflow/start.ts':
    "import type { Run } from '../../state/run.ts'\nimport { append } from '../../history/append.ts'\nexport const start = (run: Run) => append(run)\n",
  'packages/engine/src/core/operations/workflow/signal.ts': 'export const signal = 1\n',
  'packages/engine/src/core/history/append.ts':
    "import type { Run } from '../state/run.ts'\nexport const append = (run: Run) => run\n",
  'packages/engine/src/core/state/run.ts':
    "import { value } from '@durable-workflow/codec'\nexport type Run = typeof value\n",
  'packages/store-sql/src/index.ts': "export { open } from './open.ts'\n",
  'packages/store-sql/src/open.ts':
    "import type { Run } from '@durable-workflow/engine/ports'\nimport { sqlite } from './dialects/sqlite.ts'\nimport { store } from './store.ts'\nexport const open = (run: Run) => [run, sqlite, store]\n",
  'packages/store-sql/src/store.ts': "import { kysely } from 'kysely'\nexport const store = kysely\n",
  'packages/store-sql/src/dialects/sqlite.ts':
    "import { DatabaseSync } from 'node:sqlite'\nexport const sqlite = DatabaseSync\n",
  'packages/server/src/index.ts': "export { app } from './app.ts'\n",
  'packages/server/src/app.ts':
    "import { fastify } from 'fastify'\nimport { engine } from '@durable-workflow/engine'\nimport { validators } from '@durable-workflow/protocol/validators'\nexport const app = [fastify, engine, validators]\n",
  'packages/sdk/src/index.ts': "export { workflow } from './authoring/workflow.ts'\n",
  'packages/sdk/src/worker.ts': "export { worker } from './worker/worker.ts'\n",
  'packages/sdk/src/client.ts': "export { client } from './client/client.ts'\n",
  'packages/sdk/src/replay.ts': "export { verify } from './verify/verify.ts'\n",
  'packages/sdk/src/verify/verify.ts': "import { replay } from '../replay/replay.ts'\nexport const verify = replay\n",
  'packages/sdk/src/authoring/workflow.ts': "import { ms } from 'ms'\nexport const workflow = ms\n",
  'packages/sdk/src/replay/replay.ts':
    "import { workflow } from '../authoring/workflow.ts'\nexport const replay = workflow\n",
  'packages/sdk/src/transport/transport.ts': "import { undici } from 'undici'\nexport const transport = undici\n",
  'packages/sdk/src/worker/worker.ts':
    "import { replay } from '../replay/replay.ts'\nimport { transport } from '../transport/transport.ts'\nexport const worker = [replay, transport]\n",
  'packages/sdk/src/client/client.ts':
    "import { transport } from '../transport/transport.ts'\nexport const client = transport\n",
  'apps/server/src/main.ts': "import { serve } from './serve.ts'\nexport const main = serve\n",
  'apps/server/src/serve.ts': "import { app } from '@durable-workflow/server'\nexport const serve = app\n",
  'tests/connected/run.test.ts': "import { workflow } from '@durable-workflow/sdk'\nexport const test = workflow\n",
}

const add = (path: string, text: string): Readonly<Record<string, string>> => ({ [path]: text })

/** Lays `imports` before what the clean tree has at `path`. */
const importing = (path: string, imports: string): Readonly<Record<string, string>> => ({
  [path]: `${imports}\n${cleanTree[path] ?? ''}`,
})

const core = 'packages/engine/src/core'

export const fixtures: readonly Fixture[] = [
  {
    rule: 'no-circle',
    breaks: 'two files that import only types of one another',
    files: {
      ...importing(`${core}/state/run.ts`, "import type { Task } from './task.ts'\nexport type Open = Task"),
      ...add(`${core}/state/task.ts`, "import type { Open } from './run.ts'\nexport type Task = Open[]\n"),
    },
  },
  {
    rule: 'core-touches-nothing',
    breaks: 'core imports a Node module',
    files: importing(`${core}/state/run.ts`, "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID"),
  },
  {
    rule: 'core-touches-nothing',
    breaks: 'core imports an npm package',
    files: importing(`${core}/state/run.ts`, "import { z } from 'zod'\nexport const schema = z"),
  },
  {
    rule: 'core-touches-nothing',
    breaks: 'core imports the shell',
    files: {
      'packages/engine/src/clock.ts': 'export type Clock = number\n',
      ...importing(`${core}/state/run.ts`, "import type { Clock } from '../../clock.ts'\nexport type At = Clock"),
    },
  },
  {
    rule: 'core-floors',
    breaks: 'state imports history',
    files: {
      ...importing(`${core}/state/task.ts`, "import { step } from '../history/step.ts'\nexport const task = step"),
      ...add(`${core}/history/step.ts`, 'export const step = 1\n'),
      ...importing(`${core}/operations/workflow/start.ts`, "import '../../state/task.ts'"),
    },
  },
  {
    rule: 'core-floors',
    breaks: 'a view imports an operation',
    files: {
      ...add(
        `${core}/views/index.ts`,
        "import { start } from '../operations/workflow/start.ts'\nexport const view = start\n",
      ),
      ...importing('packages/engine/src/engine.ts', "import './core/views/index.ts'"),
    },
  },
  {
    rule: 'core-floors',
    breaks: 'one operation imports another',
    files: importing(
      `${core}/operations/workflow/start.ts`,
      "import { signal } from './signal.ts'\nexport const both = signal",
    ),
  },
  {
    rule: 'replay-touches-nothing',
    breaks: 'replay imports a Node module',
    files: importing(
      'packages/sdk/src/replay/replay.ts',
      "import { hash } from 'node:crypto'\nexport const digest = hash",
    ),
  },
  {
    rule: 'replay-touches-nothing',
    breaks: 'replay imports the transport',
    files: importing(
      'packages/sdk/src/replay/replay.ts',
      "import { transport } from '../transport/transport.ts'\nexport const t = transport",
    ),
  },
  {
    rule: 'one-door',
    breaks: 'the server names an operation file',
    files: importing(
      'packages/server/src/app.ts',
      "import { start } from '../../engine/src/core/operations/workflow/start.ts'\nexport const s = start",
    ),
  },
  {
    rule: 'server-knows-no-sql',
    breaks: 'the server imports the store',
    files: importing(
      'packages/server/src/app.ts',
      "import { open } from '@durable-workflow/store-sql'\nexport const o = open",
    ),
  },
  {
    rule: 'server-knows-no-sql',
    breaks: 'the server imports Kysely',
    files: importing('packages/server/src/app.ts', "import { kysely } from 'kysely'\nexport const k = kysely"),
  },
  {
    rule: 'store-knows-no-http',
    breaks: 'the store imports Fastify',
    files: importing(
      'packages/store-sql/src/store.ts',
      "import type { FastifyInstance } from 'fastify'\nexport type F = FastifyInstance",
    ),
  },
  {
    rule: 'store-knows-no-http',
    breaks: 'the store imports the generated stub',
    files: importing(
      'packages/store-sql/src/store.ts',
      "import type { Stub } from '@durable-workflow/protocol/stub'\nexport type S = Stub",
    ),
  },
  {
    rule: 'dialect-secret',
    breaks: 'a statement asks for one dialect',
    files: {
      ...add(
        'packages/store-sql/src/find/due.ts',
        "import { sqlite } from '../dialects/sqlite.ts'\nexport const due = sqlite\n",
      ),
      ...importing('packages/store-sql/src/store.ts', "import './find/due.ts'"),
    },
  },
  {
    rule: 'production-knows-no-testing',
    breaks: 'a source imports a test',
    files: {
      ...importing('packages/codec/src/index.ts', "import './value.test.ts'"),
      ...add('packages/codec/src/value.test.ts', 'export const sample = 1\n'),
    },
  },
  {
    rule: 'judge-apart',
    breaks: 'conformance imports the engine',
    files: add(
      'packages/conformance/src/index.ts',
      "import { engine } from '@durable-workflow/engine'\nexport const judge = engine\n",
    ),
  },
  {
    rule: 'release-apart',
    breaks: 'release imports the codec',
    files: add(
      'packages/release/src/index.ts',
      "import { value } from '@durable-workflow/codec'\nexport const v = value\n",
    ),
  },
  {
    rule: 'faces-only',
    breaks: 'a relative path goes through the wall',
    files: importing(
      'packages/server/src/app.ts',
      "import { value } from '../../codec/src/value.ts'\nexport const v = value",
    ),
  },
  {
    rule: 'faces-only',
    breaks: 'a package name with a path that exports does not open',
    files: importing(
      'tests/connected/run.test.ts',
      "import { value } from '@durable-workflow/codec/src/value.ts'\nexport const v = value",
    ),
  },
  {
    rule: 'generated-behind-face',
    breaks: 'generated code is imported from outside protocol',
    files: importing(
      'packages/server/src/app.ts',
      "import { eventTypes } from '../../protocol/src/generated/events.ts'\nexport const e = eventTypes",
    ),
  },
  {
    rule: 'no-orphan',
    breaks: 'a file that no entry reaches, though it imports others',
    files: add(
      'packages/codec/src/forgotten.ts',
      "import { value } from './value.ts'\nexport const forgotten = value\n",
    ),
  },
  {
    rule: 'wire-types-are-light',
    breaks: 'the face of protocol loads zod through a second file',
    files: {
      ...importing('packages/protocol/src/index.ts', "export { shape } from './shape.ts'"),
      ...add('packages/protocol/src/shape.ts', "import { z } from 'zod'\nexport const shape = z\n"),
    },
  },
  {
    rule: 'resolvable',
    breaks: 'an import of a file that is not there',
    files: importing('packages/codec/src/index.ts', "export { gone } from './gone.ts'"),
  },
  {
    rule: 'arrows-codec',
    breaks: 'codec imports the validators',
    files: importing(
      'packages/codec/src/value.ts',
      "import { validators } from '@durable-workflow/protocol/validators'\nexport const v = validators",
    ),
  },
  {
    rule: 'arrows-codec',
    breaks: 'codec imports a package that its room does not list',
    files: importing('packages/codec/src/value.ts', "import { ms } from 'ms'\nexport const m = ms"),
  },
  {
    rule: 'arrows-protocol',
    breaks: 'protocol imports a Node module',
    files: importing('packages/protocol/src/client.ts', "import { hash } from 'node:crypto'\nexport const h = hash"),
  },
  {
    rule: 'arrows-engine-core',
    breaks: 'core imports the validators',
    files: importing(
      `${core}/state/run.ts`,
      "import { createProtocolClient } from '@durable-workflow/protocol/client'\nexport const c = createProtocolClient",
    ),
  },
  {
    rule: 'arrows-engine-shell',
    breaks: 'the shell imports the codec',
    files: importing(
      'packages/engine/src/engine.ts',
      "import { value } from '@durable-workflow/codec'\nexport const v = value",
    ),
  },
  {
    rule: 'arrows-store-sql',
    breaks: 'the store imports the engine by its main face',
    files: importing(
      'packages/store-sql/src/store.ts',
      "import { engine } from '@durable-workflow/engine'\nexport const e = engine",
    ),
  },
  {
    rule: 'arrows-server',
    breaks: 'the server imports the SDK',
    files: importing(
      'packages/server/src/app.ts',
      "import { workflow } from '@durable-workflow/sdk'\nexport const w = workflow",
    ),
  },
  {
    rule: 'arrows-sdk-face',
    breaks: 'a face of the SDK re-exports the replay',
    files: importing('packages/sdk/src/client.ts', "export { replay } from './replay/replay.ts'"),
  },
  {
    rule: 'arrows-sdk-authoring',
    breaks: 'authoring imports the transport',
    files: importing(
      'packages/sdk/src/authoring/workflow.ts',
      "import { transport } from '../transport/transport.ts'\nexport const t = transport",
    ),
  },
  {
    rule: 'arrows-sdk-replay',
    breaks: 'replay imports the guard',
    files: {
      ...importing(
        'packages/sdk/src/replay/replay.ts',
        "import { guard } from '../guard/guard.ts'\nexport const g = guard",
      ),
      ...add('packages/sdk/src/guard/guard.ts', 'export const guard = 1\n'),
    },
  },
  {
    rule: 'arrows-sdk-guard',
    breaks: 'the guard imports more of authoring than its failures',
    files: {
      ...add(
        'packages/sdk/src/guard/guard.ts',
        "import { workflow } from '../authoring/workflow.ts'\nexport const guard = workflow\n",
      ),
      ...importing('packages/sdk/src/worker/worker.ts', "import '../guard/guard.ts'"),
    },
  },
  {
    rule: 'arrows-sdk-transport',
    breaks: 'the transport imports authoring',
    files: importing(
      'packages/sdk/src/transport/transport.ts',
      "import { workflow } from '../authoring/workflow.ts'\nexport const w = workflow",
    ),
  },
  {
    rule: 'arrows-sdk-client',
    breaks: 'the client imports replay',
    files: importing(
      'packages/sdk/src/client/client.ts',
      "import { replay } from '../replay/replay.ts'\nexport const r = replay",
    ),
  },
  {
    rule: 'arrows-sdk-worker',
    breaks: 'the worker imports the client',
    files: importing(
      'packages/sdk/src/worker/worker.ts',
      "import { client } from '../client/client.ts'\nexport const c = client",
    ),
  },
  {
    rule: 'arrows-sdk-verify',
    breaks: 'the proof of a history imports the client',
    files: importing(
      'packages/sdk/src/verify/verify.ts',
      "import { client } from '../client/client.ts'\nexport const c = client",
    ),
  },
  {
    rule: 'arrows-testing',
    breaks: 'testing imports the codec',
    files: add(
      'packages/testing/src/index.ts',
      "import { value } from '@durable-workflow/codec'\nexport const v = value\n",
    ),
  },
  {
    rule: 'arrows-conformance',
    breaks: 'conformance imports an npm package',
    files: add('packages/conformance/src/index.ts', "import { undici } from 'undici'\nexport const u = undici\n"),
  },
  {
    rule: 'arrows-release',
    breaks: 'release imports an npm package',
    files: add('packages/release/src/index.ts', "import { undici } from 'undici'\nexport const u = undici\n"),
  },
  {
    rule: 'arrows-app-server',
    breaks: 'the app imports the SDK',
    files: importing(
      'apps/server/src/serve.ts',
      "import { workflow } from '@durable-workflow/sdk'\nexport const w = workflow",
    ),
  },
  {
    rule: 'arrows-tests',
    breaks: 'a test imports a package that its room does not list',
    files: importing('tests/connected/run.test.ts', "import { ms } from 'ms'\nexport const m = ms"),
  },
  {
    rule: 'arrows-bench',
    breaks: 'bench imports a package that its room does not list',
    files: add('bench/src/main.ts', "import { kysely } from 'kysely'\nexport const k = kysely\n"),
  },
  {
    rule: 'arrows-examples',
    breaks: 'one example imports the tests',
    files: add(
      'examples/quickstart/src/start.ts',
      "import { test } from '../../../tests/connected/run.test.ts'\nexport const t = test\n",
    ),
  },
  {
    rule: 'arrows-scripts',
    breaks: 'a script imports the product',
    files: add('scripts/build.ts', "import { value } from '../packages/codec/src/index.ts'\nexport const v = value\n"),
  },
  {
    rule: 'arrows-package-tools',
    breaks: 'a test beside its source imports a package that the table does not list',
    files: add('packages/codec/src/value.test.ts', "import { ms } from 'ms'\nexport const m = ms\n"),
  },
]

// Health: does the process serve. Readiness: may traffic come. Both ask the store, and no token.
import { StoreUnavailableError } from '@durable-workflow/engine'
import { defaults } from '@durable-workflow/protocol'
import { type Answer, done } from '../reply.ts'
import { type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
import { instantOrNull } from '../wire-facts.ts'

export const healthRoutes: readonly Route[] = [
  route('getHealth', async ({ server }) => health(server)),
  route('getReady', async ({ server }) => ready(server)),
]

type Word = 'ok' | 'unavailable' | 'missing' | 'not_accepting'

async function health(server: ServerContext): Promise<Answer> {
  const database = await asks(() => server.store.ping())
  return answer(server, database === 'ok', ['serving', 'degraded'], { database })
}

async function ready(server: ServerContext): Promise<Answer> {
  const database = await asks(() => server.store.ping())
  const checks: Record<string, Word> = {
    database,
    // The store opens only with every migration applied, so one that answers has them all.
    migrations: database,
    default_namespace: database === 'ok' ? await defaultNamespace(server) : 'unavailable',
    accepting: server.isAccepting() ? 'ok' : 'not_accepting',
  }
  return answer(
    server,
    Object.values(checks).every((word) => word === 'ok'),
    ['ready', 'not_ready'],
    checks,
  )
}

function answer(
  { engine }: ServerContext,
  good: boolean,
  [yes, otherwise]: readonly [string, string],
  checks: Readonly<Record<string, Word>>,
): Answer {
  const members = { status: good ? yes : otherwise, timestamp: instantOrNull(engine.clock.now()), checks }
  return done(members, { how: good ? 'ok' : 'not_serving' })
}

async function defaultNamespace({ engine }: ServerContext): Promise<Word> {
  let found: Word = 'missing'
  const asked = await asks(async () => {
    if ((await engine.views.namespace(defaults.namespace)) !== undefined) found = 'ok'
  })
  return asked === 'ok' ? found : asked
}

async function asks(question: () => Promise<void>): Promise<Word> {
  try {
    await question()
    return 'ok'
  } catch (error) {
    if (error instanceof StoreUnavailableError) return 'unavailable'
    throw error
  }
}

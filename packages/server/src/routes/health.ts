// Health: does the process serve. Readiness: may traffic come. Both ask the store, within a bound, and no token.
//
// Both judge by reading, and by one's own state: a restart, or another server, may help there. A database that is full or
// read-only is the same for every server; taken out of the balance, all of them would leave their workers without the 503
// by whose fields a worker repeats its report. So `writes` is said and does not decide.
import { StoreUnavailableError } from '@durable-workflow/engine'
import { defaults } from '@durable-workflow/protocol'
import { type Answer, done } from '../reply.ts'
import { type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
import { instantOrNull } from '../wire-facts.ts'

export const healthRoutes: readonly Route[] = [
  route('getHealth', async ({ server }) => health(server), { takesAnyQuery: true }),
  route('getReady', async ({ server }) => ready(server), { takesAnyQuery: true }),
]

type Word = 'ok' | 'unavailable' | 'missing' | 'not_accepting'

async function health(server: ServerContext): Promise<Answer> {
  const database = await asks(server, server.ping)
  return answer(server, database === 'ok', ['serving', 'degraded'], { database })
}

async function ready(server: ServerContext): Promise<Answer> {
  const database = await asks(server, server.ping)
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
  { engine, telemetry }: ServerContext,
  good: boolean,
  [yes, otherwise]: readonly [string, string],
  judged: Readonly<Record<string, Word>>,
): Answer {
  const checks = { ...judged, writes: telemetry.writes.word }
  const members = { status: good ? yes : otherwise, timestamp: instantOrNull(engine.clock.now()), checks }
  return done(members, { how: good ? 'ok' : 'not_serving' })
}

async function defaultNamespace(server: ServerContext): Promise<Word> {
  let found: Word = 'missing'
  const asked = await asks(server, async () => {
    if ((await server.engine.views.namespace(defaults.namespace)) !== undefined) found = 'ok'
  })
  return asked === 'ok' ? found : asked
}

async function asks({ settings, telemetry }: ServerContext, question: () => Promise<void>): Promise<Word> {
  try {
    return await within(settings.healthWaitMs, question())
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    telemetry.failed(error)
    return 'unavailable'
  }
}

/** A question that is not answered in time is answered no; what comes of it later concerns nobody. */
async function within(waitMs: number, asked: Promise<void>): Promise<Word> {
  const { promise, resolve } = Promise.withResolvers<Word>()
  const timer = setTimeout(() => resolve('unavailable'), waitMs)
  try {
    return await Promise.race([asked.then((): Word => 'ok'), promise])
  } finally {
    clearTimeout(timer)
  }
}

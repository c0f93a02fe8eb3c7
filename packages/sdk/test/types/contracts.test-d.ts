// What must and must not compile, in pairs: the good line first, then its mistake. Run by `tsc -p packages/sdk`.
import { z } from 'zod'
import type {
  ActivityImplementation,
  ActivityInput,
  ActivityOutput,
  Duration,
  GroupMember,
  PayloadOf,
  WorkflowContext,
  WorkflowImplementation,
} from '../../src/index.ts'
import { activity, query, signal, type, workflow } from '../../src/index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function holds<T extends true>(): T | undefined {
  return undefined
}

const Ticket = z.object({ seat: z.string(), price: z.int() })
const book = activity('book', { input: Ticket, output: z.object({ code: z.string() }), startToCloseTimeout: '30s' })
const notify = activity('notify', { input: type<{ to: string }>() })
const ping = activity('ping')
const resize = activity('resize', { args: [z.string(), z.int()], output: z.string() })
const parse = activity('parse', { input: z.string().transform(Number), output: z.string().transform(Number) })
// The short form knows its parameters from `args` alone.
const crop = activity('crop', { args: [z.string(), z.int()], output: z.string() }, ([file, width]) => {
  holds<Equal<[typeof file, typeof width], [string, number]>>()
  return `${file} to ${width}`
})
const scale = activity('scale', { args: [z.int()] }, async ([factor]) => factor * 2)
holds<Equal<ActivityOutput<typeof scale>, number>>()
// @ts-expect-error the output is text
activity('crop', { args: [z.string()], output: z.string() }, async () => 7)
const paid = signal('paid', z.object({ by: z.string() }))
const nudged = signal('nudged')
const foreign = signal('foreign', z.object({ x: z.number() }))
const state = query('state', { output: z.string() })
const seats = query('seats', { input: z.int(), output: z.array(z.string()) })
const foreignQuery = query('foreignQuery', { output: z.string() })
const booking = workflow('booking', {
  input: Ticket,
  output: z.object({ code: z.string() }),
  handles: [paid, nudged, state, seats],
})
const silent = workflow('silent', { output: z.string() })

// Durations: the grammar of `ms`.
const fine: readonly Duration[] = ['30s', '2 days', '1.5h', '100ms', '1 week', 250]
void fine
activity('a', { startToCloseTimeout: '5 minutes' })
// @ts-expect-error no such unit
activity('a', { startToCloseTimeout: '5 parsecs' })
// @ts-expect-error a number in text needs its unit
activity('a', { startToCloseTimeout: '5' })
activity('a', { retry: { maximumAttempts: 3, initialInterval: '1s' } })
// @ts-expect-error no such retry option
activity('a', { retry: { attempts: 3 } })
// @ts-expect-error options of later parts are absent, not stubs
activity('a', { local: true })

// Implementations of activities.
book.implement(async (ticket) => ({ code: ticket.seat }))
// @ts-expect-error the output lacks its code
book.implement(async (ticket) => ({ seat: ticket.seat }))
book.implement((ticket, ctx) => ({ code: `${ticket.price}${ctx.idempotencyKey}${ctx.signal.aborted}` }))
// @ts-expect-error a ticket has no colour
book.implement(async (ticket) => ({ code: ticket.colour }))
resize.implement(async ([path, width]) => `${path.length}${width.toFixed()}`)
// @ts-expect-error the second argument is a number
resize.implement(async ([, width]) => width.toUpperCase())
parse.implement(async (n) => n.toFixed())
// @ts-expect-error the function receives what the schema makes of the input
parse.implement(async (n) => n.toUpperCase())
ping.implement(async (input) => input satisfies undefined)

// Short forms take the function's own return type where no output is declared.
const count = activity('count', { input: type<string>() }, async (text) => text.length)
holds<Equal<ActivityOutput<typeof count>, number>>()
const checked = activity('checked', { input: z.string(), output: z.int() }, async (text) => text.length)
holds<Equal<ActivityOutput<typeof checked>, number>>()
// @ts-expect-error the declared output is a number
activity('checked', { input: z.string(), output: z.int() }, async (text) => text)
const oneFile = workflow('oneFile', { input: z.string() }, async (ctx, name) => ctx.run(count, name))
holds<Equal<typeof oneFile.name, 'oneFile'>>()

booking.implement(async (ctx, ticket) => {
  // run
  const booked = await ctx.run(book, ticket)
  holds<Equal<typeof booked, { code: string }>>()
  await ctx.run(book, ticket, { startToCloseTimeout: '1m', taskQueue: 'fast' })
  // @ts-expect-error a ticket needs its price
  await ctx.run(book, { seat: '1A' })
  // @ts-expect-error the input is missing
  await ctx.run(book)
  await ctx.run(ping)
  await ctx.run(ping, { startToCloseTimeout: '1s' })
  // @ts-expect-error ping takes no input
  await ctx.run(ping, 'hello')
  const small = await ctx.run(resize, ['a.png', 200])
  holds<Equal<typeof small, string>>()
  await ctx.run(crop, ['a.png', 200])
  // @ts-expect-error arguments in the wrong order
  await ctx.run(resize, [200, 'a.png'])
  const parsed = await ctx.run(parse, '7')
  holds<Equal<typeof parsed, number>>()
  // @ts-expect-error callers give what the schema takes
  await ctx.run(parse, 7)
  holds<Equal<Awaited<ReturnType<typeof notifyAll>>, undefined>>()
  async function notifyAll() {
    return ctx.run(notify, { to: 'ada' })
  }
  const [one, two] = await Promise.all([ctx.run(book, ticket), ctx.run(count, 'x')])
  holds<Equal<[typeof one, typeof two], [{ code: string }, number]>>()
  // @ts-expect-error only activities run
  await ctx.run(paid, { by: 'ada' })

  // waits
  const must = await ctx.waitFor(paid)
  holds<Equal<typeof must, { by: string }>>()
  const may = await ctx.waitFor(paid, { timeout: '2 days' })
  holds<Equal<typeof may, { by: string } | undefined>>()
  // @ts-expect-error with a timeout the payload may be missing
  may.by.length
  // @ts-expect-error this workflow does not handle it
  await ctx.waitFor(foreign)
  // @ts-expect-error queries are not waited for
  await ctx.waitFor(state)
  for await (const payment of ctx.messages(paid)) {
    holds<Equal<typeof payment, { by: string }>>()
    break
  }
  // @ts-expect-error this workflow does not handle it
  ctx.messages(foreign)
  const held: boolean = await ctx.condition(() => must.by.length > 0, { timeout: 1_000 })
  // @ts-expect-error a condition answers yes or no
  await ctx.condition(async () => held)
  await ctx.sleep('90s')
  // @ts-expect-error no such unit
  await ctx.sleep('90 blinks')
  await ctx.sleepUntil(new Date(0))
  // @ts-expect-error an instant is a Date
  await ctx.sleepUntil(0)

  // handlers
  ctx.handle(state, () => 'booked')
  // @ts-expect-error the query's output is text
  ctx.handle(state, () => 7)
  // @ts-expect-error queries answer at once
  ctx.handle(state, async () => 'booked')
  ctx.handle(seats, (row) => [row.toFixed()])
  // @ts-expect-error the query's input is a number
  ctx.handle(seats, (row) => [row.toUpperCase()])
  ctx.handle(paid, (payment) => void payment.by)
  ctx.handle(nudged, async () => ctx.sleep('1s'))
  // @ts-expect-error a payment has no amount
  ctx.handle(paid, (payment) => void payment.amount)
  // @ts-expect-error this workflow does not handle it
  ctx.handle(foreignQuery, () => 'x')

  // groups
  const slept = await ctx.sleep('1s')
  const pair = await ctx.all([ctx.run(book, ticket), ctx.sleep('1s')])
  holds<Equal<typeof pair, [{ code: string }, typeof slept]>>()
  const nested = await ctx.all([ctx.all([ctx.run(count, 'x')]), ctx.sleepUntil(new Date(0))])
  holds<Equal<typeof nested, [[number], typeof slept]>>()
  const many = await ctx.all(['x', 'y'].map((text) => ctx.run(count, text)))
  holds<Equal<typeof many, number[]>>()
  const none = await ctx.all([])
  holds<Equal<typeof none, []>>()
  const member: GroupMember<number> = ctx.run(count, 'x')
  const ordinary: Promise<number> = member
  // @ts-expect-error a promise of one's own is no member
  await ctx.all([Promise.resolve(1)])
  // @ts-expect-error what a member leads to is no member
  await ctx.all([ctx.run(count, 'x').then((length) => length + 1)])
  // @ts-expect-error its type has forgotten that it was a member
  await ctx.all([ordinary])
  // @ts-expect-error a signal wait is no member
  await ctx.all([ctx.waitFor(paid)])
  // @ts-expect-error a condition is no member
  await ctx.all([ctx.condition(() => true)])
  // @ts-expect-error a side effect is no member
  await ctx.all([ctx.sideEffect('draw', () => 1)])
  // @ts-expect-error a value is no member
  await ctx.all([1])
  // @ts-expect-error members stand in one list
  await ctx.all(ctx.run(count, 'x'), ctx.sleep('1s'))

  // side effects
  const drawn = await ctx.sideEffect('draw', () => ({ seat: '1A' }))
  holds<Equal<typeof drawn, { seat: string }>>()
  const decided = await ctx.sideEffect('flag', () => (drawn.seat === '1A' ? 'window' : undefined))
  holds<Equal<typeof decided, 'window' | null>>()
  // @ts-expect-error a side effect is computed at once
  await ctx.sideEffect('draw', async () => 1)
  // @ts-expect-error a side effect is computed at once
  await ctx.sideEffect('draw', () => Promise.resolve('1A'))
  // @ts-expect-error a side effect has a name
  await ctx.sideEffect(() => 1)
  // @ts-expect-error the value is awaited
  const early: string = ctx.sideEffect('draw', () => 'x')

  // versions
  const version: number = ctx.version('packing', { max: 2 })
  const ranged: number = ctx.version('packing', { max: 2, min: 1 })
  if (version + ranged >= 2) await ctx.run(ping)
  // @ts-expect-error the newest version is stated
  ctx.version('packing')
  // @ts-expect-error the newest version is stated
  ctx.version('packing', { min: 1 })
  // @ts-expect-error versions are numbers
  ctx.version('packing', { max: '2' })
  // @ts-expect-error options stand in one object
  ctx.version('packing', 1, 2)

  // what later parts bring is absent
  // @ts-expect-error absent
  ctx.runChild
  // @ts-expect-error absent
  ctx.continueAsNew
  // @ts-expect-error absent
  ctx.race

  const told: string = early + ctx.info.workflowId + ctx.uuid()
  const instant: number = ctx.now() + ctx.random()
  ctx.log.info(told, { instant })
  return { code: 'c' }
})

// @ts-expect-error the output lacks its code
booking.implement(async () => ({ seat: '1A' }))
// @ts-expect-error a ticket has no colour
booking.implement(async (_ctx, ticket) => ({ code: ticket.colour }))
// @ts-expect-error a workflow is asynchronous
silent.implement(() => 'x')
silent.implement(async (ctx) => {
  // @ts-expect-error nothing is handled here
  ctx.handle(state, () => 'x')
  // @ts-expect-error nothing is handled here
  await ctx.waitFor(paid)
  return 'x'
})

// What a worker takes: implementations of any shape, never bare contracts.
const implementations: readonly WorkflowImplementation[] = [oneFile, silent.implement(async () => 'x'), bookingImpl()]
const callbacks: readonly ActivityImplementation[] = [count, checked, ping.implement(async () => 1)]
void [implementations, callbacks]
function bookingImpl() {
  return booking.implement(async (ctx, ticket) => ({ code: await bookSeat(ctx, ticket.seat) }))
}
// @ts-expect-error a contract has no function to run
const bare: WorkflowImplementation = booking
// @ts-expect-error a contract has no function to run
const bareActivity: ActivityImplementation = book
void [bare, bareActivity]

// A function of one's own takes the context of any workflow.
async function bookSeat(ctx: WorkflowContext, seat: string): Promise<string> {
  await ctx.sleep('1s')
  return (await ctx.run(book, { seat, price: 1 })).code
}

holds<Equal<ActivityInput<typeof book>, { seat: string; price: number }>>()
holds<Equal<PayloadOf<typeof paid>, { by: string }>>()
// @ts-expect-error the message is of another shape
holds<Equal<PayloadOf<typeof paid>, { by: number }>>()

// Random authored programs: a tree of calls of `ctx`, and the workflow that carries it out.
import fc from 'fast-check'
import type { WorkflowImplementation } from '../../../src/authoring/workflow.ts'
import { activity, query, signal, type, type WorkflowContext, workflow } from '../../../src/index.ts'

const work = activity('work', { input: type<string>(), output: type<string>() })
const toil = activity('toil', { input: type<string>(), output: type<string>() })
const poke = signal('poke', type<string>())
const tell = signal('tell', type<string>())
const view = query('view', { output: type<string>() })
type Ctx = WorkflowContext<typeof poke | typeof tell | typeof view>

type Combinator = 'all' | 'allSettled' | 'any' | 'race'

/** One authored expression; `members` of a group are calls and groups alone. */
export type Node =
  | { readonly is: 'run'; readonly activity: 'work' | 'toil' }
  | { readonly is: 'sleep'; readonly ms: number }
  | { readonly is: 'waitFor'; readonly timeout: boolean }
  | { readonly is: 'condition'; readonly more: number }
  | { readonly is: 'effect' }
  | { readonly is: 'version'; readonly change: number; readonly max: number }
  | { readonly is: 'chance' }
  | { readonly is: 'throw' }
  | { readonly is: 'sequence'; readonly parts: readonly Node[] }
  | { readonly is: 'together'; readonly by: Combinator; readonly parts: readonly Node[] }
  | { readonly is: 'caught'; readonly part: Node; readonly otherwise: Node }
  | { readonly is: 'group'; readonly members: readonly Member[] }

type Member =
  | { readonly is: 'run'; readonly activity: 'work' | 'toil' }
  | { readonly is: 'sleep'; readonly ms: number }
  | { readonly is: 'group'; readonly members: readonly Member[] }

const is = <const T extends string>(value: T) => fc.constant(value)
const activities = fc.constantFrom('work' as const, 'toil' as const)
const run = fc.record({ is: is('run'), activity: activities })
const sleep = fc.record({ is: is('sleep'), ms: fc.constantFrom(0, 1, 1_000, 2_500) })

const { member } = fc.letrec<{ member: Member }>((tie) => ({
  member: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: run },
    { weight: 2, arbitrary: sleep },
    {
      weight: 1,
      arbitrary: fc.record({ is: is('group'), members: fc.array(tie('member'), { minLength: 0, maxLength: 3 }) }),
    },
  ),
}))

const { node } = fc.letrec<{ node: Node }>((tie) => {
  const parts = fc.array(tie('node'), { minLength: 1, maxLength: 3 })
  return {
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 5, arbitrary: run },
      { weight: 2, arbitrary: sleep },
      { weight: 2, arbitrary: fc.record({ is: is('waitFor'), timeout: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ is: is('condition'), more: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ is: is('effect') }) },
      { weight: 1, arbitrary: fc.record({ is: is('version'), change: fc.nat(2), max: fc.constantFrom(1, 2) }) },
      { weight: 1, arbitrary: fc.record({ is: is('chance') }) },
      { weight: 1, arbitrary: fc.record({ is: is('throw') }) },
      { weight: 3, arbitrary: fc.record({ is: is('sequence'), parts }) },
      {
        weight: 4,
        arbitrary: fc.record({
          is: is('together'),
          by: fc.constantFrom<Combinator>('all', 'allSettled', 'any', 'race'),
          parts,
        }),
      },
      { weight: 2, arbitrary: fc.record({ is: is('caught'), part: tie('node'), otherwise: tie('node') }) },
      {
        weight: 2,
        arbitrary: fc.record({ is: is('group'), members: fc.array(member, { minLength: 0, maxLength: 4 }) }),
      },
    ),
  }
})

export interface Program {
  readonly parts: readonly Node[]
  /** What the handler of `poke` does. */
  readonly onPoke: Node
  /** How often it does it; the rest is only seen. */
  readonly pokes: number
}

export const program: fc.Arbitrary<Program> = fc.record({
  parts: fc.array(node, { minLength: 2, maxLength: 6, size: 'large' }),
  onPoke: fc.oneof(run, sleep, fc.record({ is: is('effect') })),
  pokes: fc.nat(3),
})

/** The workflow of a program; `asks` stands before every durable call: the same workflow after a change of its code. */
export function flowOf(
  { parts, onPoke, pokes }: Program,
  asks: (ctx: Ctx, place: string) => void = () => undefined,
): WorkflowImplementation {
  return workflow('program', { output: type<unknown>(), handles: [poke, tell, view] }, async (ctx) => {
    const seen: string[] = []
    const see = (text: string) => {
      seen.push(text)
      return text
    }
    const execute = createInterpreter(ctx, see, () => seen.length, asks)
    let poked = 0
    ctx.handle(view, () => seen.join())
    ctx.handle(poke, async (text) => {
      see(text)
      poked += 1
      if (poked <= pokes) await execute({ is: 'caught', part: onPoke, otherwise: { is: 'chance' } }, `poke${poked}`)
    })
    // What fails on the way is caught, or most programs would be over soon; what the last part throws fails the run.
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1
      await execute(isLast ? part : { is: 'caught', part, otherwise: { is: 'chance' } }, `${index}`)
    }
    return seen
  })
}

function createInterpreter(
  ctx: Ctx,
  see: (text: string) => string,
  seen: () => number,
  asks: (ctx: Ctx, place: string) => void,
) {
  const activityOf = { work, toil } as const
  // Called within the brackets of ctx.all, in this turn.
  const memberOf = (one: Member, at: string): ReturnType<Ctx['run']> | ReturnType<Ctx['sleep']> => {
    if (one.is === 'run') return ctx.run(activityOf[one.activity], at)
    if (one.is === 'sleep') return ctx.sleep(one.ms)
    return ctx.all(one.members.map((inner, index) => memberOf(inner, `${at}.${index}`)))
  }
  const together = (by: Combinator, branches: readonly Promise<string>[]): Promise<unknown> => {
    switch (by) {
      case 'all':
        return Promise.all(branches)
      case 'allSettled':
        return Promise.allSettled(branches).then((ends) => ends.map(({ status }) => status))
      case 'any':
        return Promise.any(branches)
      case 'race':
        return Promise.race(branches)
      default:
        return by satisfies never
    }
  }
  const execute = async (one: Node, at: string): Promise<string> => {
    switch (one.is) {
      case 'run':
        asks(ctx, at)
        return see(await ctx.run(activityOf[one.activity], `${at} ${seen()}`))
      case 'sleep':
        asks(ctx, at)
        await ctx.sleep(one.ms)
        return see(`slept ${at} until ${ctx.now()}`)
      case 'waitFor':
        asks(ctx, at)
        return see(String(await (one.timeout ? ctx.waitFor(tell, { timeout: '9s' }) : ctx.waitFor(tell))))
      case 'condition': {
        asks(ctx, at)
        const limit = seen() + one.more
        return see(String(await ctx.condition(() => seen() >= limit, { timeout: '5s' })))
      }
      case 'effect':
        asks(ctx, at)
        return see(await ctx.sideEffect('effect', () => `effect of ${at}`))
      case 'version':
        return see(`version ${ctx.version(`change ${one.change}`, { max: 2 })} of ${one.change}`)
      case 'chance':
        return see(`${ctx.uuid()} ${Math.floor(ctx.random() * 1_000)}`)
      case 'throw':
        throw new RangeError(`thrown at ${at}`)
      case 'sequence': {
        let last = ''
        for (const [index, part] of one.parts.entries()) last = await execute(part, `${at}${index}`)
        return last
      }
      case 'together': {
        const branches = one.parts.map((part, index) => execute(part, `${at}/${index}`))
        // What loses may still fail, and nobody waits for it.
        for (const branch of branches) branch.catch(() => undefined)
        return see(JSON.stringify(await together(one.by, branches)))
      }
      case 'caught':
        return execute(one.part, `${at}?`).catch((error: unknown) => {
          see(error instanceof Error ? error.message : 'no error')
          return execute(one.otherwise, `${at}!`)
        })
      case 'group': {
        asks(ctx, at)
        return see(JSON.stringify(await ctx.all(one.members.map((inner, index) => memberOf(inner, `${at}.${index}`)))))
      }
      default:
        return one satisfies never
    }
  }
  return execute
}

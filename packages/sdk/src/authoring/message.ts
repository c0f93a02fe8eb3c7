import { type Contract, checkName, type In, type MaybeSchema, type Out, type Returned } from './contract.ts'

/** A message that changes a run and waits for no answer. */
export interface Signal<N extends string = string, I extends MaybeSchema = MaybeSchema> extends Contract<I, undefined> {
  readonly kind: 'signal'
  readonly name: N
}

/** A question about a run's state; it changes nothing. */
export interface Query<
  N extends string = string,
  I extends MaybeSchema = MaybeSchema,
  O extends MaybeSchema = MaybeSchema,
> extends Contract<I, O> {
  readonly kind: 'query'
  readonly name: N
}

/** What a workflow's `handles` lists. */
export type Message = Signal | Query

/** What a signal carries, after its schema. */
export type PayloadOf<M> = M extends Contract<infer I, MaybeSchema> ? Out<I> : never

/**
 * What `ctx.handle` takes: a signal's handler may await durable calls, a query's must answer at once and change nothing.
 */
export type HandlerOf<M> =
  M extends Signal<string, infer I>
    ? (payload: Out<I>) => void | Promise<void>
    : M extends Query<string, infer I, infer O>
      ? (input: Out<I>) => Returned<O>
      : never

/** What a question of this query takes. */
export type QueryInput<M> = M extends Query<string, infer I, MaybeSchema> ? In<I> : never

/**
 * Declares a signal.
 *
 * @example
 * export const approved = signal('approved', z.object({ by: z.string() }))
 */
export function signal<const N extends string, I extends MaybeSchema = undefined>(name: N, input?: I): Signal<N, I>
export function signal(name: string, input?: MaybeSchema): Signal {
  checkName('signal', name)
  return { kind: 'signal', name, input, output: undefined, spread: false }
}

/**
 * Declares a query.
 *
 * @example
 * export const status = query('status', { output: z.string() })
 */
export function query<const N extends string, I extends MaybeSchema = undefined, O extends MaybeSchema = undefined>(
  name: N,
  contract?: { readonly input?: I; readonly output?: O },
): Query<N, I, O>
export function query(name: string, contract: { input?: MaybeSchema; output?: MaybeSchema } = {}): Query {
  checkName('query', name)
  return { kind: 'query', name, input: contract.input, output: contract.output, spread: false }
}

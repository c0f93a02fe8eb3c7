import type { ActivityContext } from './context.ts'
import {
  type ActivityContract,
  type ArgsSchema,
  argsSchema,
  type Contract,
  checkName,
  type In,
  type MaybeSchema,
  type Out,
  type Returned,
  type Schema,
  type,
} from './contract.ts'
import type { ActivityOptions } from './options.ts'

/** The authored function of an activity. It may run more than once: see `ctx.idempotencyKey`. */
export type ActivityFunction<I extends MaybeSchema, O extends MaybeSchema> = (
  input: Out<I>,
  ctx: ActivityContext,
) => Promise<Returned<O>> | Returned<O>

/** An activity that may be called, and implemented. */
export interface Activity<N extends string, I extends MaybeSchema, O extends MaybeSchema>
  extends ActivityContract<I, O> {
  readonly name: N
  implement(fn: ActivityFunction<I, O>): Activity<N, I, O> & ActivityImplementation
}

/** What a worker runs: the contract with its function, its types checked where it was made. */
export interface ActivityImplementation extends ActivityContract {
  // A method on purpose: a function of any input fits, and the worker hands it only what the input schema let through.
  fn(input: unknown, ctx: ActivityContext): unknown
}

interface Shape<I, O> {
  readonly input?: I
  readonly output?: O
}
interface ArgsShape<A, O> {
  readonly args: A
  readonly output?: O
}
// Said aloud, or the compiler takes the parameters of a function beside `args` from the wrong overload.
interface NoArgs {
  readonly args?: undefined
}
type Options = ActivityOptions

/**
 * Declares an activity, or, with a function, declares and implements it in one go.
 *
 * One input value travels as one argument. `args: [a, b]` is for code in other languages with several positional arguments:
 * the input is then their tuple. Without a declared output the short form takes the function's own return type.
 *
 * @example
 * export const charge = activity('charge', { input: Order, output: Receipt, startToCloseTimeout: '30s' })
 * export const resize = activity('resize', { args: [z.string(), z.int()] })
 */
export function activity<const N extends string, I extends MaybeSchema = undefined, O extends MaybeSchema = undefined>(
  name: N,
  contract?: Shape<I, O> & Options,
): Activity<N, I, O>
export function activity<const N extends string, const A extends readonly Schema[], O extends MaybeSchema = undefined>(
  name: N,
  contract: ArgsShape<A, O> & Options,
): Activity<N, ArgsSchema<A>, O>
export function activity<const N extends string, O extends Schema, I extends MaybeSchema = undefined>(
  name: N,
  contract: NoArgs & { readonly input?: I; readonly output: O } & Options,
  fn: ActivityFunction<I, O>,
): Activity<N, I, O> & ActivityImplementation
export function activity<const N extends string, R, I extends MaybeSchema = undefined>(
  name: N,
  contract: NoArgs & { readonly input?: I; readonly output?: undefined } & Options,
  fn: (input: Out<I>, ctx: ActivityContext) => Promise<R> | R,
): Activity<N, I, Schema<R>> & ActivityImplementation
export function activity<const N extends string, const A extends readonly Schema[], O extends Schema>(
  name: N,
  contract: { readonly args: A; readonly output: O } & Options,
  fn: ActivityFunction<ArgsSchema<A>, O>,
): Activity<N, ArgsSchema<A>, O> & ActivityImplementation
export function activity<const N extends string, const A extends readonly Schema[], R>(
  name: N,
  contract: { readonly args: A; readonly output?: undefined } & Options,
  fn: (input: Out<ArgsSchema<A>>, ctx: ActivityContext) => Promise<R> | R,
): Activity<N, ArgsSchema<A>, Schema<R>> & ActivityImplementation
export function activity(
  name: string,
  contract: { input?: MaybeSchema; output?: MaybeSchema; args?: readonly Schema[] } & Options = {},
  fn?: ActivityImplementation['fn'],
): Activity<string, MaybeSchema, MaybeSchema> {
  checkName('activity', name)
  const { input, output, args, ...options } = contract
  const parts: ActivityContract = {
    kind: 'activity',
    name,
    input: args === undefined ? input : argsSchema(args),
    output: fn === undefined ? output : (output ?? type<unknown>()),
    spread: args !== undefined,
    options,
  }
  const declared = { ...parts, implement: (authored: ActivityImplementation['fn']) => ({ ...declared, fn: authored }) }
  return fn === undefined ? declared : declared.implement(fn)
}

/** What a call of the activity takes. */
export type ActivityInput<A> = A extends Contract<infer I, MaybeSchema> ? In<I> : never
/** What a call of the activity gives. */
export type ActivityOutput<A> = A extends Contract<MaybeSchema, infer O> ? Out<O> : never

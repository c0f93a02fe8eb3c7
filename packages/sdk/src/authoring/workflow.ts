import type { WorkflowContext } from './context.ts'
import {
  type ArgsSchema,
  argsSchema,
  type Contract,
  checkName,
  type MaybeSchema,
  type Out,
  type Returned,
  type Schema,
  type,
} from './contract.ts'
import type { Message } from './message.ts'
import { type Place, placeOfCaller } from './place.ts'

/** The authored function of a workflow: deterministic, everything durable through `ctx`. */
export type WorkflowFunction<I extends MaybeSchema, O extends MaybeSchema, H extends Message> = (
  ctx: WorkflowContext<H>,
  input: Out<I>,
) => Promise<Returned<O>>

/** Name, shapes and messages of a workflow; what a client needs to know of it. */
export interface WorkflowContract<
  I extends MaybeSchema = MaybeSchema,
  O extends MaybeSchema = MaybeSchema,
  H extends Message = Message,
> extends Contract<I, O> {
  readonly kind: 'workflow'
  /** What the workflow answers to. */
  readonly handles: readonly H[]
}

/** A workflow that may be started, and implemented. */
export interface Workflow<N extends string, I extends MaybeSchema, O extends MaybeSchema, H extends Message>
  extends WorkflowContract<I, O, H> {
  readonly name: N
  implement(fn: WorkflowFunction<I, O, H>): Workflow<N, I, O, H> & WorkflowImplementation
}

/** What a worker replays: the contract with its function, its types checked where it was made. */
export interface WorkflowImplementation extends WorkflowContract {
  // A method on purpose: a function of any context and input fits; replay builds the context that the contract promises.
  fn(ctx: unknown, input: unknown): unknown
  /** The function's text and, where the runtime tells, the file that implements it: what the definition fingerprint is made of. */
  readonly source: { readonly file: string | undefined; readonly text: string }
}

type AnyFunction = WorkflowFunction<MaybeSchema, MaybeSchema, Message>

interface Shape<I, O, H> {
  readonly input?: I
  readonly output?: O
  readonly handles?: H
}

/**
 * Declares a workflow, or, with a function, declares and implements it in one go.
 *
 * A contract imports no implementation, so that a web front end may import it.
 *
 * @example
 * export const checkout = workflow('checkout', { input: Order, output: Receipt, handles: [approved, status] })
 * export const checkoutImpl = checkout.implement(async (ctx, order) => ({ paymentId: (await ctx.run(charge, order)).paymentId }))
 */
export function workflow<
  const N extends string,
  I extends MaybeSchema = undefined,
  O extends MaybeSchema = undefined,
  const H extends readonly Message[] = readonly [],
>(name: N, contract?: Shape<I, O, H>): Workflow<N, I, O, H[number]>
export function workflow<
  const N extends string,
  const A extends readonly Schema[],
  O extends MaybeSchema = undefined,
  const H extends readonly Message[] = readonly [],
>(
  name: N,
  contract: { readonly args: A; readonly output?: O; readonly handles?: H },
): Workflow<N, ArgsSchema<A>, O, H[number]>
export function workflow<
  const N extends string,
  O extends Schema,
  I extends MaybeSchema = undefined,
  const H extends readonly Message[] = readonly [],
>(
  name: N,
  contract: { readonly input?: I; readonly output: O; readonly handles?: H },
  fn: WorkflowFunction<I, O, H[number]>,
): Workflow<N, I, O, H[number]> & WorkflowImplementation
export function workflow<
  const N extends string,
  R,
  I extends MaybeSchema = undefined,
  const H extends readonly Message[] = readonly [],
>(
  name: N,
  contract: { readonly input?: I; readonly output?: undefined; readonly handles?: H },
  fn: (ctx: WorkflowContext<H[number]>, input: Out<I>) => Promise<R>,
): Workflow<N, I, Schema<R>, H[number]> & WorkflowImplementation
export function workflow(
  name: string,
  contract: { input?: MaybeSchema; output?: MaybeSchema; handles?: readonly Message[]; args?: readonly Schema[] } = {},
  fn?: AnyFunction,
): Workflow<string, MaybeSchema, MaybeSchema, Message> {
  checkName('workflow', name)
  const parts: WorkflowContract = {
    kind: 'workflow',
    name,
    input: contract.args === undefined ? contract.input : argsSchema(contract.args),
    output: fn === undefined ? contract.output : (contract.output ?? type<unknown>()),
    spread: contract.args !== undefined,
    handles: contract.handles ?? [],
  }
  const implement = (authored: AnyFunction) => implementation(authored, placeOfCaller(implement))
  const implementation = (authored: AnyFunction, place: Place) => ({
    ...declared,
    fn: authored,
    source: { file: place.location()?.replace(/:\d+:\d+$/, ''), text: String(authored) },
  })
  const declared = { ...parts, implement }
  return fn === undefined ? declared : implementation(fn, placeOfCaller(workflow))
}

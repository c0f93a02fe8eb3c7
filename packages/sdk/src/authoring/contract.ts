// What activities, workflows and messages share: a name and the shapes of what goes in and comes out.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ContractError } from './failure.ts'
import type { ActivityOptions } from './options.ts'

/** Any validator of the Standard Schema family (zod, valibot, arktype …) with output `T`. */
export type Schema<T = unknown> = StandardSchemaV1<unknown, T>
/** A schema, or nothing declared. */
export type MaybeSchema = Schema | undefined

/** What a caller gives. */
export type In<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : undefined
/** What the other side receives: the schema's output. */
export type Out<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : undefined
/** What an implementation may return: anything where no output is declared. */
export type Returned<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : unknown
/** The input as parameters of a call: none, one, or one that may be left out. */
export type InputParameters<S> = S extends StandardSchemaV1
  ? undefined extends StandardSchemaV1.InferInput<S>
    ? [input?: StandardSchemaV1.InferInput<S>]
    : [input: StandardSchemaV1.InferInput<S>]
  : []

/** The schema of the tuple that a list of schemas describes: the `args` form, for code with several positional arguments. */
export type ArgsSchema<A extends readonly Schema[]> = StandardSchemaV1<
  { -readonly [K in keyof A]: In<A[K]> },
  { -readonly [K in keyof A]: Out<A[K]> }
>

/** Name and shapes; what every contract is made of. */
export interface Contract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema> {
  readonly kind: string
  readonly name: string
  readonly input: I
  readonly output: O
  /** True for the `args` form: the input is a tuple and travels as that many arguments. */
  readonly spread: boolean
}

/** Name, shapes and default options of an activity; what `ctx.run` needs to know of it. */
export interface ActivityContract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema>
  extends Contract<I, O> {
  readonly kind: 'activity'
  readonly options: ActivityOptions
}

/**
 * Declares a type without validating it.
 *
 * @example
 * activity('email', { input: type<{ to: string; text: string }>() })
 */
export function type<T>(): StandardSchemaV1<T, T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'durable-workflow',
      validate: (value) => (isDeclared<T>(value) ? { value } : { issues: [] }),
    },
  }
}

// A declared type is taken at its word: that is what `type()` is for.
function isDeclared<T>(_value: unknown): _value is T {
  return true
}

/** Joins the schemas of positional arguments into one schema of their tuple. */
export function argsSchema<const A extends readonly Schema[]>(schemas: A): ArgsSchema<A> {
  return {
    '~standard': {
      version: 1,
      vendor: 'durable-workflow',
      validate: async (value) => {
        const given: readonly unknown[] = Array.isArray(value) ? value : [value]
        const results = await Promise.all(schemas.map((schema, index) => schema['~standard'].validate(given[index])))
        const issues = results.flatMap((result, index) =>
          (result.issues ?? []).map((issue) => ({ ...issue, path: [index, ...(issue.path ?? [])] })),
        )
        if (issues.length > 0) return { issues }
        const values: unknown = results.map((result) => ('value' in result ? result.value : undefined))
        return isDeclared<{ -readonly [K in keyof A]: Out<A[K]> }>(values) ? { value: values } : { issues }
      },
    },
  }
}

/** The wire arguments of an input: none, one, or, in the `args` form, as many as the tuple has. */
export function argumentsFromInput(contract: Contract, input: unknown): readonly unknown[] {
  if (contract.input === undefined) return []
  if (contract.spread && Array.isArray(input)) return input
  return input === undefined ? [] : [input]
}

/** The reverse of `argumentsFromInput`; not validated yet. */
export function inputFromArguments(contract: Contract, values: readonly unknown[]): unknown {
  if (contract.input === undefined) return undefined
  return contract.spread ? [...values] : values[0]
}

/**
 * Checks an input where it enters: the client before sending, the worker before running.
 *
 * @returns the schema's output; `undefined` where the contract declares no input
 * @throws ContractError `invalid_input` with `facts.issues`
 */
export async function validateInput(contract: Contract, value: unknown): Promise<unknown> {
  return validate(contract, 'input', contract.input, value)
}

/**
 * Checks an output where it leaves. Without a declared output everything passes.
 *
 * @throws ContractError `invalid_output` with `facts.issues`
 */
export async function validateOutput(contract: Contract, value: unknown): Promise<unknown> {
  return contract.output === undefined ? value : validate(contract, 'output', contract.output, value)
}

async function validate(
  contract: Contract,
  side: 'input' | 'output',
  schema: MaybeSchema,
  value: unknown,
): Promise<unknown> {
  if (schema === undefined) return undefined
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return result.value
  const issues = result.issues.map((issue) => ({ path: pathOf(issue), message: issue.message }))
  const listed = issues
    .map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`))
    .join('; ')
  throw new ContractError(`The ${side} of ${contract.kind} "${contract.name}" does not fit its contract: ${listed}`, {
    reason: `invalid_${side}`,
    facts: { kind: contract.kind, name: contract.name, issues },
    remedy: `Send what the ${side} schema of "${contract.name}" accepts, or change the contract on both sides.`,
  })
}

function pathOf(issue: StandardSchemaV1.Issue): string {
  return (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
}

/** @throws ContractError `invalid_name` for an empty name or one above 191 characters */
export function checkName(kind: string, name: string): void {
  if (name !== '' && name.length <= 191) return
  throw new ContractError(
    `The name of a ${kind} must have 1 to 191 characters; "${name.slice(0, 40)}" has ${name.length}.`,
    {
      reason: 'invalid_name',
      facts: { kind, length: name.length },
    },
  )
}

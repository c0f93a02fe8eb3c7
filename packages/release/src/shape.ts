// Shapes of documents that others wrote: what is not listed is refused, nothing is coerced.
import { refuseUnless } from './guard.ts'

/** Tells whether a value has a shape; it throws, naming the place, when it has not. */
export interface Shape<T> {
  /** @throws Refused record_schema_invalid or record_unknown_field, with the path of the field. */
  holds(value: unknown, at: string): value is T
}

/** The type of what has a shape. */
export type Shaped<S> = S extends Shape<infer T> ? T : never

type Fields = Readonly<Record<string, Shape<unknown>>>
type Shapes<F extends Fields> = { readonly [K in keyof F]: Shaped<F[K]> }

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function require(holds: boolean, at: string, wanted: string): true {
  refuseUnless(holds, 'record_schema_invalid', { at, wanted })
  return true
}

/** A text that a pattern describes, whole. `wanted` tells people what it is. */
export const text = (pattern = /^[\s\S]+$/, wanted = 'a text that is not empty'): Shape<string> => ({
  holds: (value, at): value is string => require(typeof value === 'string' && pattern.test(value), at, wanted),
})

/** An integer between bounds, which are allowed themselves. */
export const integer = (least = 0, most = Number.MAX_SAFE_INTEGER): Shape<number> => ({
  holds: (value, at): value is number =>
    require(typeof value === 'number' &&
      Number.isSafeInteger(value) &&
      value >= least &&
      value <= most, at, `an integer from ${least} to ${most}`),
})

export const boolean: Shape<boolean> = {
  holds: (value, at): value is boolean => require(typeof value === 'boolean', at, 'true or false'),
}

/** One of these texts. */
export const oneOf = <const T extends string>(...texts: readonly T[]): Shape<T> => ({
  holds: (value, at): value is T => require(texts.some((one) => one === value), at, texts.join(' or ')),
})

export const nullable = <T>(shape: Shape<T>): Shape<T | null> => ({
  holds: (value, at): value is T | null => value === null || shape.holds(value, at),
})

/** A list; `most` bounds what is read of a stranger's document. */
export const list = <T>(shape: Shape<T>, most = 100_000): Shape<readonly T[]> => ({
  holds: (value, at): value is readonly T[] =>
    require(Array.isArray(value) && value.length <= most, at, `a list of at most ${most}`) &&
    Array.isArray(value) &&
    value.every((one, index) => shape.holds(one, `${at}[${index}]`)),
})

/** An object whose keys a pattern describes, all values of one shape. */
export const table = <T>(shape: Shape<T>, keys = /^[\s\S]+$/): Shape<Readonly<Record<string, T>>> => ({
  holds: (value, at): value is Readonly<Record<string, T>> =>
    require(isPlainObject(value), at, 'an object') &&
    Object.entries(isPlainObject(value) ? value : {}).every(
      ([key, one]) =>
        require(keys.test(key), `${at}.${key}`, `a key like ${keys.source}`) && shape.holds(one, `${at}.${key}`),
    ),
})

/** An object with exactly these fields, every one of them there. */
export const object = <const F extends Fields>(fields: F): Shape<Shapes<F>> => ({
  holds: (value, at): value is Shapes<F> => {
    require(isPlainObject(value), at, 'an object')
    const given = isPlainObject(value) ? value : {}
    for (const name of Object.keys(given)) {
      refuseUnless(Object.hasOwn(fields, name), 'record_unknown_field', { at: `${at}.${name}` })
    }
    return Object.entries(fields).every(([name, shape]) => shape.holds(given[name], `${at}.${name}`))
  },
})

/** The value, typed, if it has the shape. @throws Refused record_schema_invalid or record_unknown_field */
export function shaped<T>(shape: Shape<T>, value: unknown, at: string): T {
  if (shape.holds(value, at)) return value
  throw new Error(`${at}: a shape holds or refuses`)
}

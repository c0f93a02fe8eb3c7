/** A plain object: made by a literal, by `Object.create(null)`, or by a literal of another realm. */
export const isPlainObject = (value: object): value is Record<string, unknown> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || isRootPrototype(prototype)
}

const isRootPrototype = (prototype: unknown): boolean =>
  typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) === null

const remedies: Readonly<Record<string, string>> = {
  Date: 'pass an ISO 8601 string or epoch milliseconds',
  Map: 'pass a plain object or an array of pairs',
  Set: 'pass an array',
  Promise: 'await it first',
  Error: 'pass its name and message as a plain object',
  RegExp: 'pass its source as a string',
  URL: 'pass its href as a string',
  ArrayBuffer: 'pass a Uint8Array',
  DataView: 'pass a Uint8Array',
}

const classNameOf = (value: object): string => {
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag !== 'Object' && tag !== 'Error') return tag
  const made: unknown = value.constructor
  return typeof made === 'function' && made.name !== '' ? made.name : 'a class'
}

/** Names a value that has no form in a payload, and says what to pass instead. */
export const describeUnsupported = (value: unknown): { readonly found: string; readonly remedy: string } => {
  if (typeof value === 'function')
    return { found: 'a function is not data', remedy: 'pass data, or the name of what to call' }
  if (typeof value === 'symbol') return { found: 'a symbol is not data', remedy: 'pass a string' }
  if (typeof value !== 'object' || value === null)
    return { found: `a ${typeof value} is not data`, remedy: 'pass a plain value' }
  const name = classNameOf(value)
  const kind = value instanceof Error ? 'Error' : ArrayBuffer.isView(value) ? 'DataView' : name
  const found = `an instance of ${name} is not plain data`
  return {
    found,
    remedy: remedies[kind] ?? 'pass a plain object, array, string, number, bigint, boolean, Uint8Array or null',
  }
}

/** The error path of a member: `input.order["odd key"][3]`. */
export const pathOf = (name: string, slots: readonly (string | number)[]): string =>
  slots.reduce<string>((path, slot) => {
    if (typeof slot === 'number') return `${path}[${slot}]`
    return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(slot) ? `${path}.${slot}` : `${path}[${JSON.stringify(slot)}]`
  }, name)

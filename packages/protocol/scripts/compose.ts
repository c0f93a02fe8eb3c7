// 1.20 = 1.19 + additions. An addition may only add: a key that is there already, other than the version, is refused,
// so that the 1.19 document and what is generated from it cannot change by way of 1.20.
import { isObject, type Json, type JsonObject } from './documents.ts'

function add(base: Json, addition: Json, at: string): Json {
  if (isObject(base) && isObject(addition)) {
    const out: JsonObject = { ...base }
    for (const [key, value] of Object.entries(addition)) {
      const existing = out[key]
      out[key] = existing === undefined ? value : add(existing, value, `${at}/${key}`)
    }
    return out
  }
  if (Array.isArray(base) && Array.isArray(addition)) {
    const twice = addition.filter((item) => base.some((other) => JSON.stringify(other) === JSON.stringify(item)))
    if (twice.length > 0) throw new Error(`${at}: the addition repeats ${JSON.stringify(twice[0])}`)
    return [...base, ...addition]
  }
  if (at === '/info/version') return addition
  throw new Error(`${at}: an addition cannot change ${JSON.stringify(base)} to ${JSON.stringify(addition)}`)
}

/** Lays additions over a document; keys that begin with x-adds are about the additions themselves and are dropped. */
export function compose(base: JsonObject, additions: JsonObject): JsonObject {
  const kept = Object.fromEntries(Object.entries(additions).filter(([key]) => !key.startsWith('x-adds')))
  const composed = add(structuredClone(base), structuredClone(kept), '')
  if (!isObject(composed)) throw new Error('The composed document is not an object')
  return composed
}

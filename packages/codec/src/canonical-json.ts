import { CodecError } from './error.ts'
import { Float } from './float.ts'
import { jsonDepthMax } from './limits.ts'
import { describeUnsupported, isPlainObject, pathOf } from './unsupported.ts'

type Place = { readonly name: string; readonly slots: (string | number)[]; readonly open: object[] }

/**
 * The one JSON text of a value, for digests and comparisons: no white space, keys in ascending order of UTF-16 units,
 * numbers and strings as `JSON.stringify` writes them (so −0 is 0), bigints as integers with all their digits.
 *
 * Members that are undefined are left out; undefined elsewhere is null. What JSON cannot hold is refused, bytes too.
 *
 * @param name  how error paths begin; default `value`
 * @throws CodecError `non_finite_float`, `invalid_map_key`, `unsupported_value_type` or `structural_limit_exceeded`
 */
export const canonicalJson = (value: unknown, name = 'value'): string => textOf(value, { name, slots: [], open: [] })

const textOf = (value: unknown, place: Place): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      if (!Number.isFinite(value)) throw notFinite(value, place)
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return value.toString()
    case 'undefined':
      return 'null'
    case 'object':
      return value === null ? 'null' : textOfObject(value, place)
    default:
      throw unsupported(value, place)
  }
}

const textOfObject = (value: object, place: Place): string => {
  if (Float.is(value)) return JSON.stringify(value.value)
  if (!Array.isArray(value) && !isPlainObject(value)) throw unsupported(value, place)
  if (place.open.includes(value)) throw cycle(place)
  if (place.open.length >= jsonDepthMax) throw tooDeep(place)
  place.open.push(value)
  const text = Array.isArray(value) ? textOfArray(value, place) : textOfMembers(value, place)
  place.open.pop()
  return text
}

const textOfArray = (items: readonly unknown[], place: Place): string => {
  let text = '['
  for (let index = 0; index < items.length; index++) {
    place.slots.push(index)
    text += (index === 0 ? '' : ',') + textOf(items[index], place)
    place.slots.pop()
  }
  return `${text}]`
}

const textOfMembers = (members: Readonly<Record<string, unknown>>, place: Place): string => {
  if (Object.getOwnPropertySymbols(members).length > 0) throw symbolKey(place)
  let text = ''
  for (const key of Object.keys(members).sort()) {
    const value = members[key]
    if (value === undefined) continue
    place.slots.push(key)
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${textOf(value, place)}`
    place.slots.pop()
  }
  return `{${text}}`
}

const thingAt = (place: Place): string => pathOf(place.name, place.slots)

const unsupported = (value: unknown, place: Place): CodecError => {
  if (value instanceof Uint8Array) {
    const facts = { thing: thingAt(place), found: 'bytes have no form in JSON' }
    return new CodecError('unsupported_value_type', facts, 'pass them as base64 text')
  }
  const { found, remedy } = describeUnsupported(value)
  return new CodecError('unsupported_value_type', { thing: thingAt(place), found }, remedy)
}

const notFinite = (value: number, place: Place): CodecError => {
  const facts = { thing: thingAt(place), found: `${value} is not finite` }
  return new CodecError('non_finite_float', facts, 'use null or a string for a missing or unbounded number')
}

const cycle = (place: Place): CodecError =>
  new CodecError(
    'unsupported_value_type',
    { thing: thingAt(place), found: 'it contains itself' },
    'pass an id instead of the object',
  )

const symbolKey = (place: Place): CodecError =>
  new CodecError('invalid_map_key', { thing: thingAt(place), found: 'a key is a symbol' }, 'use strings as keys')

const tooDeep = (place: Place): CodecError =>
  new CodecError(
    'structural_limit_exceeded',
    { thing: thingAt(place), found: 'containers are nested too deeply', limit: `${jsonDepthMax} levels` },
    'flatten the value',
  )

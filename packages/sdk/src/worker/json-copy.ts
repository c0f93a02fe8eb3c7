/**
 * A copy of authored data that JSON can carry: bigints become text, bytes base64, half a surrogate pair U+FFFD, what has no
 * form is left out.
 */
export function jsonCopy(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'string') return member.toWellFormed()
    if (typeof member === 'bigint') return member.toString()
    if (member instanceof Uint8Array) return Buffer.from(member).toString('base64')
    return member
  })
  // JSON.stringify answers undefined for a function or undefined itself.
  return text === undefined ? undefined : JSON.parse(text)
}

/** True when JSON carries the value without loss. */
export function isJsonExact(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJsonExact)
  if (typeof value !== 'object' || value instanceof Uint8Array) return false
  return Object.values(value).every(isJsonExact)
}

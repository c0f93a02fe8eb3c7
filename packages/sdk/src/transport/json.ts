// Readers for received data: what is not there, or is of another kind, is undefined.

export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function memberOf(value: unknown, key: string): unknown {
  return isJson(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The member as text; the empty text counts as absent. */
export function textOf(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key)
  return typeof member === 'string' && member !== '' ? member : undefined
}

export function numberOf(value: unknown, key: string): number | undefined {
  const member = memberOf(value, key)
  return typeof member === 'number' && Number.isFinite(member) ? member : undefined
}

export function isTrue(value: unknown, key: string): boolean {
  return memberOf(value, key) === true
}

export function listOf(value: unknown, key: string): readonly unknown[] {
  const member = memberOf(value, key)
  return Array.isArray(member) ? member : []
}

/** Epoch milliseconds of a member that is an instant in text. */
export function instantOf(value: unknown, key: string): number | undefined {
  const text = textOf(value, key)
  if (text === undefined) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}

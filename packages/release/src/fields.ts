// Reading what strangers wrote, field by field: what has another form counts as not there.

/** An object in JSON, its fields unread. */
export type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object; an empty one for anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The object that a text in JSON says; null for any other text. */
export function parsedJson(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : null
  } catch {
    return null // whoever asked refuses it by its name
  }
}

// What every emitted file begins with, and how values become source text.
import type { Json } from './documents.ts'

export const header =
  '// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.\n'

export const quote = (value: Json): string => JSON.stringify(value)
export const list = (values: readonly string[]): string => `[${values.map(quote).join(', ')}]`
export const union = (values: readonly string[]): string =>
  values.length === 0 ? 'never' : values.map(quote).join(' | ')

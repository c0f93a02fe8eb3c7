/** The middle value; the mean of the two middle ones of an even count. @throws when there is none */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new Error('there is no median of nothing')
  return (lower + upper) / 2
}

/** The value below which `share` (0…1) of the values lie, by nearest rank. @throws when there is none */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('there is no percentile of nothing')
  return value
}

/** Three significant digits or the whole number, whichever is more. */
export const rounded = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))

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

/** The arithmetic mean. @throws when there is none */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new Error('there is no mean of nothing')
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Figures of the same names, several times: the median of each, and its lowest and highest. */
export function summary(repetitions: readonly Readonly<Record<string, number>>[]): {
  readonly figures: Readonly<Record<string, number>>
  readonly range: Readonly<Record<string, readonly [number, number]>>
} {
  const figures: Record<string, number> = {}
  const range: Record<string, readonly [number, number]> = {}
  for (const figure of Object.keys(repetitions[0] ?? {})) {
    const values = repetitions.flatMap((repetition) => repetition[figure] ?? [])
    figures[figure] = rounded(median(values))
    range[figure] = [rounded(Math.min(...values)), rounded(Math.max(...values))]
  }
  return { figures, range }
}

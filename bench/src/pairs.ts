// Two stages beside each other, measured in turn: what the machine does meanwhile meets both alike.
import { median } from './statistics.ts'

export type Side = 'without' | 'with'
export type Direction = 'more is better' | 'less is better'

/** The order within each pair; it alternates, so that neither side always comes first. */
export const orderOfPairs = (pairs: number): readonly (readonly [Side, Side])[] =>
  Array.from({ length: pairs }, (_, index) => (index % 2 === 0 ? ['without', 'with'] : ['with', 'without']))

export interface Pair {
  readonly without: number
  readonly with: number
}

/**
 * How much slower the second side is, in percent: the median over the pairs, beside the lowest and the highest.
 * Below zero it was faster. Each pair is compared by itself, so that only noise shorter than a pair remains.
 */
export function slowerPercent(
  pairs: readonly Pair[],
  direction: Direction,
): { readonly median: number; readonly range: readonly [number, number] } {
  const percents = pairs.map((pair) => {
    const ratio = direction === 'less is better' ? pair.with / pair.without : pair.without / pair.with
    return (ratio - 1) * 100
  })
  return { median: median(percents), range: [Math.min(...percents), Math.max(...percents)] }
}

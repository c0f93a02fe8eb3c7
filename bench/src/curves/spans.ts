/** CPU milliseconds that a process had used at an instant (epoch milliseconds). */
export interface CpuSample {
  readonly at: number
  readonly cpuMs: number
}

/** What the steps between two instants cost. */
export interface Span {
  readonly wallMsPerStep: number
  /** `undefined` when the samples do not reach over the span. */
  readonly serverCpuMsPerStep: number | undefined
}

/** Cuts a run into spans of so many steps; each begins with the step that ends the one before. */
export function costOfSpans(
  instants: readonly number[],
  samples: readonly CpuSample[],
  stepsInASpan: number,
): readonly Span[] {
  const spans: Span[] = []
  for (let first = 0; first + 1 < instants.length; first += stepsInASpan) {
    const last = Math.min(first + stepsInASpan, instants.length - 1)
    const [from, to] = [instants[first], instants[last]]
    if (from === undefined || to === undefined) throw new Error(`there is no step ${first} or ${last}`)
    const [before, after] = [cpuAt(samples, from), cpuAt(samples, to)]
    spans.push({
      wallMsPerStep: (to - from) / (last - first),
      serverCpuMsPerStep: before === undefined || after === undefined ? undefined : (after - before) / (last - first),
    })
  }
  return spans
}

/** Between two samples CPU time is taken to grow evenly; `undefined` before the first and after the last. */
export function cpuAt(samples: readonly CpuSample[], instant: number): number | undefined {
  const upperIndex = samples.findIndex((sample) => sample.at >= instant)
  const upper = samples[upperIndex]
  if (upper === undefined) return undefined
  if (upper.at === instant) return upper.cpuMs
  const lower = samples[upperIndex - 1]
  if (lower === undefined) return undefined
  return lower.cpuMs + ((upper.cpuMs - lower.cpuMs) * (instant - lower.at)) / (upper.at - lower.at)
}

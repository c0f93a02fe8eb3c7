/**
 * Chooses at most `limit` of the candidates, one of each scope in turn, so that a scope with many cannot keep the others
 * waiting (`scope_fair_round_robin`, history-replay §7.4). Within a scope their order stays.
 */
export function selectFairly<Candidate>(
  candidates: readonly Candidate[],
  scopeOf: (candidate: Candidate) => string,
  limit: number,
): Candidate[] {
  const scopes = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const scope = scopes.get(scopeOf(candidate))
    if (scope === undefined) scopes.set(scopeOf(candidate), [candidate])
    else scope.push(candidate)
  }
  const selected: Candidate[] = []
  const selectable = Math.min(limit, candidates.length)
  for (let round = 0; selected.length < selectable; round++) {
    for (const scope of scopes.values()) {
      const next = scope[round]
      if (next !== undefined && selected.length < selectable) selected.push(next)
    }
  }
  return selected
}

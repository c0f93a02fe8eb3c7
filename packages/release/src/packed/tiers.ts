import { refuseUnless } from '../guard.ts'

/**
 * Tier of each package of a set: 0 where it needs nothing of the set, else one above the highest that it needs.
 *
 * @param needs  package → what it needs of the set
 * @throws Refused internal_dependency_cycle
 */
export function tiersOf(needs: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const tiers = new Map<string, number>()
  const free = () =>
    [...needs].flatMap(([name, others]) =>
      !tiers.has(name) && others.every((other) => tiers.has(other)) ? [name] : [],
    )
  for (let [tier, names] = [0, free()]; names.length > 0; [tier, names] = [tier + 1, free()]) {
    for (const name of names) tiers.set(name, tier)
  }
  const packages = [...needs.keys()].filter((name) => !tiers.has(name))
  refuseUnless(packages.length === 0, 'internal_dependency_cycle', { packages })
  return tiers
}
